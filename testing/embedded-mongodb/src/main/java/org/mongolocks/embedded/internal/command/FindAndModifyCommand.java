package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
import org.mongolocks.embedded.internal.projection.Projection;
import org.mongolocks.embedded.internal.projection.ProjectionParser;
import org.mongolocks.embedded.internal.session.SessionRecord.StatementRecord;
import org.mongolocks.embedded.internal.session.SessionRecord.StatementRecord.Kind;
import org.mongolocks.embedded.internal.write.DeleteStatement;
import org.mongolocks.embedded.internal.write.Retries;
import org.mongolocks.embedded.internal.write.UpdateStatement;
import org.mongolocks.embedded.internal.write.UpdateStatement.UpdateRequest;

/** findAndModify. */
final class FindAndModifyCommand {
    private static final int UNKNOWN_FIELD = 51177;
    private static final Set<String> KNOWN = Set.of("""
            query sort hint collation arrayFilters remove update new fields upsert bypassDocumentValidation
            runtimeConstants""".split("\\s+"));

    private final Call call;
    private final Fields fields;
    private final boolean isRemove;
    private final boolean isUpsert;
    private final boolean returnsNew;
    // Taken again at each attempt, as MongoDB does.
    private final Scope scope;

    private FindAndModifyCommand(Call call) {
        this.call = call;
        this.fields = Fields.ofCommand(call.command(), KNOWN, UNKNOWN_FIELD);
        this.isRemove = Values.isTrue(fields.get("remove"));
        this.isUpsert = Values.isTrue(fields.get("upsert"));
        this.returnsNew = Values.isTrue(fields.get("new"));
        this.scope = call.scope();
    }

    static Document run(Call call) {
        FindAndModifyCommand command = new FindAndModifyCommand(call);
        command.check();
        Retries retries = new Retries(call);
        StatementRecord executed = retries.executed(0);
        return executed == null ? command.execute(retries) : command.repeat(executed);
    }

    private void check() {
        call.namespace().checkedForWriting();
        fields.refuseCollation();
        checkType("query", 31160);
        checkType("sort", 31174);
        checkType("fields", 31175);
        boolean hasUpdate = fields.has("update");
        List<?> arrayFilters = fields.array("arrayFilters");
        if (isRemove) {
            require(arrayFilters == null, "Cannot specify arrayFilters and remove=true");
            require(!hasUpdate, "Cannot specify both an update and remove=true");
            require(!isUpsert, "Cannot specify both upsert=true and remove=true");
            require(
                    !returnsNew,
                    "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
            return;
        }
        require(hasUpdate, "Either an update or remove=true must be specified");
        Object update = fields.get("update");
        require(
                update instanceof Document || update instanceof List,
                "Update argument must be either an object or an array");
        UpdateStatement.checkKind(call, update);
        if (update instanceof List<?> stages) {
            require(arrayFilters == null, "Cannot specify arrayFilters and a pipeline update");
            PipelineParser.checkUpdate(stages);
        }
    }

    private void checkType(String field, int code) {
        if (fields.has(field) && !(fields.get(field) instanceof Document)) {
            throw new CommandError(
                    code, "'" + field + "' parameter must be an object, found " + BsonKind.nameOf(fields.get(field)));
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw CommandError.failedToParse(message);
        }
    }

    private Document execute(Retries retries) {
        return isRemove ? remove(retries) : update(retries);
    }

    private Document remove(Retries retries) {
        DeleteStatement delete =
                new DeleteStatement(call, call.namespace(), fields.document("query"), scope, fields.hint());
        UnaryOperator<Document> projection = projection();
        Document removed = delete.executeOne(fields.document("sort"));
        if (removed != null) {
            retries.remember(0, new StatementRecord(Kind.DELETE, null, removed, null));
        }
        return reply(new Document("n", removed == null ? 0 : 1), removed == null ? null : projection.apply(removed));
    }

    private Document update(Retries retries) {
        UpdateRequest request = new UpdateRequest(
                fields.document("query"),
                fields.get("update"),
                false,
                isUpsert,
                fields.array("arrayFilters"),
                fields.hint(),
                fields.document("sort"));
        UpdateStatement update = new UpdateStatement(call, call.namespace(), request, scope);
        UnaryOperator<Document> projection = projection();
        UpdateStatement.Outcome outcome = update.executeOne();
        if (outcome.isChanged()) {
            retries.remember(0, record(outcome));
        }
        Document value = returnsNew ? outcome.after() : outcome.before();
        return reply(lastError(outcome), value == null ? null : projection.apply(value));
    }

    private StatementRecord record(UpdateStatement.Outcome outcome) {
        Document after = outcome.after();
        if (outcome.isInsert() && after != null) {
            return StatementRecord.inserted(after);
        }
        return returnsNew
                ? new StatementRecord(Kind.UPDATE, null, null, after)
                : new StatementRecord(Kind.UPDATE, null, outcome.before(), null);
    }

    private static Document lastError(UpdateStatement.Outcome outcome) {
        Document after = outcome.after();
        Document lastError =
                new Document("n", after == null ? 0 : 1).append("updatedExisting", outcome.before() != null);
        if (outcome.isInsert() && after != null) {
            lastError.put("upserted", after.get("_id"));
        }
        return lastError;
    }

    // Read before anything is written, so that a mistake in it leaves all as it was.
    private UnaryOperator<Document> projection() {
        Document specification = fields.document("fields");
        if (specification.isEmpty()) {
            return document -> document;
        }
        Projection projection = ProjectionParser.parseOfFind(specification);
        return document -> projection.apply(document, scope);
    }

    private static Document reply(Document lastError, @Nullable Document value) {
        return new Document("lastErrorObject", lastError).append("value", value);
    }

    // The projection is not applied to the recorded result.
    private Document repeat(StatementRecord executed) {
        return switch (executed.kind()) {
            case DELETE -> {
                refuse(40606, isRemove);
                refuse(40607, executed.before() != null);
                yield reply(new Document("n", 1), executed.before());
            }
            case INSERT -> {
                refuse(40608, isUpsert);
                Document lastError =
                        new Document("n", 1).append("updatedExisting", false).append("upserted", executed.upsertedId());
                yield reply(lastError, returnsNew ? executed.after() : null);
            }
            case UPDATE -> {
                refuse(40610, !isRemove);
                refuse(returnsNew ? 40611 : 40612, (returnsNew ? executed.after() : executed.before()) != null);
                Document lastError = new Document("n", 1).append("updatedExisting", true);
                yield reply(lastError, returnsNew ? executed.after() : executed.before());
            }
        };
    }

    private static void refuse(int code, boolean unless) {
        if (!unless) {
            throw new CommandError(
                    code, "findAndModify retry request is not compatible with the previous write in the transaction");
        }
    }
}
