package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.DocumentStage;

/** An update by an aggregation pipeline. */
record PipelineUpdate(List<DocumentStage> stages, Scope scope) implements Update {
    @Override
    public Applied applyTo(Document document, UpdateContext context) {
        Document result = document;
        for (DocumentStage stage : stages) {
            result = stage.transform(result, scope);
        }
        return ReplacementUpdate.replace(document, result);
    }
}
