package org.mongolocks.internal.run;

import static org.mongolocks.spi.Reply.Fault.AMBIGUOUS;
import static org.mongolocks.spi.Reply.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Reply.Fault.TRANSIENT;
import static org.mongolocks.spi.Reply.Fault.UNSUPPORTED;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spi.Reply.Fault;

/**
 * What the error codes of a server mean for a lock: each code that is not simply a refusal, with its reason. Labels
 * precede codes; see {@link FaultClassifier}. A code that is not here is a refusal for good.
 *
 * <p>The names are the server's (its {@code error_codes.yml} of 4.4 to 9.0). ShardNotFound (70) and ReplicaSetNotFound
 * (71) are not here, because they are permanent.
 */
enum ServerError {
    WRITE_CONFLICT(112, Fault.WRITE_CONFLICT, Reason.LOST_RACE),
    DUPLICATE_KEY_ERROR(11000, DUPLICATE_KEY, Reason.LOST_RACE),
    DUPLICATE_KEY_OF_UPDATE(11001, DUPLICATE_KEY, Reason.LOST_RACE),
    DUPLICATE_KEY_OF_CAPPED(12582, DUPLICATE_KEY, Reason.LOST_RACE),

    ILLEGAL_OPERATION(20, UNSUPPORTED, Reason.NOT_HERE),
    COMMAND_NOT_FOUND(59, UNSUPPORTED, Reason.NOT_HERE),
    OPERATION_NOT_SUPPORTED_IN_TRANSACTION(263, UNSUPPORTED, Reason.NOT_HERE),
    API_VERSION_ERROR(322, UNSUPPORTED, Reason.OUTSIDE_THE_STABLE_API),
    API_STRICT_ERROR(323, UNSUPPORTED, Reason.OUTSIDE_THE_STABLE_API),
    API_DEPRECATION_ERROR(324, UNSUPPORTED, Reason.OUTSIDE_THE_STABLE_API),
    CHANGE_STREAM_ON_STANDALONE(40573, UNSUPPORTED, Reason.NOT_HERE),

    LOCK_TIMEOUT(24, TRANSIENT, Reason.BUSY),
    ELECTION_IN_PROGRESS(216, TRANSIENT, Reason.METADATA_MOVES),
    SNAPSHOT_UNAVAILABLE(246, TRANSIENT, Reason.BUSY),
    TOO_MANY_LOGICAL_SESSIONS(261, TRANSIENT, Reason.BUSY),
    PREPARED_TRANSACTION_IN_PROGRESS(267, TRANSIENT, Reason.BUSY),
    MIGRATION_CONFLICT(272, TRANSIENT, Reason.METADATA_MOVES),
    MOVE_PRIMARY_IN_PROGRESS(319, TRANSIENT, Reason.METADATA_MOVES),
    RESHARD_COLLECTION_IN_PROGRESS(338, TRANSIENT, Reason.METADATA_MOVES),
    TEMPORARILY_UNAVAILABLE(365, TRANSIENT, Reason.BUSY),
    USER_WRITES_BLOCKED(371, TRANSIENT, Reason.WRITES_BLOCKED),

    HOST_UNREACHABLE(6, AMBIGUOUS, Reason.CONNECTION_LOST),
    HOST_NOT_FOUND(7, AMBIGUOUS, Reason.CONNECTION_LOST),
    NETWORK_TIMEOUT(89, AMBIGUOUS, Reason.CONNECTION_LOST),
    POOLED_CONNECTIONS_DROPPED(145, AMBIGUOUS, Reason.CONNECTION_LOST),
    NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT(202, AMBIGUOUS, Reason.CONNECTION_LOST),
    CONNECTION_POOL_EXPIRED(317, AMBIGUOUS, Reason.CONNECTION_LOST),
    CONNECTION_ERROR(384, AMBIGUOUS, Reason.CONNECTION_LOST),
    POOLED_CONNECTION_ACQUISITION_EXCEEDED_TIME_LIMIT(407, AMBIGUOUS, Reason.CONNECTION_LOST),
    SOCKET_EXCEPTION(9001, AMBIGUOUS, Reason.CONNECTION_LOST),

    SHUTDOWN_IN_PROGRESS(91, AMBIGUOUS, Reason.NO_PRIMARY),
    FAILED_TO_SATISFY_READ_PREFERENCE(133, AMBIGUOUS, Reason.NO_PRIMARY),
    READ_CONCERN_MAJORITY_NOT_AVAILABLE_YET(134, AMBIGUOUS, Reason.NO_PRIMARY),
    PRIMARY_STEPPED_DOWN(189, AMBIGUOUS, Reason.NO_PRIMARY),
    LEGACY_NOT_PRIMARY(10058, AMBIGUOUS, Reason.NO_PRIMARY),
    NOT_WRITABLE_PRIMARY(10107, AMBIGUOUS, Reason.NO_PRIMARY),
    INTERRUPTED_AT_SHUTDOWN(11600, AMBIGUOUS, Reason.NO_PRIMARY),
    INTERRUPTED_DUE_TO_REPL_STATE_CHANGE(11602, AMBIGUOUS, Reason.NO_PRIMARY),
    NOT_PRIMARY_NO_SECONDARY_OK(13435, AMBIGUOUS, Reason.NO_PRIMARY),
    NOT_PRIMARY_OR_SECONDARY(13436, AMBIGUOUS, Reason.NO_PRIMARY),

    NO_PROGRESS_MADE(82, AMBIGUOUS, Reason.REPEATED_BY_A_ROUTER),
    STALE_EPOCH(150, AMBIGUOUS, Reason.REPEATED_BY_A_ROUTER),
    STALE_DB_VERSION(249, AMBIGUOUS, Reason.REPEATED_BY_A_ROUTER),
    STALE_CONFIG(13388, AMBIGUOUS, Reason.REPEATED_BY_A_ROUTER),
    MIGRATION_BLOCKING_OPERATION_COORDINATOR_CLEANING_UP(406, AMBIGUOUS, Reason.REPEATED_BY_A_ROUTER),
    UPDATES_STILL_PENDING(412, AMBIGUOUS, Reason.REPEATED_BY_A_ROUTER),
    RETRIABLE_REMOTE_COMMAND_FAILURE(91331, AMBIGUOUS, Reason.REPEATED_BY_A_ROUTER),

    MAX_TIME_MS_EXPIRED(50, AMBIGUOUS, Reason.OUT_OF_TIME),
    EXCEEDED_TIME_LIMIT(262, AMBIGUOUS, Reason.OUT_OF_TIME),

    CLIENT_DISCONNECT(279, AMBIGUOUS, Reason.INTERRUPTED),
    TRANSACTION_EXCEEDED_LIFETIME_LIMIT_SECONDS(290, AMBIGUOUS, Reason.INTERRUPTED),
    INTERRUPTED_DUE_TO_STORAGE_CHANGE(355, AMBIGUOUS, Reason.INTERRUPTED),
    INTERNAL_TRANSACTION_NOT_SUPPORTED(358, AMBIGUOUS, Reason.INTERRUPTED),
    INTERRUPTED_DUE_TO_RESHARDING_CRITICAL_SECTION(453, AMBIGUOUS, Reason.INTERRUPTED),
    INTERRUPTED(11601, AMBIGUOUS, Reason.INTERRUPTED),
    CLIENT_MARKED_KILLED(46841, AMBIGUOUS, Reason.INTERRUPTED),
    INTERRUPTED_DUE_TO_FCV_CHANGE(10045600, AMBIGUOUS, Reason.INTERRUPTED),

    WRITE_CONCERN_TIMEOUT(64, AMBIGUOUS, Reason.NOT_REPLICATED),
    UNKNOWN_REPL_WRITE_CONCERN(79, AMBIGUOUS, Reason.NOT_REPLICATED),
    UNSATISFIABLE_WRITE_CONCERN(100, AMBIGUOUS, Reason.NOT_REPLICATED),

    INCOMPLETE_TRANSACTION_HISTORY(217, AMBIGUOUS, Reason.RECORD_LOST),
    TRANSACTION_TOO_OLD(225, AMBIGUOUS, Reason.RECORD_LOST),
    RETRYABLE_TRANSACTION_IN_PROGRESS(363, AMBIGUOUS, Reason.RECORD_LOST),

    RESOURCE_EXHAUSTED(402, AMBIGUOUS, Reason.OVERLOADED),
    ADMISSION_QUEUE_OVERFLOW(433, AMBIGUOUS, Reason.OVERLOADED),
    RATE_LIMIT_EXCEEDED(449, AMBIGUOUS, Reason.OVERLOADED),
    POOLED_CONNECTION_ACQUISITION_REJECTED(450, AMBIGUOUS, Reason.OVERLOADED),
    INGRESS_REQUEST_RATE_LIMIT_EXCEEDED(462, AMBIGUOUS, Reason.RATE_LIMITED),
    /** Sent by Atlas, as its 462; the server's source does not name it. */
    ATLAS_REQUEST_RATE_LIMIT_EXCEEDED(463, AMBIGUOUS, Reason.RATE_LIMITED);

    /** Why a code means what it means. */
    enum Reason {
        /** Another operation was first. The lock is probably held now. */
        LOST_RACE,
        /** This server, or this kind of deployment, does not have it. */
        NOT_HERE("this server does not have the command or option"),
        /** The application asked for strict use of a version that does not contain it. */
        OUTSIDE_THE_STABLE_API("the driver's serverApi setting excludes it"),
        /** The server gave up before it wrote: it waited for a lock, a snapshot, a session or memory. */
        BUSY,
        /** An election, a migration or a resharding keeps this data from being written for a moment; nothing was. */
        METADATA_MOVES,
        /** The server refuses user writes until an operator allows them again, or a disk has space. */
        WRITES_BLOCKED(
                "writes are blocked on this cluster, by setUserWriteBlockMode or because a disk is nearly full; an"
                        + " operator must allow them again"),
        /** A member or a router lost a connection, or got none, while the command may have been under way. */
        CONNECTION_LOST,
        /** The member is no primary any more, or shuts down; what it wrote may be rolled back, or may stay. */
        NO_PRIMARY,
        /** A router repeats a command by itself, and reports only the last attempt; an earlier one may have run. */
        REPEATED_BY_A_ROUTER,
        /** The time limit ended somewhere: before, during or after the write. */
        OUT_OF_TIME,
        /** The server interrupted the operation, perhaps after the write, while it waited for the majority. */
        INTERRUPTED,
        /** The write was made, but not, or not in time, on as many members as asked. */
        NOT_REPLICATED,
        /** The record of a repeated write is gone or not complete: the first attempt may have been executed. */
        RECORD_LOST,
        /** The server sheds load. Without a label it does not say whether it did so before it wrote. */
        OVERLOADED("the server is overloaded"),
        /** As {@link #OVERLOADED}, by its limit of requests. */
        RATE_LIMITED(
                "the server limits the rate of requests; an operator can raise the limit, or exempt this application by its"
                        + " appName, see Overload in docs/operations.md");

        private final @Nullable String advice;

        Reason() {
            this.advice = null;
        }

        Reason(String advice) {
            this.advice = advice;
        }

        /** Returns what an operator can know or do; empty if nothing follows from it. */
        Optional<String> advice() {
            return Optional.ofNullable(advice);
        }

        boolean isOverload() {
            return this == OVERLOADED || this == RATE_LIMITED;
        }
    }

    private static final Map<Integer, ServerError> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(error -> error.code, Function.identity()));

    private final int code;
    private final Fault fault;
    private final Reason reason;

    ServerError(int code, Fault fault, Reason reason) {
        this.code = code;
        this.fault = fault;
        this.reason = reason;
    }

    /** Returns the row of a code; empty if it is a refusal for good. */
    static Optional<ServerError> of(int code) {
        return Optional.ofNullable(BY_CODE.get(code));
    }

    Fault fault() {
        return fault;
    }

    Reason reason() {
        return reason;
    }
}
