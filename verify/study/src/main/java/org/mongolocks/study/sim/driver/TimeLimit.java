package org.mongolocks.study.sim.driver;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
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

    /** Refuses an operation for which no time is left. */
    public Optional<Reply> refused(MongoOp op) {
        return commands.rejectIfLate(op, time.nanoTime());
    }

    /** Returns the pause, or a longer one while the server is overloaded. */
    <R> Step.Pause<R> paced(Step.Pause<R> pause, ClientRuns runs) {
        return runs.paced(pause, commands);
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
