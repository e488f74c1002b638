package org.mongolocks.internal.run;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoInternalException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.bulk.BulkWriteError;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BSONException;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.ServerError.Reason;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

/**
 * The classification of the driver's exceptions, the only one, for both drivers.
 *
 * <p>It uses labels first, then the codes of {@link ServerError}, then types; never messages. So an unknown code with a
 * label that allows a retry passes. An exception of unknown meaning is {@link Fault#AMBIGUOUS} if it concerns the
 * connection, {@link Fault#REJECTED} if the server reported it.
 */
public final class FaultClassifier {
    private static final String NO_WRITES_PERFORMED = "NoWritesPerformed";
    private static final String RETRYABLE_WRITE_ERROR = "RetryableWriteError";
    private static final String RETRYABLE_ERROR = "RetryableError";
    private static final String SYSTEM_OVERLOADED_ERROR = "SystemOverloadedError";

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
        Optional<ServerError> known = ServerError.of(codeOf(e));
        if (known.isPresent() && known.get().reason() == Reason.LOST_RACE) {
            return known.get().fault();
        }
        if (e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
            return Fault.TRANSIENT;
        }
        if (e.hasErrorLabel(NO_WRITES_PERFORMED) || e.hasErrorLabel(RETRYABLE_ERROR) || wasNotSent(e)) {
            return Fault.NOT_SENT;
        }
        if (e instanceof MongoIncompatibleDriverException) {
            return Fault.UNSUPPORTED;
        }
        if (mayBeExecuted(e)) {
            return Fault.AMBIGUOUS;
        }
        return known.map(ServerError::fault).orElse(Fault.REJECTED);
    }

    /** Returns the reply for a command that could not be encoded, as when it is too large: it was not sent. */
    static Reply.Failed notEncoded(BSONException cause) {
        return new Reply.Failed(Fault.REJECTED, new MongoClientException(String.valueOf(cause.getMessage()), cause));
    }

    /** Returns the failure of a command during which a connection of the driver broke in a way that it did not expect. */
    static MongoException broken(NullPointerException cause) {
        return new MongoInternalException("The driver failed: " + cause.getMessage(), cause);
    }

    /**
     * Returns what the failure of a command means that was sent without a session: nothing shows whether a write was
     * sent. The state of the driver is illegal when its client is closed.
     */
    public static Reply.Failed withoutSession(boolean isRead, RuntimeException e) {
        if (e instanceof IllegalStateException closed) {
            return new Reply.Failed(Fault.REJECTED, new ClientRuns.DriverClosedException(closed));
        }
        if (e instanceof BSONException notEncoded) {
            return notEncoded(notEncoded);
        }
        if (e instanceof NullPointerException broken) {
            return withoutSession(isRead, broken(broken));
        }
        if (!(e instanceof MongoException cause)) {
            throw e;
        }
        Fault fault = classify(cause);
        boolean isAmbiguous = fault == Fault.AMBIGUOUS || (fault == Fault.NOT_SENT && isUnknownBehindRouter(cause));
        return new Reply.Failed(!isAmbiguous ? fault : isRead ? Fault.TRANSIENT : Fault.AMBIGUOUS, cause);
    }

    /**
     * Returns whether a router can be wrong that a command was not executed: it passes the label of a shard on, although
     * it may have sent the command there before.
     *
     * @param e the driver's exception
     * @return true if only that label says so
     */
    static boolean isUnknownBehindRouter(MongoException e) {
        return e.hasErrorLabel(RETRYABLE_ERROR) && !e.hasErrorLabel(NO_WRITES_PERFORMED);
    }

    /**
     * Returns whether the server sheds load, so that the next command should come later than after another fault.
     *
     * @param e the driver's exception
     * @return true if the label or the code says so
     */
    public static boolean isOverload(MongoException e) {
        return e.hasErrorLabel(SYSTEM_OVERLOADED_ERROR)
                || is(codeOf(e), error -> error.reason().isOverload());
    }

    /**
     * Returns what an operator can know or do about an error of the server.
     *
     * @param e the driver's exception
     * @return the end of a message; empty if nothing follows from the code
     */
    static Optional<String> advice(MongoException e) {
        return ServerError.of(codeOf(e)).flatMap(error -> error.reason().advice());
    }

    /**
     * Returns whether an operation timed out, by the clock of the server or of the driver. A server that waits for
     * another transaction reports a timeout; for the client a server that does not reply at all makes no difference.
     */
    public static boolean isOutOfTime(MongoException e) {
        return e instanceof MongoOperationTimeoutException
                || e instanceof MongoExecutionTimeoutException
                || isOutOfTime(e.getCode())
                || writeErrors(e).anyMatch(FaultClassifier::isOutOfTime);
    }

    /**
     * Returns whether one of several writes got an error that is no passing fault, which need not concern the others.
     */
    public static boolean isRefusedInPart(MongoException e) {
        return writeErrors(e).anyMatch(code -> !has(Fault.AMBIGUOUS, code) && !has(Fault.TRANSIENT, code));
    }

    private static boolean isOutOfTime(int code) {
        return is(code, error -> error.reason() == Reason.OUT_OF_TIME);
    }

    private static boolean has(Fault fault, int code) {
        return is(code, error -> error.fault() == fault);
    }

    private static boolean is(int code, Predicate<ServerError> what) {
        return ServerError.of(code).filter(what).isPresent();
    }

    /** Returns the codes of the errors of several writes; none if it is about one. */
    private static IntStream writeErrors(MongoException e) {
        return e instanceof MongoBulkWriteException several
                ? several.getWriteErrors().stream().mapToInt(BulkWriteError::getCode)
                : IntStream.empty();
    }

    /** If one of several writes failed, others may have been executed; only a refusal of all is definite. */
    private static Fault ofSeveral(MongoBulkWriteException e) {
        boolean isDefinite = !e.getWriteErrors().isEmpty()
                && writeErrors(e).noneMatch(code -> has(Fault.AMBIGUOUS, code))
                && e.getWriteResult().getMatchedCount() == 0;
        if (!isDefinite) {
            return Fault.AMBIGUOUS;
        }
        return writeErrors(e).anyMatch(code -> has(Fault.TRANSIENT, code)) ? Fault.TRANSIENT : Fault.REJECTED;
    }

    /**
     * The timeout of a whole operation is a subtype of this timeout, but unlike its parent it may occur after the send.
     */
    private static boolean wasNotSent(MongoException e) {
        return (e instanceof MongoTimeoutException && !(e instanceof MongoOperationTimeoutException))
                || e instanceof MongoConnectionPoolClearedException
                || e instanceof MongoServerUnavailableException
                || e instanceof MongoSocketOpenException;
    }

    private static boolean mayBeExecuted(MongoException e) {
        boolean isFromServerOrClient = e instanceof MongoServerException || e instanceof MongoClientException;
        return !isFromServerOrClient
                || e.getCause() instanceof MongoSocketException
                || e instanceof MongoOperationTimeoutException
                || e instanceof MongoWriteConcernException
                || e.hasErrorLabel(RETRYABLE_WRITE_ERROR)
                || e.hasErrorLabel(SYSTEM_OVERLOADED_ERROR)
                || (e.getCode() >= FIRST_LOST_IMAGE && e.getCode() <= LAST_LOST_IMAGE);
    }

    /** The driver wraps some refusals of the server in an exception of its own, without the code. */
    private static int codeOf(MongoException e) {
        if (e instanceof MongoClientException && e.getCause() instanceof MongoCommandException refusal) {
            return refusal.getCode();
        }
        return e.getCode();
    }
}
