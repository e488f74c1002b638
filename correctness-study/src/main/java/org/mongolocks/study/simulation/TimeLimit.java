package org.mongolocks.study.simulation;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.TimeSource;
import org.mongolocks.internal.CommandLimit;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;

/** Says how long what one run sends may take, as the ports of the clients tell it to the driver. */
final class TimeLimit {
    private final CommandLimit commands;
    private final TimeSource time;
    private Duration transaction = Duration.ZERO;
    private long transactionEndNanos;

    TimeLimit(CommandLimit commands, TimeSource time) {
        this.commands = commands;
        this.time = time;
    }

    /** Refuses what there is no time for. */
    Optional<Reply> refused(MongoOp op) {
        return commands.refused(op);
    }

    /** Notes that a command may have been sent twice. */
    void noteRepeated() {
        commands.noteRepeated();
    }

    /** The statements share the time that begins here. */
    void beginTransaction() {
        transaction = commands.beginTransaction();
        transactionEndNanos = time.nanoTime() + transaction.toNanos();
    }

    /** Says how long one that is outside of transactions may take, if that is less than usual. */
    Duration ofCommand(Duration usual) {
        return commands.shortened().orElse(usual);
    }

    /** Says how long the next statement of the transaction may take. */
    Duration ofStatement() {
        return Duration.ofNanos(Math.max(1, transactionEndNanos - time.nanoTime()));
    }

    /** The commit and the abort have as long again. */
    Duration ofEnd() {
        return transaction;
    }
}
