package org.mongolocks.contract;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Keeps what the library logs out of the output, and prints it after a test that has failed. Tests that run side by side
 * have one log, so that it may have messages of others. Thread-safe.
 */
public final class QuietLogs implements BeforeAllCallback, BeforeEachCallback, TestWatcher {
    private static final Namespace NAMESPACE = Namespace.create(QuietLogs.class);

    /** Instantiated by JUnit, which is in another module. */
    public QuietLogs() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        logOf(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(NAMESPACE).put(Instant.class, Instant.now());
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        Instant start = context.getStore(NAMESPACE).get(Instant.class, Instant.class);
        System.err.print(logOf(context).since(start == null ? Instant.EPOCH : start));
    }

    private static Log logOf(ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent(Log.class, unused -> new Log(), Log.class);
    }

    /** The latest messages of the library, in place of the usual output; JUnit closes it with the run. */
    private static final class Log extends Handler implements AutoCloseable {
        private static final int KEPT = 1_000;

        private final Logger logger = Logger.getLogger("org.mongolocks");
        private final boolean usedParents = logger.getUseParentHandlers();
        private final Formatter format = new SimpleFormatter();
        private final Deque<LogRecord> records = new ArrayDeque<>();

        Log() {
            logger.setUseParentHandlers(false);
            logger.addHandler(this);
        }

        @Override
        public synchronized void publish(LogRecord entry) {
            records.addLast(entry);
            if (records.size() > KEPT) {
                records.removeFirst();
            }
        }

        synchronized String since(Instant start) {
            return records.stream()
                    .filter(entry -> !entry.getInstant().isBefore(start))
                    .map(format::format)
                    .collect(Collectors.joining());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            logger.setUseParentHandlers(usedParents);
        }
    }
}
