package org.mongolocks.leader.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.internal.run.DaemonThreads;

/**
 * The daemon threads of one election: one for its timer, and as many as block for listeners and releases. Each starts
 * when it is needed and ends after some idle time, or with the election. Thread-safe.
 */
public final class ElectionThreads {
    private static final String PREFIX = "mongo-locks-leader-";
    /** The time that the threads get to end, however little is left for closing. */
    private static final Duration MIN_END = Duration.ofMillis(100);

    private final DaemonThreads threads = new DaemonThreads("leader-election");
    private final Timer timer;

    /**
     * Creates the threads; none is started yet.
     *
     * @param timer a timer for tests; empty for one of real time
     */
    public ElectionThreads(Optional<Timer> timer) {
        this.timer = timer.orElseGet(threads::timer);
    }

    /**
     * Returns the executor of tasks that may block.
     *
     * @return an executor without a bound
     */
    public Executor tasks() {
        return threads.callbacks();
    }

    /**
     * Returns the executor of listeners.
     *
     * @param users the executor of the application; a thread of the election runs a listener that it rejects
     * @return an executor that never runs a listener on the calling thread
     */
    public Executor listeners(Optional<Executor> users) {
        return threads.listeners(users);
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
        return DaemonThreads.thread(PREFIX + name, task);
    }

    /** Ends each thread as soon as it is idle. Later tasks still run. */
    public void endWhenIdle() {
        threads.endWhenIdle();
    }

    /**
     * Ends all threads, and waits for that unless it is called on one of them. Nothing more is run.
     *
     * @param deadlineNanos when listeners that still run are interrupted
     * @throws InterruptedException if the thread was interrupted
     */
    public void end(long deadlineNanos) throws InterruptedException {
        threads.stop(Duration.ofNanos(Math.max(MIN_END.toNanos(), deadlineNanos - System.nanoTime())));
    }
}
