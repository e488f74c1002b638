package org.mongolocks.server;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.server.BackgroundTask.Eventually;

/** Collects the library's warnings until it is closed. */
public final class Warnings implements AutoCloseable {
    private final Logger logger = Logger.getLogger("org.mongolocks");
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                messages.add(entry.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private Warnings() {
        logger.addHandler(handler);
    }

    public static Warnings collect() {
        return new Warnings();
    }

    /** Returns the messages that contain a text, with all that were passed to the log before this call. */
    public List<String> about(String what) throws Exception {
        String mark = "mark " + UUID.randomUUID();
        BackgroundLog.log(System.Logger.Level.WARNING, mark);
        Eventually.isTrue("the log has written what it had", () -> messages.contains(mark));
        return messages.stream().filter(message -> message.contains(what)).toList();
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
