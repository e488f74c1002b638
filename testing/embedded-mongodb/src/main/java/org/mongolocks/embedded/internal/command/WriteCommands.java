package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
import org.mongolocks.embedded.internal.session.SessionRecord.StatementRecord;
import org.mongolocks.embedded.internal.session.SessionRecord.StatementRecord.Kind;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.write.DeleteStatement;
import org.mongolocks.embedded.internal.write.DeleteStatement.DeleteRequest;
import org.mongolocks.embedded.internal.write.InsertStatement;
import org.mongolocks.embedded.internal.write.Retries;
import org.mongolocks.embedded.internal.write.UpdateStatement;
import org.mongolocks.embedded.internal.write.UpdateStatement.UpdateRequest;
import org.mongolocks.embedded.internal.write.WriteBatch;

/** insert, update and delete: a mistake in their form is found before anything is done. */
final class WriteCommands {
    private static final Set<String> INSERT = Set.of("documents", "ordered", "bypassDocumentValidation");
    private static final Set<String> UPDATE =
            Set.of("updates", "ordered", "bypassDocumentValidation", "runtimeConstants");
    private static final Set<String> DELETE = Set.of("deletes", "ordered", "bypassDocumentValidation");
    private static final Set<String> UPDATE_STATEMENT =
            Set.of("q", "u", "multi", "upsert", "collation", "arrayFilters", "hint");
    private static final Set<String> DELETE_STATEMENT = Set.of("q", "limit", "collation", "hint");

    private WriteCommands() {}

    /** The state of a waiting command: its statements' progress, and the time that all of them share. */
    private record State(WriteBatch batch, Scope scope) {
        static State of(Call call) {
            return call.progress(State.class, () -> new State(new WriteBatch(), call.scope()));
        }
    }

    static Document insert(Call call) {
        Statements<Document> form = insertForm(call);
        List<Document> documents = form.list();
        Namespace namespace = call.namespace().checkedForWriting();
        Retries retries = new Retries(call);
        WriteBatch batch = State.of(call).batch();
        batch.run(call, documents.size(), form.isOrdered(), index -> {
            if (retries.executed(index) == null) {
                Document inserted = InsertStatement.execute(call, namespace, documents.get(index));
                retries.remember(index, StatementRecord.inserted(inserted));
            }
            batch.addMatched(1);
        });
        return batch.reply();
    }

    static Document update(Call call) {
        Statements<UpdateRequest> form = updateForm(call);
        List<UpdateRequest> requests = form.list();
        call.namespace().checkedForWriting();
        State state = State.of(call);
        state.batch.run(
                call, requests.size(), form.isOrdered(), index -> update(call, requests.get(index), index, state));
        // MongoDB looks at the stages of pipelines once more when all is done, and fails as a whole over a bad one.
        for (UpdateRequest request : requests) {
            if (request.update() instanceof List<?> stages) {
                PipelineParser.checkUpdate(stages);
            }
        }
        return state.batch.updateReply();
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
    }

    private static void requireSingle(Call call, boolean isMulti, String what) {
        if (isMulti && call.retryNumber() != null) {
            throw CommandError.invalidOptions("Cannot use (or request) retryable writes with " + what);
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
            retries.remember(index, StatementRecord.inserted(after));
            return;
        }
        batch.addMatched(1);
        if (outcome.isChanged()) {
            batch.addModified(1);
            retries.remember(index, StatementRecord.of(Kind.UPDATE));
        }
    }

    static Document delete(Call call) {
        Statements<DeleteRequest> form = deleteForm(call);
        List<DeleteRequest> deletes = form.list();
        call.namespace().checkedForWriting();
        State state = State.of(call);
        state.batch.run(
                call, deletes.size(), form.isOrdered(), index -> delete(call, deletes.get(index), index, state));
        return state.batch.reply();
    }

    private static void delete(Call call, DeleteRequest request, int index, State state) {
        WriteBatch batch = state.batch;
        requireSingle(call, request.isMulti(), "limit=0");
        Retries retries = new Retries(call);
        if (retries.executed(index) != null) {
            batch.addMatched(1);
            return;
        }
        Scope scope = call.server().config().version().hasNowInDeletes() ? state.scope : Scope.timeless();
        DeleteStatement delete = new DeleteStatement(call, call.namespace(), request.query(), scope, request.hint());
        if (request.isMulti()) {
            delete.executeAll(batch);
        } else if (delete.executeOne(null) != null) {
            batch.addMatched(1);
            retries.remember(index, StatementRecord.of(Kind.DELETE));
        }
    }

    /**
     * The statements of a command.
     *
     * @param isOrdered whether an error of one keeps the next from being executed
     */
    record Statements<T>(List<T> list, boolean isOrdered) {}

    static Statements<Document> insertForm(Call call) {
        Fields fields = Fields.ofCommand(call.command(), INSERT);
        call.namespace();
        List<Document> documents = fields.requiredDocuments("documents");
        return new Statements<>(documents, checkBatch(fields, documents.size()));
    }

    static Statements<UpdateRequest> updateForm(Call call) {
        Fields fields = Fields.ofCommand(call.command(), UPDATE);
        call.namespace();
        List<UpdateRequest> updates = fields.requiredDocuments("updates").stream()
                .map(WriteCommands::updateStatement)
                .toList();
        updates.forEach(request -> UpdateStatement.checkKind(call, request.update()));
        return new Statements<>(updates, checkBatch(fields, updates.size()));
    }

    private static UpdateRequest updateStatement(Document statement) {
        Fields fields = Fields.ofStatement(statement, "update.updates", UPDATE_STATEMENT);
        fields.refuseCollation();
        Document query = fields.requiredDocument("q");
        Object update = fields.required("u");
        if (!(update instanceof Document) && !(update instanceof List)) {
            throw CommandError.failedToParse("Update argument must be either an object or an array");
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

    static Statements<DeleteRequest> deleteForm(Call call) {
        Fields fields = Fields.ofCommand(call.command(), DELETE);
        call.namespace();
        List<DeleteRequest> deletes = fields.requiredDocuments("deletes").stream()
                .map(WriteCommands::deleteStatement)
                .toList();
        return new Statements<>(deletes, checkBatch(fields, deletes.size()));
    }

    private static DeleteRequest deleteStatement(Document statement) {
        Fields fields = Fields.ofStatement(statement, "delete.deletes", DELETE_STATEMENT);
        fields.refuseCollation();
        Document query = fields.requiredDocument("q");
        fields.required("limit");
        fields.number("limit", 0);
        Object limit = fields.get("limit");
        boolean isMulti = ValueOrder.same(limit, 0);
        if (!isMulti && !ValueOrder.same(limit, 1)) {
            throw CommandError.failedToParse("The limit field in delete objects must be 0 or 1. Got " + limit);
        }
        return new DeleteRequest(query, isMulti, fields.hint());
    }

    private static boolean checkBatch(Fields fields, int statements) {
        WriteBatch.checkSize(statements);
        return fields.flag("ordered", true);
    }
}
