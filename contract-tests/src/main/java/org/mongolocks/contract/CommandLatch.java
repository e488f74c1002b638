package org.mongolocks.contract;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Tells when a client sends a command. */
final class CommandLatch implements CommandListener {
    private volatile CountDownLatch latch = new CountDownLatch(0);
    private volatile List<String> commands = List.of();

    CountDownLatch next(List<String> names) {
        commands = names;
        latch = new CountDownLatch(1);
        return latch;
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        if (commands.contains(event.getCommandName())) {
            latch.countDown();
        }
    }
}
