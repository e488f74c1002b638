package org.mongolocks.leader.internal;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.mongolocks.ClientSettings.Timer;

/**
 * The daemon threads of one election: one for its timer, and as many as block for listeners and releases. Each starts
 * when it is needed and ends after some idle time, so that nothing needs to be closed. Thread-safe.
 */
public final class ElectionThreads {
    private static final long IDLE_SECONDS = 10;
    private static final String PREFIX = "mongo-locks-leader-";

    private final ThreadPoolExecutor tasks;
    private final Timer timer;

    /**
     * Creates the threads; none is started yet.
     *
     * @param timer a timer for tests; empty for one of real time
     */
    public ElectionThreads(Optional<Timer> timer) {
        this.tasks = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> thread("task", task));
        this.timer = timer.orElseGet(ElectionThreads::realTime);
    }

    /**
     * Returns the executor of tasks that may block.
     *
     * @return an executor without a bound
     */
    public Executor tasks() {
        return tasks;
    }

    /**
     * Returns the timer.
     *
     * @return the timer
     */
    public Timer timer() {
        return timer;
    }

    /**
     * Creates a thread, not started, without the context class loader and the inheritable thread locals of the caller.
     *
     * @param name the end of its name
     * @param task its task
     * @return the thread
     */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(null, task, PREFIX + name, 0, false);
        thread.setContextClassLoader(null);
        thread.setDaemon(true);
        return thread;
    }

    private static Timer realTime() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, task -> thread("timer", task));
        clock.setRemoveOnCancelPolicy(true);
        clock.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
        return (delay, task) -> {
            Future<?> later = clock.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> later.cancel(false);
        };
    }
}
