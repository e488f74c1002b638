package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.mongolocks.embedded.internal.expression.Scope;

/** A stage of a pipeline. */
public interface Stage {
    /** Gives the documents that leave the stage for those that enter it. */
    List<Document> run(List<Document> documents, Scope scope);

    /** Whether each document is treated by itself, so that the stage may look at the events of a change stream. */
    default boolean isStateless() {
        return false;
    }
}
