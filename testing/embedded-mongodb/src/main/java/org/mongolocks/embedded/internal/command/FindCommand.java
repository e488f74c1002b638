package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.cursor.DocumentSource;
import org.mongolocks.embedded.internal.cursor.DocumentSource.Listed;
import org.mongolocks.embedded.internal.cursor.FindSource;
import org.mongolocks.embedded.internal.cursor.OpenCursor;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.SortOrder;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.plan.Planner;
import org.mongolocks.embedded.internal.projection.Projection;
import org.mongolocks.embedded.internal.projection.ProjectionParser;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** find. */
final class FindCommand {
    private static final Set<String> KNOWN = Set.of("""
            filter sort projection hint skip limit batchSize singleBatch allowPartialResults collation
            allowDiskUse runtimeConstants""".split("\\s+"));

    private final Call call;
    private final Fields fields;
    private final Namespace namespace;
    private final Scope scope;
    private final Filter filter;

    private FindCommand(Call call) {
        this.call = call;
        this.fields = Fields.ofCommand(call.command(), KNOWN, ErrorCode.FAILED_TO_PARSE);
        this.namespace = call.namespace();
        this.scope = call.scope();
        this.filter = FilterParser.parse(fields.document("filter"), scope);
        fields.refuseCollation();
        call.server().counters().plan(fields.document("filter"));
    }

    static Document run(Call call) {
        return new FindCommand(call).run();
    }

    private Document run() {
        long limit = fields.count("limit", 0);
        long size = fields.has("batchSize") ? fields.count("batchSize", 0) : -1;
        CollectionState collection = CollectionAccess.forRead(call, namespace);
        DocumentSource source = source(collection, limit);
        UUID uuid = collection == null ? null : collection.uuid();
        OpenCursor cursor = CursorReply.open(call, namespace, source, uuid);
        return firstBatch(cursor, CursorReply.firstBatchSize(size));
    }

    private Document firstBatch(OpenCursor cursor, long size) {
        try {
            List<Document> batch = cursor.take(size);
            boolean isDone = fields.flag("singleBatch", false) || cursor.isAtEnd();
            if (isDone) {
                call.server().cursors().close(cursor.id());
            }
            return CursorReply.of("firstBatch", batch, isDone ? 0L : cursor.id(), namespace);
        } catch (CommandError error) {
            call.server().cursors().close(cursor.id());
            throw error;
        }
    }

    private DocumentSource source(@Nullable CollectionState collection, long limit) {
        UnaryOperator<Document> projection = projection();
        SortOrder order = SortOrder.parse(fields.document("sort"));
        long skip = fields.count("skip", 0);
        if (collection == null) {
            return new Listed(List.of());
        }
        Supplier<@Nullable CollectionState> now = () -> call.catalog().get(namespace);
        Matches matches = new Matches(now, Planner.plan(collection, filter, fields.hint()), filter);
        return order.isEmpty()
                ? new FindSource(matches, projection, skip, limit)
                : new Listed(cut(order.sorted(matches.rest()), projection, skip, limit));
    }

    private UnaryOperator<Document> projection() {
        Document specification = fields.document("projection");
        if (specification.isEmpty()) {
            return UnaryOperator.identity();
        }
        Projection projection = ProjectionParser.parseOfFind(specification);
        return document -> projection.apply(document, scope);
    }

    private static List<Document> cut(
            List<Document> documents, UnaryOperator<Document> projection, long skip, long limit) {
        return documents.stream()
                .skip(skip)
                .limit(limit == 0 ? Long.MAX_VALUE : limit)
                .map(projection)
                .toList();
    }
}
