package org.mongolocks.study.sim.driver;

import java.time.Duration;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.time.TimeSource;

/** The time limit for the commands of one run, as the clients' ports pass it to the driver. */
public final class TimeLimit {
    private final TimeBudget commands;
    private final TimeSource time;
    private Duration transaction = Duration.ZERO;
    private long transactionEndNanos;

    public TimeLimit(TimeBudget commands, TimeSource time) {
        this.commands = commands;
        this.time = time;
    }

    /** Records that a command may have been sent twice. */
    public void noteRepeated() {
        commands.noteRepeated();
    }

    /** Starts the time that the statements share. */
    public void beginTransaction() {
        transaction = commands.beginTransaction();
        transactionEndNanos = time.nanoTime() + transaction.toNanos();
    }

    /** Returns the limit of a command outside of transactions, if it is less than usual. */
    public Duration ofCommand(Duration usual) {
        return commands.remainingIfShorter().orElse(usual);
    }

    /** Returns the limit of the next statement of the transaction. */
    public Duration ofStatement() {
        return Duration.ofNanos(Math.max(1, transactionEndNanos - time.nanoTime()));
    }

    /** Returns the limit of a commit or an abort, which is the same amount once more. */
    public Duration ofEnd() {
        return transaction;
    }
}
