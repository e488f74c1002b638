package org.mongolocks.internal;

import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/** A handler of the log that calls an action, on the thread that logs. */
public final class LogHandler extends Handler {
    private final Consumer<LogRecord> action;

    public LogHandler(Consumer<LogRecord> action) {
        this.action = action;
    }

    @Override
    public void publish(LogRecord entry) {
        action.accept(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
