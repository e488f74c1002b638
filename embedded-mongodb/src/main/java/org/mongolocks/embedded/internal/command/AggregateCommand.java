package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.change.ChangeStreams;
import org.mongolocks.embedded.internal.cursor.DocumentSource;
import org.mongolocks.embedded.internal.cursor.ListSource;
import org.mongolocks.embedded.internal.cursor.OpenCursor;
import org.mongolocks.embedded.internal.cursor.TailingSource;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
import org.mongolocks.embedded.internal.pipeline.Stage;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.plan.Planner;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** aggregate. */
final class AggregateCommand {
    private static final Set<String> KNOWN = Set.of(
            "pipeline",
            "cursor",
            "explain",
            "allowDiskUse",
            "bypassDocumentValidation",
            "collation",
            "hint",
            "fromMongos",
            "needsMerge",
            "exchange",
            "runtimeConstants",
            "isMapReduceCommand");

    private final Call call;
    private final Fields fields;
    private final Namespace namespace;

    private AggregateCommand(Call call) {
        this.call = call;
        this.fields = Fields.ofCommand(call.command(), KNOWN, ErrorCode.FAILED_TO_PARSE);
        this.namespace = namespace(call);
    }

    // Without a collection, the pipeline looks at the database or at all of them.
    private static Namespace namespace(Call call) {
        return call.target() instanceof Number ? new Namespace(call.db(), "$cmd.aggregate") : call.namespace();
    }

    static Document run(Call call) {
        return new AggregateCommand(call).run();
    }

    private Document run() {
        fields.refuseCollation();
        fields.refuse("explain", "fromMongos", "needsMerge", "exchange", "runtimeConstants", "isMapReduceCommand");
        fields.required("pipeline");
        if (!(fields.get("pipeline") instanceof List<?> stages)) {
            throw PipelineParser.notAnArray();
        }
        if (!fields.has("cursor")) {
            throw new CommandError(
                    ErrorCode.FAILED_TO_PARSE,
                    "The 'cursor' option is required, except for aggregate with the explain argument");
        }
        long size = CursorReply.firstBatchSize(CursorReply.batchSize(call.command()));
        return firstBatch(source(stages), size);
    }

    private DocumentSource source(List<?> stages) {
        boolean isChangeStream = !stages.isEmpty()
                && stages.get(0) instanceof Document first
                && first.containsKey("$changeStream")
                && first.size() == 1;
        return isChangeStream ? ChangeStreams.open(call, namespace, stages) : new ListSource(results(stages));
    }

    private List<Document> results(List<?> specifications) {
        Scope scope = call.scope();
        List<Stage> stages = new PipelineParser(scope, this::documents).parse(specifications);
        if (namespace.collection().startsWith("$cmd")) {
            throw new CommandError(
                    ErrorCode.INVALID_NAMESPACE,
                    "{aggregate: 1} is not valid for this pipeline; a collection is required.");
        }
        return PipelineParser.run(stages, input(specifications, scope), scope);
    }

    // A match at the beginning may use an index, which also decides about the order.
    private List<Document> input(List<?> specifications, Scope scope) {
        boolean isMatch = !specifications.isEmpty()
                && specifications.get(0) instanceof Document first
                && first.get("$match") instanceof Document;
        Document query = isMatch && specifications.get(0) instanceof Document first
                ? (Document) first.getOrDefault("$match", new Document())
                : new Document();
        return matching(namespace, FilterParser.parse(query, scope), fields.hint());
    }

    private List<Document> documents(String collection) {
        return matching(new Namespace(namespace.db(), collection), new Filter.Constant(true), null);
    }

    private List<Document> matching(Namespace from, Filter filter, @Nullable Object hint) {
        CollectionState collection = CollectionAccess.find(call, from);
        List<Document> documents = new ArrayList<>();
        if (collection != null) {
            Matches matches = new Matches(() -> collection, Planner.plan(collection, filter, hint), filter);
            for (Matches.Match match = matches.next(); match != null; match = matches.next()) {
                documents.add(match.record().document());
            }
        }
        return documents;
    }

    // Unlike find, aggregate looks no further than its batch goes, and so may leave an exhausted cursor open.
    private Document firstBatch(DocumentSource source, long size) {
        OpenCursor cursor = call.server()
                .cursors()
                .open(
                        namespace,
                        source,
                        CursorReply.owner(call, null, false),
                        call.server().now());
        List<Document> batch = cursor.batches().take(size);
        boolean isTail = source instanceof TailingSource;
        boolean isAtEnd = isTail
                ? cursor.batches().isAtEnd()
                : batch.size() < size && cursor.batches().isAtEnd();
        if (isAtEnd) {
            call.server().cursors().close(cursor.id());
        }
        Document reply = CursorReply.of("firstBatch", batch, isAtEnd ? 0L : cursor.id(), namespace);
        if (source instanceof TailingSource tail && reply.get("cursor") instanceof Document inner) {
            inner.put("postBatchResumeToken", tail.position());
        }
        return reply;
    }
}
