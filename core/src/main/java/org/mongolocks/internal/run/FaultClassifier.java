package org.mongolocks.internal.run;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.bulk.BulkWriteError;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spi.Reply.Fault;

/**
 * The classification of the driver's exceptions, the only one, for both drivers.
 *
 * <p>It uses types, codes and labels, never messages. An exception of unknown meaning is {@link Fault#AMBIGUOUS} if it
 * concerns the connection, {@link Fault#REJECTED} if the server reported it.
 */
public final class FaultClassifier {
    private static final String NO_WRITES_PERFORMED = "NoWritesPerformed";
    private static final String RETRYABLE_WRITE_ERROR = "RetryableWriteError";

    private static final int WRITE_CONFLICT = 112;
    /** LockTimeout, SnapshotUnavailable, PreparedTransactionInProgress, TemporarilyUnavailable: nothing was written. */
    private static final Set<Integer> TRANSIENT = Set.of(24, 246, 267, 365);
    /** IllegalOperation, CommandNotFound, OperationNotSupportedInTransaction, change streams on a standalone. */
    private static final Set<Integer> UNSUPPORTED = Set.of(20, 59, 263, 40573);
    /**
     * The server was interrupted, or has lost the record of a retried write: HostUnreachable, HostNotFound,
     * NetworkTimeout, ShutdownInProgress, ReadConcernMajorityNotAvailableYet, PrimarySteppedDown,
     * IncompleteTransactionHistory, TransactionTooOld, ExceededTimeLimit, MaxTimeMSExpired, WriteConcernFailed,
     * UnsatisfiableWriteConcern, UnknownReplWriteConcern, SocketException, NotWritablePrimary, Interrupted and related
     * codes, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
     *
     * <p>A router also reports, while a shard has no primary or its connections break: FailedToSatisfyReadPreference,
     * PooledConnectionsDropped, NetworkInterfaceExceededTimeLimit, ConnectionPoolExpired, ConnectionError,
     * PooledConnectionAcquisitionExceededTimeLimit; while metadata moves: NoProgressMade, StaleEpoch, StaleDbVersion,
     * StaleConfig. It repeats a numbered write by itself, and reports only why the last attempt failed: an earlier one
     * may have been executed. ShardNotFound (70) and ReplicaSetNotFound (71) are not included, because they are
     * permanent.
     */
    private static final Set<Integer> AMBIGUOUS = Set.of(
            6, 7, 50, 64, 79, 82, 89, 91, 100, 133, 134, 145, 150, 189, 202, 217, 225, 249, 262, 317, 384, 407, 9001,
            10058, 10107, 11600, 11601, 11602, 13388, 13435, 13436);
    /** MaxTimeMSExpired, ExceededTimeLimit. */
    private static final Set<Integer> OUT_OF_TIME = Set.of(50, 262);
    /** A retried findAndModify was executed earlier, but its result is no longer available. */
    private static final int FIRST_LOST_IMAGE = 40606;

    private static final int LAST_LOST_IMAGE = 40613;

    /** More than any chain of causes that says something. */
    private static final int MAX_CAUSES = 100;

    private FaultClassifier() {}

    /**
     * Returns an exception and its causes, at most {@value #MAX_CAUSES}; empty for null. The chain of a user's
     * exception may be a cycle, or have no end.
     */
    public static Stream<Throwable> causes(@Nullable Throwable e) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
    }

    public static Fault classify(MongoException e) {
        if (e instanceof MongoBulkWriteException several) {
            return ofSeveral(several);
        }
        if (e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)) {
            return Fault.UNKNOWN_COMMIT;
        }
        if (ErrorCategory.fromErrorCode(e.getCode()) == ErrorCategory.DUPLICATE_KEY) {
            return Fault.DUPLICATE_KEY;
        }
        if (e.getCode() == WRITE_CONFLICT) {
            return Fault.WRITE_CONFLICT;
        }
        if (e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
            return Fault.TRANSIENT;
        }
        return wasNotExecuted(e) ? Fault.NOT_SENT : byCode(e);
    }

    /**
     * Returns whether an operation timed out, by the clock of the server or of the driver. A server that waits for
     * another transaction reports a timeout; for the client a server that does not reply at all makes no difference.
     */
    public static boolean isOutOfTime(MongoException e) {
        return e instanceof MongoOperationTimeoutException
                || e instanceof MongoExecutionTimeoutException
                || OUT_OF_TIME.contains(e.getCode())
                || writeErrors(e).anyMatch(OUT_OF_TIME::contains);
    }

    /**
     * Returns whether one of several writes got an error that is no passing fault, which need not concern the others.
     */
    public static boolean isRefusedInPart(MongoException e) {
        return writeErrors(e).anyMatch(code -> !AMBIGUOUS.contains(code));
    }

    /** Returns the codes of the errors of several writes; none if it is about one. */
    private static IntStream writeErrors(MongoException e) {
        return e instanceof MongoBulkWriteException several
                ? several.getWriteErrors().stream().mapToInt(BulkWriteError::getCode)
                : IntStream.empty();
    }

    /** If one of several writes failed, others may have been executed; only a refusal of all is definite. */
    private static Fault ofSeveral(MongoBulkWriteException e) {
        boolean refused = !e.getWriteErrors().isEmpty()
                && writeErrors(e).noneMatch(AMBIGUOUS::contains)
                && e.getWriteResult().getMatchedCount() == 0;
        return refused ? Fault.REJECTED : Fault.AMBIGUOUS;
    }

    /**
     * The timeout of a whole operation is a subtype of this timeout, but unlike its parent it may occur after the send.
     */
    private static boolean wasNotExecuted(MongoException e) {
        return e.hasErrorLabel(NO_WRITES_PERFORMED)
                || (e instanceof MongoTimeoutException && !(e instanceof MongoOperationTimeoutException))
                || e instanceof MongoConnectionPoolClearedException
                || e instanceof MongoServerUnavailableException
                || e instanceof MongoSocketOpenException;
    }

    private static Fault byCode(MongoException e) {
        int code = codeOf(e);
        if (TRANSIENT.contains(code)) {
            return Fault.TRANSIENT;
        }
        if (UNSUPPORTED.contains(code) || e instanceof MongoIncompatibleDriverException) {
            return Fault.UNSUPPORTED;
        }
        return isAmbiguous(e, code) ? Fault.AMBIGUOUS : Fault.REJECTED;
    }

    private static boolean isAmbiguous(MongoException e, int code) {
        boolean isFromServerOrClient = e instanceof MongoServerException || e instanceof MongoClientException;
        return !isFromServerOrClient
                || e.getCause() instanceof MongoSocketException
                || e instanceof MongoOperationTimeoutException
                || e instanceof MongoWriteConcernException
                || e.hasErrorLabel(RETRYABLE_WRITE_ERROR)
                || AMBIGUOUS.contains(code)
                || (code >= FIRST_LOST_IMAGE && code <= LAST_LOST_IMAGE);
    }

    /** The driver wraps some refusals of the server in an exception of its own, without the code. */
    private static int codeOf(MongoException e) {
        if (e instanceof MongoClientException && e.getCause() instanceof MongoCommandException refusal) {
            return refusal.getCode();
        }
        return e.getCode();
    }
}
