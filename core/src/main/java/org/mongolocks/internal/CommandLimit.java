package org.mongolocks.internal;

import com.mongodb.MongoTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;

/**
 * Limits the time of each command of one run: to the client's time limit, and to what is left of the run. It also knows
 * whether the driver has sent a command of the run twice. It serves one run.
 */
public final class CommandLimit {
    /** The driver gives the commit, and likewise the abort, of a transaction as long again as its statements. */
    private static final int PARTS_OF_A_TRANSACTION = 2;

    private final Duration each;
    private final Optional<Deadline> deadline;
    private final Optional<Supplier<Duration>> forTransactions;
    private Duration transaction = Duration.ZERO;
    private volatile boolean lifted;
    private volatile boolean repeated;

    private CommandLimit(Duration each, Optional<Deadline> deadline, Optional<Supplier<Duration>> forTransactions) {
        this.each = each;
        this.deadline = deadline;
        this.forTransactions = forTransactions;
    }

    /**
     * Limits the commands of a run that may have any number of them.
     *
     * @param commandTimeout the time limit of one command
     * @return the limit
     */
    public static CommandLimit each(Duration commandTimeout) {
        return new CommandLimit(commandTimeout, Optional.empty(), Optional.empty());
    }

    /**
     * Limits the commands of a run whose transactions are the user's.
     *
     * @param commandTimeout the time limit of one command
     * @param transaction gives the time limit of the transaction that begins now, and as much again for its commit
     * @return the limit
     */
    public static CommandLimit forTransactions(Duration commandTimeout, Supplier<Duration> transaction) {
        return new CommandLimit(commandTimeout, Optional.empty(), Optional.of(transaction));
    }

    /** Counts from now, for a run that waits so long. */
    static CommandLimit until(ClientSettings settings, Duration wait) {
        return new CommandLimit(settings.commandTimeout(), Optional.of(new Deadline(settings, wait)), Optional.empty());
    }

    /** Returns the deadline of a run that has one. */
    Deadline deadline() {
        return deadline.orElseThrow();
    }

    /** Says for how long to repeat one command after faults. */
    Duration patience() {
        return left().compareTo(each) < 0 ? left() : each;
    }

    /** Lets the run go on after its end: nobody waits for it any more. */
    public void lift() {
        lifted = true;
    }

    /**
     * Notes that the driver may have sent a command twice: an error of the network hit the session, and the command was
     * answered nevertheless. What was sent first may still be on its way.
     */
    public void noteRepeated() {
        repeated = true;
    }

    /** Returns whether the driver may have sent a command of this run twice since this was asked last. */
    boolean takeRepeated() {
        boolean noted = repeated;
        repeated = false;
        return noted;
    }

    /**
     * Says how long the next command may take, if that is less than the client's time limit.
     *
     * @return a millisecond or more; empty if the client's limit is the shorter one
     */
    public Optional<Duration> shortened() {
        return Optional.of(left()).filter(left -> left.compareTo(each) < 0).map(CommandLimit::wholeMillis);
    }

    /**
     * Says how long the statements of a transaction that begins now may take, and notes it.
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
     * Refuses an operation for which no time is left.
     *
     * @param op the operation
     * @return the reply instead of sending it; empty if there is time
     */
    public Optional<Reply> refused(MongoOp op) {
        return deadline.isEmpty() || lifted ? Optional.empty() : refusedLate(op);
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
        return lifted ? unlimited() : deadline.map(Deadline::untilEnd).orElseGet(this::unlimited);
    }

    private Duration unlimited() {
        return each.plus(each);
    }

    private static Duration wholeMillis(Duration duration) {
        return Duration.ofMillis(Math.max(1, duration.toMillis()));
    }
}
