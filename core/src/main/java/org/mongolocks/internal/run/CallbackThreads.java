package org.mongolocks.internal.run;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mongolocks.ClientSettings.Timer;

/**
 * The threads of one client that run code of the user, which may block: however many tasks block, the next one is delayed
 * by tens of milliseconds only. Many short tasks share {@link #MAX_FREE} threads. Thread-safe.
 */
final class CallbackThreads implements Executor {
    /** The most threads while no task blocks. */
    static final int MAX_FREE = 32;

    private static final Duration BLOCKED_AFTER = Duration.ofMillis(10);

    private final String client;
    private final AtomicBoolean growthReported = new AtomicBoolean();
    private final GrowingPool threads;

    CallbackThreads(String client, Timer timer, ThreadFactory threads) {
        this.client = client;
        GrowingPool.Limits limits = new GrowingPool.Limits(MAX_FREE, Integer.MAX_VALUE, BLOCKED_AFTER);
        this.threads = new GrowingPool(limits, timer, threads, this::report);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Returns the pool, whose threads end when they are idle. */
    ThreadPoolExecutor pool() {
        return threads.pool();
    }

    /** Runs what was passed before, until the time is over; the tasks that run then are interrupted. */
    void end(long deadlineNanos) throws InterruptedException {
        threads.end(deadlineNanos);
    }

    private void report(int blocked) {
        if (blocked >= MAX_FREE && !growthReported.getAndSet(true)) {
            BackgroundLog.log(
                    WARNING,
                    MAX_FREE + " or more callbacks block the threads of lock client '" + client
                            + "': each further one occupies a thread of its own until it returns. Other callbacks, losses"
                            + " and renewals go on");
        }
    }
}
