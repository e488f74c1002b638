package org.mongolocks.internal.run;

import com.mongodb.MongoException;
import java.util.function.LongSupplier;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SchemaOp;

/**
 * A tracker of the transaction number of a session, which shows whether an operation without a reply was sent. Serves
 * one client; thread-safe.
 *
 * <p>The driver numbers a retryable write when it has found a server and a connection for it, just before the send; and
 * in one session a server refuses a write whose number is below the newest. So, on a client whose writes are numbered,
 * a write without a number was never sent, and one with a number cannot be executed late. On a client whose writes are
 * not numbered ({@code retryWrites=false}, a standalone) neither is known. A read without a reply changes nothing.
 */
public final class RetryableWriteTracker {
    private volatile boolean numbersWrites;

    /** Creates a tracker that has seen no write yet. */
    public RetryableWriteTracker() {}

    /**
     * Starts to track an operation.
     *
     * @param op the operation
     * @param number returns the transaction number of its session
     * @param inTransaction whether it is a statement of a transaction
     * @return the tracked operation
     */
    public Sending begin(MongoOp op, LongSupplier number, boolean inTransaction) {
        return new Sending(kindOf(op, inTransaction), number);
    }

    private enum Kind {
        READ,
        PLAIN_WRITE,
        OTHER
    }

    private static Kind kindOf(MongoOp op, boolean inTransaction) {
        if (inTransaction || op instanceof MongoOp.Transaction) {
            return Kind.OTHER;
        }
        if (isRead(op)) {
            return Kind.READ;
        }
        return op instanceof SchemaOp ? Kind.OTHER : Kind.PLAIN_WRITE;
    }

    private static boolean isRead(MongoOp op) {
        return op instanceof MongoOp.FindOne
                || op instanceof MongoOp.FindMany
                || op instanceof MongoOp.Hello
                || op instanceof SchemaOp.ListIndexes
                || op instanceof SchemaOp.ListCollections
                || op instanceof SchemaOp.FindShardKeys;
    }

    /** One operation in flight. */
    public final class Sending {
        private final Kind kind;
        private final LongSupplier number;
        private final long before;

        private Sending(Kind kind, LongSupplier number) {
            this.kind = kind;
            this.number = number;
            this.before = number.getAsLong();
        }

        /** Records that the server replied. */
        public void answered() {
            isNumbered();
        }

        /**
         * Returns the reply for an exception.
         *
         * @param cause the driver's exception
         * @return the reply
         */
        public Reply.Failed failed(MongoException cause) {
            Fault fault = FaultClassifier.classify(cause);
            if (fault != Fault.AMBIGUOUS || kind == Kind.OTHER) {
                return new Reply.Failed(fault, cause);
            }
            if (kind == Kind.READ) {
                return new Reply.Failed(Fault.TRANSIENT, cause);
            }
            if (isNumbered()) {
                return new Reply.Failed(fault, cause);
            }
            return numbersWrites ? new Reply.Failed(Fault.NOT_SENT, cause) : new Reply.Failed(fault, cause, true);
        }

        private boolean isNumbered() {
            boolean numbered = kind == Kind.PLAIN_WRITE && number.getAsLong() != before;
            if (numbered) {
                numbersWrites = true;
            }
            return numbered;
        }
    }
}
