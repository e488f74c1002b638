package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.UpdatePipelineParser;
import org.mongolocks.embedded.internal.session.SessionRecord.StatementRecord;
import org.mongolocks.embedded.internal.session.SessionRecord.StatementRecord.Kind;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.write.CollectionAccess;
import org.mongolocks.embedded.internal.write.DeleteStatement;
import org.mongolocks.embedded.internal.write.DeleteStatement.DeleteRequest;
import org.mongolocks.embedded.internal.write.InsertStatement;
import org.mongolocks.embedded.internal.write.Retries;
import org.mongolocks.embedded.internal.write.UpdateStatement;
import org.mongolocks.embedded.internal.write.UpdateStatement.UpdateRequest;
import org.mongolocks.embedded.internal.write.WriteBatch;

/** insert, update and delete. */
final class WriteCommands {
    private WriteCommands() {}

    /** What a command keeps while it waits: its statements' progress, and the time that all of them share. */
    private record State(WriteBatch batch, Scope scope) {
        static State of(Call call) {
            return call.progress(State.class, () -> new State(new WriteBatch(), call.scope()));
        }
    }

    static Document insert(Call call) {
        WriteForms.Statements<Document> form = WriteForms.insert(call);
        List<Document> documents = form.list();
        Namespace namespace = call.namespace().checkedForWriting();
        Retries retries = new Retries(call);
        WriteBatch batch = State.of(call).batch();
        batch.run(call, documents.size(), form.isOrdered(), index -> {
            if (retries.executed(index) == null) {
                Document inserted = InsertStatement.execute(call, namespace, documents.get(index));
                call.server().counters().insert();
                retries.remember(index, StatementRecord.inserted(inserted));
            }
            batch.addMatched(1);
        });
        return withPlace(call, batch.reply());
    }

    // Undocumented, and there for routers.
    private static Document withPlace(Call call, Document reply) {
        if (call.server().config().isReplicaSet()) {
            reply.append("electionId", call.server().electionId())
                    .append("opTime", call.server().opTime());
        }
        return reply;
    }

    static Document update(Call call) {
        WriteForms.Statements<UpdateRequest> form = WriteForms.update(call);
        List<UpdateRequest> requests = form.list();
        call.namespace().checkedForWriting();
        State state = State.of(call);
        state.batch.run(
                call, requests.size(), form.isOrdered(), index -> update(call, requests.get(index), index, state));
        // MongoDB looks at the stages of pipelines once more when all is done, and fails as a whole over a bad one.
        for (UpdateRequest request : requests) {
            if (request.update() instanceof List<?> stages) {
                UpdatePipelineParser.checkNames(stages);
            }
        }
        return withPlace(call, state.batch.updateReply());
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
        Scope scope = state.scope.collatedBy(CollectionAccess.collation(call, call.namespace(), request.collation()));
        UpdateStatement statement = new UpdateStatement(call, call.namespace(), request, scope);
        if (request.isMulti()) {
            statement.executeAll(batch);
        } else {
            count(statement.executeOne(), index, retries, batch);
        }
        call.server().counters().update();
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
        WriteForms.Statements<DeleteRequest> form = WriteForms.delete(call);
        List<DeleteRequest> deletes = form.list();
        call.namespace().checkedForWriting();
        State state = State.of(call);
        state.batch.run(
                call, deletes.size(), form.isOrdered(), index -> delete(call, deletes.get(index), index, state.batch));
        return withPlace(call, state.batch.reply());
    }

    private static void delete(Call call, DeleteRequest request, int index, WriteBatch batch) {
        requireSingle(call, request.isMulti(), "limit=0");
        Retries retries = new Retries(call);
        if (retries.executed(index) != null) {
            batch.addMatched(1);
            return;
        }
        // A delete of MongoDB 4.4 knows no $$NOW.
        Scope scope =
                Scope.timeless().collatedBy(CollectionAccess.collation(call, call.namespace(), request.collation()));
        DeleteStatement delete = new DeleteStatement(call, call.namespace(), request.query(), scope, request.hint());
        if (request.isMulti()) {
            delete.executeAll(batch);
        } else if (delete.executeOne(null) != null) {
            batch.addMatched(1);
            retries.remember(index, StatementRecord.of(Kind.DELETE));
        }
        call.server().counters().delete();
    }
}
