package org.mongolocks.contract.faults;

import java.util.List;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.spi.Reply.Fault;

/** A fault that hits an operation, and the reply that it must lead to. */
enum RunnerFault {
    CLOSED(Fault.AMBIGUOUS, Fault.TRANSIENT, Fault.UNKNOWN_COMMIT) {
        @Override
        void inject(FaultyLocks faulty, String command) {
            faulty.closeConnection(ALWAYS, List.of(command));
        }
    },
    WRITE_CONCERN_FAILED(Fault.AMBIGUOUS, Fault.AMBIGUOUS, Fault.UNKNOWN_COMMIT) {
        @Override
        void inject(FaultyLocks faulty, String command) {
            faulty.failWriteConcern(ALWAYS, List.of(command));
        }

        @Override
        boolean fits(RunnerCase operation) {
            return !operation.isRead() && !operation.isStatementOfTransaction();
        }
    },
    STEPPED_DOWN(10107, Fault.AMBIGUOUS, Fault.TRANSIENT, Fault.UNKNOWN_COMMIT),
    SHUTTING_DOWN(91, Fault.AMBIGUOUS, Fault.TRANSIENT, Fault.UNKNOWN_COMMIT),
    TIMED_OUT(50, Fault.AMBIGUOUS, Fault.TRANSIENT, Fault.UNKNOWN_COMMIT),
    CONFLICT(112, Fault.WRITE_CONFLICT),
    DUPLICATE(11000, Fault.DUPLICATE_KEY),
    TOO_OLD(225, Fault.AMBIGUOUS),
    IMAGE_LOST(217, Fault.AMBIGUOUS),
    NOT_SUPPORTED(263, Fault.UNSUPPORTED),
    UNAUTHORIZED(13, Fault.REJECTED);

    /** More than the driver's retries: it retries a commit within its timeout, whatever retryWrites says. */
    private static final int ALWAYS = 100_000;

    private final int code;
    private final Fault plain;
    private final Fault inTransaction;
    private final Fault commit;

    RunnerFault(Fault plain, Fault inTransaction, Fault commit) {
        this(0, plain, inTransaction, commit);
    }

    RunnerFault(int code, Fault always) {
        this(code, always, always, always);
    }

    RunnerFault(int code, Fault plain, Fault inTransaction, Fault commit) {
        this.code = code;
        this.plain = plain;
        this.inTransaction = inTransaction;
        this.commit = commit;
    }

    void inject(FaultyLocks faulty, String command) {
        faulty.refuse(ALWAYS, code, List.of(command));
    }

    boolean fits(RunnerCase operation) {
        return true;
    }

    Fault meaningFor(RunnerCase operation) {
        if (operation.isStatementOfTransaction()) {
            return inTransaction;
        }
        if (operation.isRead() && plain == Fault.AMBIGUOUS) {
            return Fault.TRANSIENT;
        }
        return operation.command().equals("commitTransaction") ? commit : plain;
    }
}
