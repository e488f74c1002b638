package org.mongolocks.internal.run;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings.Timer;

/**
 * The threads of one client that run code of the user, which may block. A thread whose task has run for
 * {@link #BLOCKED_NANOS} is replaced if other tasks wait: however many tasks block, the next one is delayed by tens of
 * milliseconds only. Many short tasks share {@link #MAX_FREE} threads. Thread-safe.
 */
final class CallbackThreads implements Executor {
    /** The most threads while no task blocks. */
    static final int MAX_FREE = 32;

    private static final long BLOCKED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String client;
    private final Timer timer;
    private final Map<Thread, Long> startedNanos = new ConcurrentHashMap<>();
    private final AtomicBoolean checkScheduled = new AtomicBoolean();
    private final AtomicBoolean growthReported = new AtomicBoolean();
    private final ThreadPoolExecutor pool;

    CallbackThreads(String client, Timer timer, ThreadFactory threads) {
        this.client = client;
        this.timer = timer;
        this.pool = new Pool(threads);
    }

    /** A pool that records since when each of its threads runs its task. */
    private final class Pool extends ThreadPoolExecutor {
        Pool(ThreadFactory threads) {
            super(
                    MAX_FREE,
                    Integer.MAX_VALUE,
                    DaemonThreads.IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    threads);
            allowCoreThreadTimeOut(true);
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            startedNanos.put(thread, System.nanoTime());
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable error) {
            startedNanos.remove(Thread.currentThread());
        }
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
        checkLater();
    }

    /** Returns the pool, whose threads end when they are idle. */
    ThreadPoolExecutor pool() {
        return pool;
    }

    /** Runs what was passed before, until the time is over; the tasks that run then are interrupted. */
    void end(long deadlineNanos) throws InterruptedException {
        pool.shutdown();
        long leftNanos = deadlineNanos - System.nanoTime();
        while (leftNanos > 0 && !pool.awaitTermination(Math.min(leftNanos, BLOCKED_NANOS), TimeUnit.NANOSECONDS)) {
            replaceBlocked();
            leftNanos = deadlineNanos - System.nanoTime();
        }
        pool.shutdownNow();
    }

    private void checkLater() {
        if (!pool.getQueue().isEmpty() && !checkScheduled.getAndSet(true)) {
            Timer.Timeout unused = timer.schedule(Duration.ofNanos(BLOCKED_NANOS), this::check);
        }
    }

    private void check() {
        checkScheduled.set(false);
        try {
            replaceBlocked();
        } finally {
            checkLater();
        }
    }

    /** Starts threads for tasks that wait, so that at least half of all threads, and 32, are not blocked. */
    private void replaceBlocked() {
        int blocked = blocked();
        int wanted = blocked + Math.max(MAX_FREE, blocked);
        if (pool.getQueue().isEmpty() || wanted <= pool.getPoolSize()) {
            return;
        }
        report(blocked);
        try {
            pool.setCorePoolSize(wanted);
        } finally {
            pool.setCorePoolSize(MAX_FREE);
        }
    }

    private int blocked() {
        long nowNanos = System.nanoTime();
        return (int) startedNanos.values().stream()
                .filter(started -> nowNanos - started >= BLOCKED_NANOS)
                .count();
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
