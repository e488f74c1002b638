package org.mongolocks.benchmarks.run;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A counter of the commands that a client sends, including retries, commits and aborts. Commands that the driver sends
 * on its own, to monitor the server or to open a connection, are not counted.
 */
public final class CommandCounter implements CommandListener {
    private final AtomicLong commands = new AtomicLong();

    @Override
    public void commandStarted(CommandStartedEvent event) {
        commands.incrementAndGet();
    }

    /** Returns the number of commands so far. */
    public long count() {
        return commands.get();
    }
}
