package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.session.Session;

/** commitTransaction and abortTransaction. */
final class TransactionCommands {
    private TransactionCommands() {}

    static Document commit(Call call) {
        Fields.ofCommand(call.command(), Set.of("recoveryToken"));
        call.server().transactions().commit(session(call, "commitTransaction"));
        return new Document();
    }

    static Document abort(Call call) {
        Fields.ofCommand(call.command(), Set.of("recoveryToken"));
        Session session = session(call, "abortTransaction");
        if (session.transaction() == null) {
            throw new CommandError(ErrorCode.NO_SUCH_TRANSACTION, "Transaction isn't in progress");
        }
        call.server().transactions().abort(session);
        return new Document();
    }

    private static Session session(Call call, String command) {
        Session session = call.session();
        if (session == null || call.options().txnNumber() == null) {
            throw new CommandError(ErrorCode.COMMAND_FAILED, command + " must be run within a transaction");
        }
        return session;
    }
}
