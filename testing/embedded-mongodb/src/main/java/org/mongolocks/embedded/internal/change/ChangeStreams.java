package org.mongolocks.embedded.internal.change;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.cursor.DocumentSource.Tailing;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
import org.mongolocks.embedded.internal.pipeline.Stage;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.work.Store;

/** Opens change streams: reads the stage {@code $changeStream} and the stages after it. */
public final class ChangeStreams {
    private static final Set<String> KNOWN =
            Set.of("fullDocument", "fullDocumentBeforeChange", "resumeAfter", "startAfter", "startAtOperationTime");
    private static final Set<String> NO_MODES = Set.of("off", "default");
    private static final Set<String> PERMITTED =
            Set.of("$match", "$project", "$addFields", "$set", "$unset", "$replaceRoot", "$replaceWith");
    private static final Set<String> INTERNAL = Set.of("admin", "config", "local");

    private final Call call;
    private final Namespace namespace;
    private final Document options;

    private ChangeStreams(Call call, Namespace namespace, Document options) {
        this.call = call;
        this.namespace = namespace;
        this.options = options;
    }

    /**
     * Opens a stream.
     *
     * @param specifications the stages, of which the first is {@code $changeStream}
     */
    public static Tailing open(Call call, Namespace namespace, List<?> specifications) {
        Object first = specifications.get(0) instanceof Document stage ? stage.get("$changeStream") : null;
        if (!(first instanceof Document options)) {
            throw new CommandError(50808, "$changeStream stage expects a document as argument");
        }
        ChangeStreams streams = new ChangeStreams(call, namespace, options);
        streams.check();
        return streams.open(specifications.subList(1, specifications.size()));
    }

    private void check() {
        if (!call.server().config().isReplicaSet()) {
            throw new CommandError(40573, "The $changeStream stage is only supported on replica sets");
        }
        if (call.options().isTransaction()) {
            throw new CommandError(
                    ErrorCode.NOT_SUPPORTED_IN_TRANSACTION,
                    "Operation not permitted in transaction :: caused by :: Aggregation stage $changeStream cannot run"
                            + " within a multi-document transaction");
        }
        for (String name : options.keySet()) {
            if (!KNOWN.contains(name)) {
                throw new CommandError(
                        ErrorCode.UNKNOWN_FIELD, "BSON field '$changeStream." + name + "' is an unknown field.");
            }
        }
        checkReadConcern();
        checkModes();
        checkNamespace();
    }

    private void checkReadConcern() {
        if (call.command().get("readConcern") instanceof Document concern
                && concern.containsKey("level")
                && !"majority".equals(concern.get("level"))) {
            throw CommandError.invalidOptions(
                    "$changeStream cannot run with a readConcern other than 'majority', or in a multi-document"
                            + " transaction. Current readConcern: " + concern.toString(true));
        }
    }

    private void checkModes() {
        for (String mode : List.of("fullDocument", "fullDocumentBeforeChange")) {
            if (!NO_MODES.contains(options.getOrDefault(mode, "off"))) {
                throw CommandError.unsupported("$changeStream with " + mode);
            }
        }
    }

    private Tailing open(List<?> specifications) {
        Store store = call.server().store();
        Scope scope = call.scope();
        List<Stage> stages = new PipelineParser(scope).parse(specifications);
        checkPermitted(specifications);
        EventWriter writer = new EventWriter(call.server().config().version());
        return new ChangeSource(store, namespace, writer, start(store), stages, scope);
    }

    private static void checkPermitted(List<?> specifications) {
        for (Object specification : specifications) {
            String name = ((Document) specification).keySet().iterator().next();
            if (!PERMITTED.contains(name)) {
                throw CommandError.illegalOperation(name + " is not permitted in a $changeStream pipeline");
            }
        }
    }

    private void checkNamespace() {
        if (namespace.collection().equals("$cmd.aggregate")) {
            throw CommandError.unsupported("A change stream on a database");
        }
        if (INTERNAL.contains(namespace.db()) || namespace.collection().startsWith("system.")) {
            throw new CommandError(
                    ErrorCode.INVALID_NAMESPACE,
                    "$changeStream may not be opened on the internal " + namespace + " collection");
        }
    }

    private ResumeToken start(Store store) {
        boolean resumes = options.containsKey("resumeAfter");
        boolean startsAfter = options.containsKey("startAfter");
        if (resumes && startsAfter) {
            throw new CommandError(
                    50865, "Do not specify both 'resumeAfter' and 'startAfter' in a $changeStream stage");
        }
        if (options.containsKey("startAtOperationTime")) {
            if (resumes || startsAfter) {
                throw new CommandError(40674, "Only one type of resume option is allowed, but multiple were found.");
            }
            return startAt(store, options.get("startAtOperationTime"));
        }
        if (resumes || startsAfter) {
            return resume(store, options.get(resumes ? "resumeAfter" : "startAfter"), resumes);
        }
        return ResumeToken.at(store.clock().latest());
    }

    private static ResumeToken startAt(Store store, @Nullable Object time) {
        if (!(time instanceof BsonTimestamp timestamp)) {
            throw CommandError.typeMismatch(
                    "BSON field '$changeStream.startAtOperationTime' is the wrong type, expected type 'timestamp'");
        }
        if (!store.oplog().reachesBackTo(timestamp)) {
            throw ChangeSource.historyLost();
        }
        return ResumeToken.at(new BsonTimestamp(timestamp.getValue() - 1));
    }

    private static ResumeToken resume(Store store, @Nullable Object token, boolean isResumeAfter) {
        ResumeToken start = ResumeToken.parse(token);
        if (isResumeAfter && start.kind() == ResumeToken.Kind.INVALIDATE) {
            throw new CommandError(
                    ErrorCode.INVALID_RESUME_TOKEN,
                    "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate"
                            + " notification.");
        }
        if (!store.oplog().reachesBackTo(start.timestamp())) {
            throw ChangeSource.historyLost();
        }
        return start;
    }
}
