package org.mongolocks.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A log handler that collects the library's warnings until it is closed. */
final class Warnings extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("org.mongolocks");
    private final List<String> messages = new CopyOnWriteArrayList<>();

    static Warnings collect() {
        Warnings warnings = new Warnings();
        warnings.logger.addHandler(warnings);
        return warnings;
    }

    List<String> messages() {
        return List.copyOf(messages);
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
