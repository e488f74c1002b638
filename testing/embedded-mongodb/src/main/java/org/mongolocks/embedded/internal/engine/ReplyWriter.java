package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature;
import org.mongolocks.embedded.internal.error.CommandError;

/** Makes whole replies of results and errors. */
final class ReplyWriter {
    private static final Document NO_SIGNATURE = new Document("hash", new BinData(new byte[20])).append("keyId", 0L);

    private final Server server;

    ReplyWriter(Server server) {
        this.server = server;
    }

    Document success(Call call, Document result) {
        Document concernError = writeConcernError(call);
        if (concernError != null && !result.containsKey("writeConcernError")) {
            result.put("writeConcernError", concernError);
            putLabels(result, call, null, codeOf(concernError));
        }
        result.putIfAbsent("ok", 1.0);
        return withTime(result);
    }

    Document failure(Call call, CommandError error) {
        boolean hasRun = call.phase() == Call.Phase.RUNNING;
        Document concernError = hasRun ? writeConcernError(call) : null;
        Document reply = new Document();
        putLabels(reply, call, error.code(), concernError == null ? null : codeOf(concernError));
        putError(reply, error);
        if (concernError != null) {
            reply.put("writeConcernError", concernError);
        }
        return withTime(reply);
    }

    /** The reply to an unknown command, or to one that could not be read. */
    Document failure(CommandError error) {
        Document reply = new Document();
        putError(reply, error);
        return withTime(reply);
    }

    private void putError(Document reply, CommandError error) {
        reply.append("ok", 0.0)
                .append("errmsg", error.getMessage())
                .append("code", error.code())
                .append("codeName", server.config().version().codeName(error.code()));
        reply.putAll(error.details());
    }

    private void putLabels(Document reply, Call call, @Nullable Integer code, @Nullable Integer concernCode) {
        ErrorLabels error = new ErrorLabels(call, code, concernCode);
        List<String> override = call.labelsOverride();
        List<String> labels = override == null ? error.all() : override;
        if (!labels.isEmpty()) {
            reply.put("errorLabels", labels);
        }
        if (error.isStateChange() && server.config().isReplicaSet()) {
            reply.put("topologyVersion", server.topology().version());
        }
    }

    private static @Nullable Integer codeOf(Document error) {
        return error.get("code") instanceof Number code ? Numbers.wholeInt(code) : null;
    }

    private @Nullable Document writeConcernError(Call call) {
        if (!call.definition().is(ServerFeature.WRITE)) {
            return null;
        }
        Document asked = server.failPoints().writeConcernError(call);
        if (asked != null) {
            FailPoints.overrideLabels(call, asked);
            return (Document) asked.get("writeConcernError");
        }
        return null;
    }

    private Document withTime(Document reply) {
        if (server.config().isReplicaSet()) {
            reply.append(
                    "$clusterTime",
                    new Document("clusterTime", server.store().clock().latest()).append("signature", NO_SIGNATURE));
            reply.append("operationTime", server.store().oplog().last());
        }
        return reply;
    }
}
