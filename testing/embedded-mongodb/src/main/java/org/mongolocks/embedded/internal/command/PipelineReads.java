package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
import org.mongolocks.embedded.internal.pipeline.Stage;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.storage.View;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** Runs pipelines over a collection or a view. */
final class PipelineReads {
    private final Call call;
    private final Scope scope;

    PipelineReads(Call call, Scope scope) {
        this.call = call;
        this.scope = scope;
    }

    /** The documents of a view. */
    List<Document> of(View view) {
        return run(view.namespace(), List.of(), null);
    }

    /**
     * Runs a pipeline.
     *
     * @param namespace a collection or a view
     * @param hint the index to use, or null
     */
    List<Document> run(Namespace namespace, List<?> pipeline, @Nullable Object hint) {
        View view = CollectionAccess.view(call, namespace);
        List<Object> specifications = new ArrayList<>(pipeline);
        Namespace from = namespace;
        if (view != null) {
            View resolved = view.resolved(call.workspace().catalog());
            specifications.addAll(0, resolved.pipeline());
            from = resolved.on();
        }
        List<Stage> stages = new PipelineParser(scope).parse(specifications);
        if (namespace.collection().startsWith("$cmd")) {
            throw new CommandError(
                    ErrorCode.INVALID_NAMESPACE,
                    "{aggregate: 1} is not valid for this pipeline; a collection is required.");
        }
        return PipelineParser.run(stages, input(from, specifications, hint), scope);
    }

    // A match at the beginning may use an index, which also decides about the order.
    private List<Document> input(Namespace from, List<?> specifications, @Nullable Object hint) {
        boolean isMatch = !specifications.isEmpty()
                && specifications.get(0) instanceof Document first
                && first.get("$match") instanceof Document;
        Document query = isMatch && specifications.get(0) instanceof Document first
                ? (Document) first.getOrDefault("$match", new Document())
                : new Document();
        Filter filter = FilterParser.parse(query, scope);
        CollectionState collection = CollectionAccess.find(call, from);
        return Matches.documents(collection, filter, hint);
    }
}
