package org.mongolocks.contract;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.internal.run.BackgroundLog;

/** A log handler that collects the library's warnings until it is closed. */
final class Warnings extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("org.mongolocks");
    private final List<String> messages = new CopyOnWriteArrayList<>();

    static Warnings collect() {
        Warnings warnings = new Warnings();
        warnings.logger.addHandler(warnings);
        return warnings;
    }

    /** Returns the messages that contain a text, with all that were passed to the log before this call. */
    List<String> about(String what) throws Exception {
        String mark = "mark " + UUID.randomUUID();
        BackgroundLog.log(System.Logger.Level.WARNING, mark);
        Eventually.isTrue("the log has written what it had", () -> messages.contains(mark));
        return messages.stream().filter(message -> message.contains(what)).toList();
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
            messages.add(entry.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
