package org.mongolocks.embedded.internal.engine;

import org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.session.Session.State;
import org.mongolocks.embedded.internal.session.SessionOptions;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.state.Transactions;

/** Which commands may go with which session, transaction and number. */
final class SessionRules {
    private static final int NOT_RETRYABLE = 50768;

    private final Transactions transactions;

    SessionRules(Transactions transactions) {
        this.transactions = transactions;
    }

    /** Checks what can be checked without looking at the session. */
    static void check(CommandDefinition command, SessionOptions options, String db) {
        if (options.isTransaction()) {
            checkInTransaction(command, db);
        } else if (options.txnNumber() != null && !command.is(ServerFeature.RETRYABLE)) {
            throw new CommandError(
                    NOT_RETRYABLE,
                    "txnNumber may only be provided for multi-document transactions and retryable write commands."
                            + " autocommit:false was not provided, and " + command.name()
                            + " is not a retryable write command.");
        }
        if (options.startsTransaction()) {
            checkFirst(command);
        }
    }

    private static void checkInTransaction(CommandDefinition command, String db) {
        if (command.name().equals("count")) {
            throw notSupported("Cannot run 'count' in a multi-document transaction. Please see"
                    + " http://dochub.mongodb.org/core/transaction-count for a recommended alternative.");
        }
        if (!command.is(ServerFeature.TRANSACTIONAL)) {
            throw notSupported("Cannot run '" + command.name() + "' in a multi-document transaction.");
        }
        boolean isForbidden = db.equals("config") || db.equals("local");
        if (isForbidden || (db.equals("admin") && !command.is(ServerFeature.TRANSACTION_END))) {
            throw notSupported("Cannot run command against the '" + db + "' database in a transaction");
        }
    }

    private static void checkFirst(CommandDefinition command) {
        if (command.name().equals("killCursors")) {
            throw notSupported("Cannot run killCursors as the first operation in a multi-document transaction.");
        }
        if (command.is(ServerFeature.TRANSACTION_END)) {
            throw notSupported("Cannot start a transaction with a "
                    + (command.name().equals("commitTransaction") ? "commit" : "abort"));
        }
    }

    private static CommandError notSupported(String message) {
        return new CommandError(ErrorCode.NOT_SUPPORTED_IN_TRANSACTION, message);
    }

    /** Begins or goes on with what the number of a command stands for. */
    void enter(Session session, Call call, long now) {
        SessionOptions options = call.options();
        long number = options.txnNumber() == null ? 0 : options.txnNumber();
        if (number < session.txnNumber()) {
            throw tooOld(session, options, number);
        }
        if (!options.isTransaction()) {
            enterRetryableWrite(session, number);
        } else if (options.startsTransaction()) {
            startTransaction(session, number, call, now);
        } else {
            continueTransaction(session, number, call);
        }
    }

    private static CommandError tooOld(Session session, SessionOptions options, long number) {
        String newer = session.state() == State.RETRYABLE_WRITE ? "retryable write" : "transaction";
        String refused = options.isTransaction()
                ? "Cannot start transaction " + number + " on session "
                : "Retryable write with txnNumber " + number + " is prohibited on session ";
        return new CommandError(
                ErrorCode.TRANSACTION_TOO_OLD,
                refused + session.id() + " because a newer " + newer + " with txnNumber " + session.txnNumber()
                        + " has already started on this session.");
    }

    private void enterRetryableWrite(Session session, long number) {
        if (number > session.txnNumber()) {
            transactions.abort(session);
            session.begin(number);
        } else if (session.state() != State.RETRYABLE_WRITE) {
            throw new CommandError(
                    ErrorCode.INCOMPLETE_TRANSACTION_HISTORY,
                    "Cannot retry a retryable write that has been converted into a transaction");
        }
    }

    private void startTransaction(Session session, long number, Call call, long now) {
        if (number == session.txnNumber()) {
            throw new CommandError(
                    ErrorCode.CONFLICTING_OPERATION,
                    "Only servers in a sharded cluster can start a new transaction at the active transaction number");
        }
        transactions.begin(session, number, call.api(), now);
    }

    private static void continueTransaction(Session session, long number, Call call) {
        if (number != session.txnNumber() || session.state() == State.RETRYABLE_WRITE) {
            throw new CommandError(
                    ErrorCode.NO_SUCH_TRANSACTION,
                    "Given transaction number " + number + " does not match any in-progress transactions."
                            + " The active transaction number is " + session.txnNumber());
        }
        if (session.state() == State.ABORTED) {
            throw new CommandError(ErrorCode.NO_SUCH_TRANSACTION, "Transaction " + number + " has been aborted.");
        }
        if (session.state() == State.COMMITTED && !call.definition().name().equals("commitTransaction")) {
            throw new CommandError(ErrorCode.TRANSACTION_COMMITTED, "Transaction " + number + " has been committed.");
        }
        Transaction transaction = session.transaction();
        if (transaction != null) {
            StableApi.checkSame(call, transaction.api(), "the transaction's first command");
        }
    }
}
