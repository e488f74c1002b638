package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.UpdatePipelineParser;
import org.mongolocks.embedded.internal.session.StatementRecord;
import org.mongolocks.embedded.internal.session.StatementRecord.Kind;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.write.DeleteStatement;
import org.mongolocks.embedded.internal.write.InsertStatement;
import org.mongolocks.embedded.internal.write.Retries;
import org.mongolocks.embedded.internal.write.UpdateRequest;
import org.mongolocks.embedded.internal.write.UpdateStatement;
import org.mongolocks.embedded.internal.write.WriteBatch;

/** insert, update and delete. */
final class WriteCommands {
    private static final Set<String> INSERT =
            Set.of("documents", "ordered", "bypassDocumentValidation", "stmtId", "stmtIds");
    private static final Set<String> UPDATE =
            Set.of("updates", "ordered", "bypassDocumentValidation", "stmtId", "stmtIds", "runtimeConstants");
    private static final Set<String> DELETE =
            Set.of("deletes", "ordered", "bypassDocumentValidation", "stmtId", "stmtIds");
    private static final Set<String> UPDATE_STATEMENT =
            Set.of("q", "u", "c", "multi", "upsert", "collation", "arrayFilters", "hint", "upsertSupplied");
    private static final Set<String> DELETE_STATEMENT = Set.of("q", "limit", "collation", "hint");

    private WriteCommands() {}

    /** What a command keeps while it waits: its statements' progress, and the time that all of them share. */
    private record State(WriteBatch batch, Scope scope) {
        static State of(Call call) {
            return call.progress(State.class, () -> new State(new WriteBatch(), call.scope()));
        }
    }

    static Document insert(Call call) {
        Fields fields = Fields.ofCommand(call.command(), INSERT);
        List<Document> documents = fields.requiredDocuments("documents");
        boolean isOrdered = checkBatch(call, fields, documents.size());
        Namespace namespace = call.namespace();
        Retries retries = new Retries(call);
        WriteBatch batch = State.of(call).batch();
        batch.run(call, documents.size(), isOrdered, index -> {
            if (retries.executed(index) == null) {
                InsertStatement.execute(call, namespace, documents.get(index));
                call.server().counters().insert();
                retries.remember(index, StatementRecord.of(Kind.INSERT));
            }
            batch.addMatched(1);
        });
        return batch.reply();
    }

    private static boolean checkBatch(Call call, Fields fields, int statements) {
        WriteBatch.checkSize(statements);
        Retries.checkIds(call.command(), statements);
        return fields.flag("ordered", true);
    }

    static Document update(Call call) {
        Fields fields = Fields.ofCommand(call.command(), UPDATE);
        fields.refuse("runtimeConstants");
        List<Document> updates = fields.requiredDocuments("updates");
        boolean isOrdered = checkBatch(call, fields, updates.size());
        List<UpdateRequest> requests =
                updates.stream().map(WriteCommands::updateRequest).toList();
        State state = State.of(call);
        state.batch.run(call, requests.size(), isOrdered, index -> update(call, requests.get(index), index, state));
        // MongoDB looks at the stages of pipelines once more when all is done, and fails as a whole over a bad one.
        for (UpdateRequest request : requests) {
            if (request.update() instanceof List<?> stages) {
                UpdatePipelineParser.checkNames(stages);
            }
        }
        return state.batch.updateReply();
    }

    private static UpdateRequest updateRequest(Document statement) {
        Fields fields = Fields.ofStatement(statement, "update.updates", UPDATE_STATEMENT);
        fields.refuseCollation();
        fields.refuse("c", "upsertSupplied");
        Document query = fields.requiredDocument("q");
        Object update = fields.required("u");
        if (!(update instanceof Document) && !(update instanceof List)) {
            throw new CommandError(ErrorCode.FAILED_TO_PARSE, "Update argument must be either an object or an array");
        }
        return new UpdateRequest(
                query,
                update,
                fields.flag("multi", false),
                fields.flag("upsert", false),
                fields.array("arrayFilters"),
                fields.hint(),
                null);
    }

    private static void update(Call call, UpdateRequest request, int index, State state) {
        WriteBatch batch = state.batch;
        requireSingle(call, request.isMulti(), "multi=true");
        Retries retries = new Retries(call);
        StatementRecord executed = retries.executed(index);
        if (executed != null) {
            repeatUpdate(executed, batch);
            return;
        }
        UpdateStatement statement = new UpdateStatement(call, call.namespace(), request, state.scope);
        if (request.isMulti()) {
            statement.executeAll(batch);
        } else {
            count(statement.executeOne(), index, retries, batch);
        }
        call.server().counters().update();
    }

    private static void requireSingle(Call call, boolean isMulti, String what) {
        if (isMulti && call.retryNumber() != null) {
            throw new CommandError(ErrorCode.INVALID_OPTIONS, "Cannot use (or request) retryable writes with " + what);
        }
    }

    private static void repeatUpdate(StatementRecord executed, WriteBatch batch) {
        if (executed.kind() == Kind.DELETE) {
            throw new CommandError(
                    40638, "update retry request is not compatible with previous write in the transaction of type: d");
        }
        if (executed.kind() == Kind.INSERT) {
            batch.addUpserted(executed.upsertedId());
        } else {
            batch.addMatched(1);
            batch.addModified(1);
        }
    }

    private static void count(UpdateStatement.Outcome outcome, int index, Retries retries, WriteBatch batch) {
        Document after = outcome.after();
        if (after == null) {
            return;
        }
        if (outcome.isInsert()) {
            batch.addUpserted(after.get("_id"));
            retries.remember(index, new StatementRecord(Kind.INSERT, after.get("_id"), null, after));
            return;
        }
        batch.addMatched(1);
        if (outcome.isChanged()) {
            batch.addModified(1);
            retries.remember(index, StatementRecord.of(Kind.UPDATE));
        }
    }

    static Document delete(Call call) {
        Fields fields = Fields.ofCommand(call.command(), DELETE);
        List<Document> deletes = fields.requiredDocuments("deletes");
        boolean isOrdered = checkBatch(call, fields, deletes.size());
        deletes.forEach(WriteCommands::checkDelete);
        State state = State.of(call);
        state.batch.run(call, deletes.size(), isOrdered, index -> delete(call, deletes.get(index), index, state.batch));
        return state.batch.reply();
    }

    private static void checkDelete(Document statement) {
        Fields fields = Fields.ofStatement(statement, "delete.deletes", DELETE_STATEMENT);
        fields.refuseCollation();
        fields.requiredDocument("q");
        fields.required("limit");
        long limit = fields.number("limit", 0);
        if (limit != 0 && limit != 1) {
            throw new CommandError(
                    ErrorCode.FAILED_TO_PARSE, "The limit field in delete objects must be 0 or 1. Got " + limit);
        }
    }

    private static void delete(Call call, Document statement, int index, WriteBatch batch) {
        Fields fields = Fields.ofStatement(statement, "delete.deletes", DELETE_STATEMENT);
        boolean isMulti = fields.number("limit", 0) == 0;
        requireSingle(call, isMulti, "limit=0");
        Retries retries = new Retries(call);
        if (retries.executed(index) != null) {
            batch.addMatched(1);
            return;
        }
        // A delete of MongoDB 4.4 knows no $$NOW.
        DeleteStatement delete =
                new DeleteStatement(call, call.namespace(), fields.document("q"), Scope.timeless(), fields.hint());
        if (isMulti) {
            delete.executeAll(batch);
        } else if (delete.executeOne(null) != null) {
            batch.addMatched(1);
            retries.remember(index, StatementRecord.of(Kind.DELETE));
        }
        call.server().counters().delete();
    }
}
