package org.mongolocks.internal.run;

import com.mongodb.MongoException;
import com.mongodb.MongoTimeoutException;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.settings.FaultPolicy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.time.TimeSource;

/**
 * The time that one run may take, with its retries after faults. Each command gets the client's command timeout, or
 * less if the run has less time left. A run that waits for a lock has two ends: it waits until the first, and has its
 * result at the second, which is later by the time of one command. A run that renews leases gives each command a share
 * of the time that is left.
 *
 * <p>The budget also records whether the driver has sent a command of the run twice. One object serves one run.
 */
public final class TimeBudget {
    /** The driver gives the commit, and likewise the abort, of a transaction as much time again as its statements. */
    private static final int PARTS_OF_A_TRANSACTION = 2;

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration BRIEF_DELAY = Duration.ofMillis(500);
    /** That many or more before a lease ends, however long each of them waits. */
    private static final int TRIES_OF_A_RENEWAL = 4;

    private final Duration each;
    private final @Nullable TimeSource time;
    private final long deadlineNanos;
    private final long latestEndNanos;
    private final Optional<Supplier<Duration>> forTransactions;
    private final UnaryOperator<Duration> share;
    private Duration transaction = Duration.ZERO;
    /** Set by {@link #rejectIfLate}, read by {@link #remainingIfShorter} for the same command. */
    private Duration leftAtSend;

    private final boolean isPatient;

    private volatile boolean isUnlimited;
    private volatile boolean repeated;

    /** Creates the limit of a run without an end. */
    private TimeBudget(Duration each, Optional<Supplier<Duration>> forTransactions) {
        this.each = each;
        this.time = null;
        this.deadlineNanos = 0;
        this.latestEndNanos = 0;
        this.leftAtSend = each;
        this.forTransactions = forTransactions;
        this.share = UnaryOperator.identity();
        this.isPatient = false;
    }

    private TimeBudget(
            ClientSettings settings, Duration wait, long startNanos, UnaryOperator<Duration> share, boolean isPatient) {
        this.each = settings.commandTimeout();
        this.time = settings.time();
        this.deadlineNanos = startNanos + wait.toNanos();
        this.latestEndNanos = deadlineNanos + each.toNanos();
        this.leftAtSend = Duration.ofNanos(Math.max(0, latestEndNanos - startNanos));
        this.forTransactions = Optional.empty();
        this.share = share;
        this.isPatient = isPatient;
    }

    /** Returns the limit of a run with any number of commands. */
    public static TimeBudget perCommand(Duration commandTimeout) {
        return new TimeBudget(commandTimeout, Optional.empty());
    }

    /**
     * Returns the limit of a run whose transactions are the user's, each with a time limit of its own, and as much
     * again for its commit.
     */
    public static TimeBudget forTransactions(Duration commandTimeout, Supplier<Duration> transaction) {
        return new TimeBudget(commandTimeout, Optional.of(transaction));
    }

    /** Returns the limit of a run that waits at most that long, counted from a time on the clock of the client. */
    public static TimeBudget waitingAtMost(ClientSettings settings, Duration wait, long startNanos) {
        return new TimeBudget(settings, wait, startNanos, UnaryOperator.identity(), true);
    }

    /** Returns for how long the run may still wait for a lock. */
    public Duration waitLeft() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - now()));
    }

    /** Returns whether the wait is over at that time: no new attempt may begin, except a last one. */
    public boolean isWaitOver(long nowNanos) {
        return deadlineNanos - nowNanos <= 0;
    }

    /** Returns until when faults are retried: to the end of the wait, but at least for the time of one command. */
    public long endOfRetries(long startNanos) {
        return Math.max(deadlineNanos - startNanos, each.toNanos()) + startNanos;
    }

    /** Returns whether nothing may be sent any more while the caller waits. */
    public boolean isExhausted() {
        return latestEndNanos - now() <= 0;
    }

    private long now() {
        return Objects.requireNonNull(time, "The run has no end").nanoTime();
    }

    /**
     * Returns the limit of a run that renews leases: it has a result before the first of them ends, and each command
     * gets its share of the time until then.
     *
     * @param time the time that is left now
     * @param slowest the longest time that a write took recently
     */
    public static TimeBudget forRenewal(ClientSettings settings, RenewalTime time, Duration slowest) {
        Duration wait = time.left().minus(settings.commandTimeout());
        return new TimeBudget(settings, wait, settings.time().nanoTime(), left -> time.nextTry(left, slowest), false);
    }

    /** Returns for how long one command may be retried after faults. */
    public Duration retryTime() {
        return Durations.shorter(left(), each);
    }

    /**
     * Sends operations from now on although the deadline of this run has passed, because no caller waits any more. The
     * results of {@link #waitLeft} and of the checks for the end do not change.
     */
    public void stopRejecting() {
        isUnlimited = true;
    }

    /**
     * Records that the driver may have sent a command twice: a network error hit the session, and the command was
     * answered nevertheless. The first one may still arrive at the server.
     */
    public void noteRepeated() {
        repeated = true;
    }

    /** Returns whether the driver may have sent a command of this run twice since the last call. */
    public boolean takeRepeated() {
        boolean noted = repeated;
        repeated = false;
        return noted;
    }

    /**
     * Returns the time limit of the command that {@link #rejectIfLate} has just admitted. A limit of its own costs the
     * driver more.
     *
     * @return a millisecond or more; empty if it is at most a millisecond less than the client's
     */
    public Optional<Duration> remainingIfShorter() {
        if (time == null || isUnlimited) {
            return Optional.empty();
        }
        Duration limit = share.apply(leftAtSend);
        return limit.plus(MILLISECOND).compareTo(each) < 0 ? Optional.of(wholeMillis(limit)) : Optional.empty();
    }

    /** Starts the time limit of a transaction and returns how long its statements may take. */
    public Duration beginTransaction() {
        Duration half = share.apply(left()).dividedBy(PARTS_OF_A_TRANSACTION);
        transaction = wholeMillis(forTransactions.map(Supplier::get).orElse(Durations.shorter(half, each)));
        return transaction;
    }

    /**
     * Returns the reply to an operation that could not end in time, instead of sending it; empty if there is time. A
     * commit needs as much time as its transaction had; otherwise its reply is {@link Fault#UNKNOWN_COMMIT}, although
     * nothing was sent. An abort is never rejected.
     */
    public Optional<Reply> rejectIfLate(MongoOp op, long nowNanos) {
        if (time == null || isUnlimited) {
            return Optional.empty();
        }
        long left = latestEndNanos - nowNanos;
        leftAtSend = Duration.ofNanos(Math.max(0, left));
        if (op instanceof MongoOp.Transaction bound) {
            return rejectIfLate(op, bound.boundary());
        }
        return left > 0 ? Optional.empty() : refused(op, true, Fault.NOT_SENT);
    }

    /**
     * Returns how long the run may be delayed because the server is overloaded. An acquisition may wait until its deadline; a
     * renewal for a part of the time that is left, so that several are tried; anything else only briefly.
     */
    Duration mayBeDelayed() {
        if (time == null || isUnlimited) {
            return BRIEF_DELAY;
        }
        return isPatient ? waitLeft() : left().dividedBy(TRIES_OF_A_RENEWAL);
    }

    /** Returns whether the run waits for a lock, so that others go first. */
    boolean isPatient() {
        return isPatient && !isUnlimited;
    }

    private Optional<Reply> rejectIfLate(MongoOp op, Boundary boundary) {
        return switch (boundary) {
            case START -> refused(op, leftAtSend.isZero(), Fault.NOT_SENT);
            case COMMIT -> refused(op, leftAtSend.compareTo(transaction) < 0, Fault.UNKNOWN_COMMIT);
            case ABORT -> Optional.empty();
        };
    }

    private static Optional<Reply> refused(MongoOp op, boolean isLate, Fault fault) {
        return isLate
                ? Optional.of(
                        new Reply.Failed(fault, new MongoTimeoutException("No time was left to send " + op.label())))
                : Optional.empty();
    }

    private Duration left() {
        return time == null || isUnlimited
                ? each.plus(each)
                : Duration.ofNanos(Math.max(0, latestEndNanos - time.nanoTime()));
    }

    private static Duration wholeMillis(Duration duration) {
        return Duration.ofMillis(Math.max(1, duration.toMillis()));
    }

    /**
     * The retries of one program after faults: as many, and with such pauses, as the client's {@link Retry} specifies,
     * and not past a deadline. {@link FaultClassifier} alone decides what is a fault; the predicates of the
     * {@link Retry} are evaluated, so that its metrics count, but their result is ignored.
     */
    public static final class FaultRetry {
        /** The number of refusals because of load has no limit, so that the pauses need one. */
        private static final long MAX_OVERLOAD_PAUSE_MILLIS = 1_000;

        private final FaultPolicy policy;
        private final TimeSource time;
        private final long deadlineNanos;
        private Retry.@Nullable AsyncContext<Object> context;
        private int attempts;
        /** Those that count for the limit. */
        private int counted;

        private int minAttempts;
        private boolean countsOverload;

        public FaultRetry(ClientSettings settings, long deadlineNanos) {
            this.policy = settings.faults();
            this.time = settings.time();
            this.deadlineNanos = deadlineNanos;
        }

        /** Returns retries that end after that time from now. */
        public static FaultRetry lasting(ClientSettings settings, Duration time) {
            return new FaultRetry(settings, settings.time().nanoTime() + time.toNanos());
        }

        /** Records an operation without any fault, for the metrics of the client's {@link Retry}. */
        public static void withoutFault(ClientSettings settings) {
            settings.faults().succeeded();
        }

        /** Allows that many attempts even if the client's {@link Retry} allows fewer: they are short. */
        public FaultRetry atLeast(int tries) {
            minAttempts = tries;
            return this;
        }

        /** Counts refusals because of load as other faults are: those of a user's commands do not delay the next ones. */
        public FaultRetry countingOverload() {
            countsOverload = true;
            return this;
        }

        /**
         * Returns the program to continue with after a fault: the same program after a pause, or another one when the
         * retries are exhausted. Refusals because of load do not exhaust them; {@link Backpressure} lengthens the pauses.
         */
        public <R> Step<R> retryOrElse(Reply.Failed failure, Supplier<Step<R>> same, Supplier<Step<R>> exhausted) {
            Optional<Duration> pause = pauseAfter(failure);
            return pause.isPresent() ? new Step.Pause<>(pause.get(), same) : exhausted.get();
        }

        /** Returns the pause before the next retry; empty if the retries are exhausted. */
        public Optional<Duration> pauseAfter(Reply.Failed failure) {
            if (isFinal(failure.fault())) {
                return Optional.empty();
            }
            long delayMillis = delayMillis(failure.cause());
            Duration delay = Duration.ofMillis(Math.max(0, delayMillis));
            boolean tooLate = time.nanoTime() + delay.toNanos() - deadlineNanos > 0;
            return delayMillis < 0 || tooLate ? Optional.empty() : Optional.of(delay);
        }

        /** Runs a program, with retries after faults, and continues with its result. */
        public <A, R> Step<R> retrying(Supplier<Step<A>> program, Function<A, Step<R>> next) {
            return program.get()
                    .then(
                            result -> {
                                reset();
                                return next.apply(result);
                            },
                            failure -> retryOrElse(
                                    failure, () -> retrying(program, next), () -> new Step.Fail<>(failure)));
        }

        /** Starts counting again from zero: the next fault is the first. */
        public void reset() {
            Retry.AsyncContext<Object> begun = context;
            if (begun == null) {
                policy.succeeded();
            } else {
                begun.onComplete();
            }
            context = null;
            attempts = 0;
            counted = 0;
        }

        /** Returns the wait before the next attempt, less than zero if there is none. */
        private long delayMillis(MongoException cause) {
            Retry retry = policy.retry();
            RetryConfig config = retry.getRetryConfig();
            attempts++;
            Retry.AsyncContext<Object> begun = context == null ? retry.asyncContext() : context;
            context = begun;
            long delay = begun.onError(cause);
            boolean isOverload = FaultClassifier.isOverload(cause) && !countsOverload;
            counted += isOverload ? 0 : 1;
            if (!isOverload && counted >= Math.max(minAttempts, config.getMaxAttempts())) {
                return -1;
            }
            long interval = delay >= 0 ? delay : config.getIntervalBiFunction().apply(attempts, Either.left(cause));
            return isOverload ? Math.min(interval, MAX_OVERLOAD_PAUSE_MILLIS) : interval;
        }

        /** Returns whether no retry cures a fault. */
        public static boolean isFinal(Fault fault) {
            return fault == Fault.REJECTED || fault == Fault.UNSUPPORTED || fault == Fault.FOREIGN_FORMAT;
        }
    }
}
