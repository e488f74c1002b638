package org.mongolocks.embedded.internal.write;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.Call;
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
        return record == null ? null : record.statements().get(index);
    }

    /** Records the effect of a statement. A statement without an effect is not recorded, and would be executed again. */
    public void remember(int index, StatementRecord done) {
        Session session = call.session();
        Long number = call.retryNumber();
        if (session == null || number == null) {
            return;
        }
        SessionRecord record = record();
        SessionRecord base = record == null ? SessionRecord.retryable(number) : record;
        call.server().store().remember(session.id(), base.with(index, done));
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
}
