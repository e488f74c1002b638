package org.mongolocks.internal.run;

import static java.lang.System.Logger.Level.WARNING;

import java.lang.System.Logger.Level;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.base.CallerLoader;

/**
 * The log for the threads of the library and of the driver. They must not block, because others depend on them, and a
 * log handler may block. The messages are written by a thread of its own, which ends soon after the last one; at the
 * exit of the JVM the newest may be missing. Thread-safe.
 */
public final class BackgroundLog {
    /** The messages that wait for a handler that is slow. */
    static final int MAX_PENDING = 1_024;

    private static final long IDLE_MILLIS = 10;
    /** A handler that blocks delays the end of a client by no more. */
    private static final long MAX_END_MILLIS = 1_000;

    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    private static final AtomicInteger DROPPED = new AtomicInteger();
    private static final ThreadPoolExecutor THREAD = thread();
    private static volatile @Nullable Thread writer;

    private BackgroundLog() {}

    /** Logs a message, which is dropped, and counted, while too many wait. */
    public static void log(Level level, String message) {
        log(level, message, null);
    }

    /** Logs a message with an error, if any. */
    public static void log(Level level, String message, @Nullable Throwable error) {
        if (LOG.isLoggable(level)) {
            THREAD.execute(CallerLoader.ofThisThread().with(() -> write(level, message, error)));
        }
    }

    private static void write(Level level, String message, @Nullable Throwable error) {
        LOG.log(level, message, error);
        int dropped = DROPPED.getAndSet(0);
        if (dropped > 0) {
            LOG.log(WARNING, "The log was too slow: " + dropped + " messages about locks are missing");
        }
    }

    /** Waits until the messages are written and the thread has ended, for a second at most. */
    static void awaitEnd() throws InterruptedException {
        Thread last = writer;
        if (last != null && !last.equals(Thread.currentThread())) {
            last.join(MAX_END_MILLIS);
        }
    }

    private static Thread writer(Runnable work) {
        Thread thread = DaemonThreads.thread("mongo-locks-log", work);
        writer = thread;
        return thread;
    }

    private static ThreadPoolExecutor thread() {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_MILLIS,
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(MAX_PENDING),
                BackgroundLog::writer,
                (task, pool) -> DROPPED.incrementAndGet());
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }
}
