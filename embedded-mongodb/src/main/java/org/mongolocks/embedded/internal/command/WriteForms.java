package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.write.DeleteStatement.DeleteRequest;
import org.mongolocks.embedded.internal.write.Retries;
import org.mongolocks.embedded.internal.write.UpdateStatement.UpdateRequest;
import org.mongolocks.embedded.internal.write.WriteBatch;

/** Reads the commands insert, update and delete; a mistake in their form is found here, before anything is done. */
final class WriteForms {
    private static final Set<String> INSERT =
            Set.of("documents", "ordered", "bypassDocumentValidation", "stmtId", "stmtIds");
    private static final Set<String> UPDATE =
            Set.of("updates", "ordered", "bypassDocumentValidation", "stmtId", "stmtIds", "runtimeConstants");
    private static final Set<String> DELETE =
            Set.of("deletes", "ordered", "bypassDocumentValidation", "stmtId", "stmtIds");
    private static final Set<String> UPDATE_STATEMENT =
            Set.of("q", "u", "c", "multi", "upsert", "collation", "arrayFilters", "hint", "upsertSupplied");
    private static final Set<String> DELETE_STATEMENT = Set.of("q", "limit", "collation", "hint");

    private WriteForms() {}

    /**
     * The statements of a command.
     *
     * @param isOrdered whether an error of one keeps the next from being executed
     */
    record Statements<T>(List<T> list, boolean isOrdered) {}

    static Statements<Document> insert(Call call) {
        Fields fields = Fields.ofCommand(call.command(), INSERT);
        call.namespace();
        List<Document> documents = fields.requiredDocuments("documents");
        return new Statements<>(documents, checkBatch(call, fields, documents.size()));
    }

    static Statements<UpdateRequest> update(Call call) {
        Fields fields = Fields.ofCommand(call.command(), UPDATE);
        call.namespace();
        List<UpdateRequest> updates = fields.requiredDocuments("updates").stream()
                .map(WriteForms::updateStatement)
                .toList();
        return new Statements<>(updates, checkBatch(call, fields, updates.size()));
    }

    private static UpdateRequest updateStatement(Document statement) {
        Fields fields = Fields.ofStatement(statement, "update.updates", UPDATE_STATEMENT);
        fields.refuse("c", "upsertSupplied");
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
                null,
                fields.collation());
    }

    static Statements<DeleteRequest> delete(Call call) {
        Fields fields = Fields.ofCommand(call.command(), DELETE);
        call.namespace();
        List<DeleteRequest> deletes = fields.requiredDocuments("deletes").stream()
                .map(WriteForms::deleteStatement)
                .toList();
        return new Statements<>(deletes, checkBatch(call, fields, deletes.size()));
    }

    private static DeleteRequest deleteStatement(Document statement) {
        Fields fields = Fields.ofStatement(statement, "delete.deletes", DELETE_STATEMENT);
        Document query = fields.requiredDocument("q");
        fields.required("limit");
        fields.number("limit", 0);
        Object limit = fields.get("limit");
        boolean isMulti = ValueOrder.same(limit, 0);
        if (!isMulti && !ValueOrder.same(limit, 1)) {
            throw CommandError.failedToParse("The limit field in delete objects must be 0 or 1. Got " + limit);
        }
        return new DeleteRequest(query, isMulti, fields.hint(), fields.collation());
    }

    private static boolean checkBatch(Call call, Fields fields, int statements) {
        WriteBatch.checkSize(statements);
        Retries.checkIds(call.command(), statements);
        return fields.flag("ordered", true);
    }
}
