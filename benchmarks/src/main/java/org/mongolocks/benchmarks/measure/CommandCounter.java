package org.mongolocks.benchmarks.measure;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what a client sends: each command, its retries, commits and aborts. What the driver sends for itself, to watch
 * the server or to open a connection, is no command of the client's and is not counted.
 */
public final class CommandCounter implements CommandListener {
    private final AtomicLong commands = new AtomicLong();

    @Override
    public void commandStarted(CommandStartedEvent event) {
        commands.incrementAndGet();
    }

    /** Gives the number of commands until now. */
    public long count() {
        return commands.get();
    }
}
