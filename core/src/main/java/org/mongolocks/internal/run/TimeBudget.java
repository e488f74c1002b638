package org.mongolocks.internal.run;

import com.mongodb.MongoTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.TimeSource;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;

/**
 * The time that one run may take. Each command gets the client's command timeout, or less if the run has less time left.
 * A run that waits for a lock has two ends: it waits until the first, and has its result at the second, which is later
 * by the time of one command.
 *
 * <p>The budget also records whether the driver has sent a command of the run twice. One object serves one run.
 */
public final class TimeBudget {
    /** The driver gives the commit, and likewise the abort, of a transaction as much time again as its statements. */
    private static final int PARTS_OF_A_TRANSACTION = 2;

    private final Duration each;
    private final Optional<Deadline> deadline;
    private final Optional<Supplier<Duration>> forTransactions;
    private Duration transaction = Duration.ZERO;
    private volatile boolean isUnlimited;
    private volatile boolean repeated;

    private TimeBudget(Duration each, Optional<Deadline> deadline, Optional<Supplier<Duration>> forTransactions) {
        this.each = each;
        this.deadline = deadline;
        this.forTransactions = forTransactions;
    }

    /** The two ends of a run that waits, counted from now. */
    private static final class Deadline {
        private final TimeSource time;
        private final long waitNanos;
        private final long endNanos;

        Deadline(ClientSettings settings, Duration wait) {
            this.time = settings.time();
            this.waitNanos = time.nanoTime() + wait.toNanos();
            this.endNanos = waitNanos + settings.commandTimeout().toNanos();
        }

        Duration untilWaitEnds() {
            return until(waitNanos);
        }

        Duration untilEnd() {
            return until(endNanos);
        }

        private Duration until(long nanos) {
            return Duration.ofNanos(Math.max(0, nanos - time.nanoTime()));
        }
    }

    /**
     * Returns the limit of a run with any number of commands.
     *
     * @param commandTimeout the time limit of one command
     * @return the limit
     */
    public static TimeBudget each(Duration commandTimeout) {
        return new TimeBudget(commandTimeout, Optional.empty(), Optional.empty());
    }

    /**
     * Returns the limit of a run whose transactions are the user's.
     *
     * @param commandTimeout the time limit of one command
     * @param transaction returns the time limit of the transaction that begins now, and as much again for its commit
     * @return the limit
     */
    public static TimeBudget forTransactions(Duration commandTimeout, Supplier<Duration> transaction) {
        return new TimeBudget(commandTimeout, Optional.empty(), Optional.of(transaction));
    }

    /** Returns the limit of a run that waits at most that long, counted from now. */
    public static TimeBudget until(ClientSettings settings, Duration wait) {
        return new TimeBudget(settings.commandTimeout(), Optional.of(new Deadline(settings, wait)), Optional.empty());
    }

    /** Returns for how long the run may still wait for a lock. */
    public Duration waitLeft() {
        return deadline.orElseThrow().untilWaitEnds();
    }

    /** Returns whether the wait is over: no new attempt may begin, except a last one. */
    public boolean isWaitOver() {
        return waitLeft().isZero();
    }

    /** Returns whether nothing may be sent any more while the caller waits. */
    public boolean isExhausted() {
        return deadline.orElseThrow().untilEnd().isZero();
    }

    /** Returns the limit of a run that has a result after that long, counted from now. */
    public static TimeBudget within(ClientSettings settings, Duration time) {
        return until(settings, time.minus(settings.commandTimeout()));
    }

    /** Returns for how long one command may be retried after faults. */
    public Duration retryTime() {
        return left().compareTo(each) < 0 ? left() : each;
    }

    /** Removes the deadline: the run continues after its end, without a caller that waits. */
    public void removeDeadline() {
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
     * Returns how long the next command may take, if that is less than the client's command timeout.
     *
     * @return a millisecond or more; empty if the client's limit is the shorter one
     */
    public Optional<Duration> remainingIfShorter() {
        return Optional.of(left()).filter(left -> left.compareTo(each) < 0).map(TimeBudget::wholeMillis);
    }

    /**
     * Starts the time limit of a transaction and returns how long its statements may take.
     *
     * @return a millisecond or more
     */
    public Duration beginTransaction() {
        Duration half = left().dividedBy(PARTS_OF_A_TRANSACTION);
        Duration own = half.compareTo(each) < 0 ? half : each;
        transaction = wholeMillis(forTransactions.map(Supplier::get).orElse(own));
        return transaction;
    }

    /**
     * Rejects an operation for which no time is left.
     *
     * @param op the operation
     * @return the reply instead of sending it; empty if there is time
     */
    public Optional<Reply> rejectIfLate(MongoOp op) {
        return deadline.isEmpty() || isUnlimited ? Optional.empty() : refusedLate(op);
    }

    private Optional<Reply> refusedLate(MongoOp op) {
        Optional<Boundary> boundary =
                op instanceof MongoOp.Transaction bound ? Optional.of(bound.boundary()) : Optional.empty();
        boolean commits = boundary.equals(Optional.of(Boundary.COMMIT));
        boolean isLate = commits ? left().compareTo(transaction) < 0 : left().isZero();
        return isLate && !boundary.equals(Optional.of(Boundary.ABORT))
                ? Optional.of(new Reply.Failed(
                        commits ? Fault.UNKNOWN_COMMIT : Fault.NOT_SENT,
                        new MongoTimeoutException("No time was left to send " + op.label())))
                : Optional.empty();
    }

    private Duration left() {
        return isUnlimited ? unlimited() : deadline.map(Deadline::untilEnd).orElseGet(this::unlimited);
    }

    private Duration unlimited() {
        return each.plus(each);
    }

    private static Duration wholeMillis(Duration duration) {
        return Duration.ofMillis(Math.max(1, duration.toMillis()));
    }
}
