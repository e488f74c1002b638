package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.change.ChangeStreams;
import org.mongolocks.embedded.internal.cursor.DocumentSource;
import org.mongolocks.embedded.internal.cursor.DocumentSource.Listed;
import org.mongolocks.embedded.internal.cursor.DocumentSource.Tailing;
import org.mongolocks.embedded.internal.cursor.OpenCursor;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
import org.mongolocks.embedded.internal.pipeline.Stage;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** aggregate. */
final class AggregateCommand {
    private static final Set<String> KNOWN = Set.of("""
            pipeline cursor allowDiskUse bypassDocumentValidation collation hint runtimeConstants""".split("\\s+"));

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

    static void check(Call call) {
        new AggregateCommand(call).stages();
    }

    static Document run(Call call) {
        AggregateCommand command = new AggregateCommand(call);
        long size = CursorReply.firstBatchSize(CursorReply.batchSize(call.command()));
        return command.firstBatch(command.source(command.stages()), size);
    }

    private List<?> stages() {
        fields.refuseCollation();
        fields.required("pipeline");
        if (!(fields.get("pipeline") instanceof List<?> stages)) {
            throw PipelineParser.notAnArray();
        }
        if (!fields.has("cursor")) {
            throw CommandError.failedToParse(
                    "The 'cursor' option is required, except for aggregate with the explain argument");
        }
        CursorReply.batchSize(call.command());
        return stages;
    }

    private DocumentSource source(List<?> stages) {
        boolean isChangeStream = !stages.isEmpty()
                && stages.get(0) instanceof Document first
                && first.containsKey("$changeStream")
                && first.size() == 1;
        if (!isChangeStream) {
            return new Listed(results(stages));
        }
        CollectionAccess.find(call, namespace);
        return ChangeStreams.open(call, namespace, stages);
    }

    private List<Document> results(List<?> specifications) {
        Scope scope = call.scope();
        List<Stage> stages = new PipelineParser(scope).parse(specifications);
        if (namespace.collection().startsWith("$cmd")) {
            throw new CommandError(
                    ErrorCode.INVALID_NAMESPACE,
                    "{aggregate: 1} is not valid for this pipeline; a collection is required.");
        }
        // A match at the beginning may use an index, which also decides about the order.
        Document query = !specifications.isEmpty()
                        && specifications.get(0) instanceof Document first
                        && first.get("$match") instanceof Document match
                ? match
                : new Document();
        CollectionState collection = CollectionAccess.forRead(call, namespace);
        List<Document> input = Matches.documents(collection, FilterParser.parse(query, scope), fields.hint());
        return PipelineParser.run(stages, input, scope);
    }

    // Unlike find, aggregate looks no further than its batch goes, and so may leave an exhausted cursor open.
    private Document firstBatch(DocumentSource source, long size) {
        OpenCursor cursor = CursorReply.open(call, namespace, source, null);
        // The events of a stream come with the first getMore, wherever it begins.
        boolean isTail = source instanceof Tailing;
        List<Document> batch = isTail ? List.of() : cursor.take(size);
        boolean isAtEnd = !isTail && batch.size() < size && cursor.isAtEnd();
        if (isAtEnd) {
            call.server().cursors().close(cursor.id());
        }
        Document reply = CursorReply.of("firstBatch", batch, isAtEnd ? 0L : cursor.id(), namespace);
        if (source instanceof Tailing tail && reply.get("cursor") instanceof Document inner) {
            inner.put("postBatchResumeToken", tail.position());
        }
        return reply;
    }
}
