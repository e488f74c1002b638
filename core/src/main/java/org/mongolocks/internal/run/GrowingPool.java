package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.mongolocks.time.Timer;

/**
 * A pool of threads whose tasks may block. A thread whose task has run for some time is replaced if other tasks wait, so
 * that blocked tasks delay the next one by little more than that time. Many short tasks share a few threads. Thread-safe.
 */
final class GrowingPool implements Executor {
    private final Limits limits;
    private final Timer timer;
    private final IntConsumer growth;
    private final Map<Thread, Long> startedNanos = new ConcurrentHashMap<>();
    private final AtomicBoolean checkScheduled = new AtomicBoolean();
    private final ThreadPoolExecutor pool;

    /**
     * The size of a pool.
     *
     * @param free the most threads while no task blocks
     * @param most the most threads, however many tasks block
     * @param blockedAfter how long a task runs before it is taken for blocked
     */
    record Limits(int free, int most, Duration blockedAfter) {
        /** Returns how many of the tasks that started at these times are taken for blocked. */
        int blocked(Collection<Long> startedNanos, long nowNanos) {
            long blockedBefore = nowNanos - blockedAfter.toNanos();
            return (int) startedNanos.stream()
                    .filter(started -> started - blockedBefore <= 0)
                    .count();
        }

        /** Returns how many may run, so that at least half of all, and the free ones, are not blocked. */
        int wanted(int blocked) {
            return Math.min(most, blocked + Math.max(free, blocked));
        }
    }

    /**
     * Creates a pool without threads.
     *
     * @param timer calls the checks for blocked tasks
     * @param threads creates the threads
     * @param growth called with the number of blocked tasks before threads are added
     */
    GrowingPool(Limits limits, Timer timer, ThreadFactory threads, IntConsumer growth) {
        this.limits = limits;
        this.timer = timer;
        this.growth = growth;
        this.pool = new Pool(threads);
    }

    /** A pool that records since when each of its threads runs its task. */
    private final class Pool extends ThreadPoolExecutor {
        Pool(ThreadFactory threads) {
            super(
                    limits.free(),
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
        long stepNanos = limits.blockedAfter().toNanos();
        long leftNanos = deadlineNanos - System.nanoTime();
        while (leftNanos > 0 && !pool.awaitTermination(Math.min(leftNanos, stepNanos), TimeUnit.NANOSECONDS)) {
            replaceBlocked();
            leftNanos = deadlineNanos - System.nanoTime();
        }
        pool.shutdownNow();
    }

    private void checkLater() {
        if (!pool.getQueue().isEmpty() && !checkScheduled.getAndSet(true)) {
            Timer.Timeout unused = timer.schedule(limits.blockedAfter(), this::check);
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

    /** Starts threads for tasks that wait. */
    private void replaceBlocked() {
        int blocked = limits.blocked(startedNanos.values(), System.nanoTime());
        int wanted = limits.wanted(blocked);
        if (pool.getQueue().isEmpty() || wanted <= pool.getPoolSize()) {
            return;
        }
        growth.accept(blocked);
        try {
            pool.setCorePoolSize(wanted);
        } finally {
            pool.setCorePoolSize(limits.free());
        }
    }
}
