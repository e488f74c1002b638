package org.mongolocks.embedded.internal.pipeline;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.mongolocks.embedded.internal.expression.Scope;

/** A stage of a pipeline. */
public interface Stage {
    /** Gives the documents that leave the stage for those that enter it. */
    List<Document> run(List<Document> documents, Scope scope);

    /** A stage that makes one document of one document; the only kind that an update may use. */
    interface DocumentStage extends Stage {
        Document transform(Document document, Scope scope);

        @Override
        default List<Document> run(List<Document> documents, Scope scope) {
            List<Document> results = new ArrayList<>(documents.size());
            for (Document document : documents) {
                results.add(transform(document, scope));
            }
            return results;
        }
    }
}
