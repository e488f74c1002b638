package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.session.SessionRecord;
import org.mongolocks.embedded.internal.session.SessionRecord.StatementRecord;

/** Sees to it that the statements of a retryable write are executed once. */
public final class Retries {
    private final Call call;

    public Retries(Call call) {
        this.call = call;
    }

    /** The record of an earlier execution of a statement, or null if there was none. */
    public @Nullable StatementRecord executed(int index) {
        SessionRecord record = record();
        return record == null ? null : record.statements().get(statementId(index));
    }

    /** Records the effect of a statement. A statement without an effect is not recorded, and would be executed again. */
    public void remember(int index, StatementRecord done) {
        Session session = call.session();
        Long number = call.retryNumber();
        if (session == null || number == null) {
            return;
        }
        if (call.server().failPoints().losesNumberedWrite()) {
            call.loseReply();
        }
        SessionRecord record = record();
        SessionRecord base = record == null ? SessionRecord.retryable(number) : record;
        call.server().store().remember(session.id(), base.with(statementId(index), done));
    }

    // The record under the number of this command, or null.
    private @Nullable SessionRecord record() {
        Session session = call.session();
        Long number = call.retryNumber();
        SessionRecord record =
                session == null || number == null ? null : call.server().store().session(session.id());
        boolean isSame =
                record != null && !record.isCommittedTransaction() && number != null && number == record.txnNumber();
        return isSame ? record : null;
    }

    private int statementId(int index) {
        Document command = call.command();
        if (command.get("stmtIds") instanceof List<?> ids) {
            return index < ids.size() && ids.get(index) instanceof Number id ? Numbers.wholeInt(id) : index;
        }
        return command.get("stmtId") instanceof Number first ? Numbers.wholeInt(first) + index : index;
    }

    /** Checks the ids that a batch gives its statements. */
    public static void checkIds(Document command, int statements) {
        if (command.containsKey("stmtId") && command.containsKey("stmtIds")) {
            throw CommandError.invalidOptions("Can't specify both stmtId and stmtIds in a write command");
        }
        if (command.get("stmtIds") instanceof List<?> ids && ids.size() != statements) {
            throw CommandError.invalidOptions("Number of statement ids must match the number of batch entries. Got "
                    + ids.size() + " statement ids but " + statements + " operations.");
        }
    }
}
