package org.mongolocks.internal.run;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.base.DaemonThread;
import org.mongolocks.time.Timer;

/**
 * The daemon threads of one client: one for its timer, bounded pools for its own tasks, and others for code of the user,
 * of which any number may block. A thread starts when it is needed, and ends after some idle time. It has the context
 * class loader of the thread that created this object, and no inheritable thread locals. Thread-safe.
 */
public final class DaemonThreads {
    static final long IDLE_SECONDS = 10;
    /** Longer than most replies. */
    private static final Duration WAITING_AFTER = Duration.ofMillis(10);

    private static final int FEW = 4;
    private static final int MOST = 32;
    private static final GrowingPool.Limits GROWING = new GrowingPool.Limits(FEW, MOST, WAITING_AFTER);
    /** The most threads for code of the user while none blocks: many short tasks share them. */
    static final int MAX_FREE_CALLBACKS = 32;

    private static final GrowingPool.Limits CALLBACKS =
            new GrowingPool.Limits(MAX_FREE_CALLBACKS, Integer.MAX_VALUE, WAITING_AFTER);
    /** A timer thread wakes this often while tasks are left. */
    private static final long CLOSED_IDLE_MILLIS = 10;

    private final String client;
    private final CallerLoader caller = CallerLoader.ofThisThread();
    private final ScheduledThreadPoolExecutor clock;
    private final List<ThreadPoolExecutor> pools = new CopyOnWriteArrayList<>();
    /** However many tasks of the user block, the next one is delayed by tens of milliseconds only. */
    private final GrowingPool callbacks;

    private final AtomicBoolean growthReported = new AtomicBoolean();

    /** Creates the threads of a client, whose instance is part of their names; none is started yet. */
    public DaemonThreads(String client) {
        this.client = client;
        this.clock = new ScheduledThreadPoolExecutor(1, threads("timer"));
        clock.setRemoveOnCancelPolicy(true);
        clock.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        clock.allowCoreThreadTimeOut(true);
        this.callbacks = new GrowingPool(CALLBACKS, timer(), threads("callback"), this::reportBlocked);
        pools.add(callbacks.pool());
    }

    /** A thread with a reference to the pools that it belongs to. */
    private static final class Daemon extends DaemonThread {
        private final DaemonThreads group;

        Daemon(DaemonThreads group, String name, Runnable work) {
            super(name, group.caller, work);
            this.group = group;
        }
    }

    private void reportBlocked(int blocked) {
        if (blocked >= MAX_FREE_CALLBACKS && !growthReported.getAndSet(true)) {
            BackgroundLog.log(
                    WARNING,
                    MAX_FREE_CALLBACKS + " or more callbacks block the threads of lock client '" + client
                            + "': each further one occupies a thread of its own until it returns. Other callbacks, losses"
                            + " and renewals go on");
        }
    }

    /** Returns a timer of real time. Its tasks share one thread, and must not block. */
    public Timer timer() {
        return (delay, task) -> {
            try {
                Future<?> later = clock.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> later.cancel(false);
            } catch (RejectedExecutionException e) {
                return () -> {};
            }
        };
    }

    /**
     * Creates a pool.
     *
     * @param kind the task of its threads, for their names
     * @param queue the tasks that wait for a thread
     * @return the pool, whose threads end when they are idle
     */
    public ThreadPoolExecutor pool(String kind, int most, BlockingQueue<Runnable> queue) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, threads(kind));
        pool.allowCoreThreadTimeOut(true);
        pools.add(pool);
        return pool;
    }

    /**
     * Creates a pool whose tasks wait for the server. It has {@value #FEW} threads, and up to {@value #MOST} while some
     * have waited for {@link #WAITING_AFTER} and others are queued: slow replies delay them by no more than that.
     *
     * @param kind the task of its threads, for their names
     * @return the pool, whose threads end when they are idle
     */
    public Executor growingPool(String kind) {
        GrowingPool pool = new GrowingPool(GROWING, timer(), threads(kind), waiting -> {});
        pools.add(pool.pool());
        return pool;
    }

    /**
     * Creates a limit for tasks that wait for the server without a thread each, with the numbers of a
     * {@linkplain #growingPool growing pool}.
     */
    public GrowingLimit growingLimit() {
        return new GrowingLimit(GROWING, timer(), System::nanoTime);
    }

    /** Creates a fixed limit for tasks that wait for the server without a thread each. */
    public GrowingLimit limit(int most) {
        return new GrowingLimit(new GrowingPool.Limits(most, most, WAITING_AFTER), timer(), System::nanoTime);
    }

    /** Creates a thread for one task, with the context class loader of this thread; it is not started. */
    public static Thread thread(String name, Runnable work) {
        return new DaemonThread(name, CallerLoader.ofThisThread(), work);
    }

    /**
     * Returns the executor of code of the user, which may block: any number of blocked tasks delays no other for long.
     * It never runs a task on the calling thread.
     */
    public Executor callbacks() {
        return callbacks;
    }

    /**
     * Returns the executor of listeners, which never runs a task on the calling thread. A thread for callbacks hands
     * each listener to the user's executor, which may block it or run the listener on it; without such an executor, or
     * if that fails, it calls the listener itself.
     */
    public Executor listeners(Optional<Executor> users) {
        return users.<Executor>map(executor -> listener -> callbacks.execute(() -> handOver(executor, listener)))
                .orElse(callbacks);
    }

    private static void handOver(Executor executor, Runnable listener) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (!begun.getAndSet(true)) {
                listener.run();
            }
        };
        boolean accepted = false;
        try {
            executor.execute(once);
            accepted = true;
        } catch (RuntimeException e) {
            BackgroundLog.log(
                    WARNING, "The listenerExecutor refuses a listener, which runs on a thread of the client", e);
        } finally {
            if (!accepted) {
                once.run();
            }
        }
    }

    /** Returns whether the calling thread is one of these. */
    public boolean isCurrentThread() {
        return Thread.currentThread() instanceof Daemon daemon && daemon.group == this;
    }

    /** Returns whether a thread belongs to any client, and must not block. */
    public static boolean isOfLibrary(Thread thread) {
        return thread instanceof DaemonThread;
    }

    /** Ends each thread as soon as it is idle. Later tasks still run, on threads that end soon. */
    public void endWhenIdle() {
        clock.setKeepAliveTime(CLOSED_IDLE_MILLIS, TimeUnit.MILLISECONDS);
        pools.forEach(pool -> pool.setKeepAliveTime(CLOSED_IDLE_MILLIS, TimeUnit.MILLISECONDS));
    }

    /**
     * Interrupts all threads but those of callbacks, which may go on for that long, and waits for their end unless it
     * is called on one of them. Nothing more is run but the callbacks that were passed before.
     *
     * @param wait how long to wait at most; callbacks that run then are interrupted
     * @throws InterruptedException if the thread was interrupted; callbacks may go on
     */
    public void stop(Duration wait) throws InterruptedException {
        clock.shutdownNow();
        pools.stream().filter(pool -> pool != callbacks.pool()).forEach(ThreadPoolExecutor::shutdownNow);
        callbacks.pool().shutdown();
        if (!isCurrentThread()) {
            long deadlineNanos = System.nanoTime() + wait.toNanos();
            callbacks.end(deadlineNanos);
            awaitEnd(clock, deadlineNanos);
            for (ThreadPoolExecutor pool : pools) {
                awaitEnd(pool, deadlineNanos);
            }
            BackgroundLog.awaitEnd();
        }
    }

    private static void awaitEnd(ThreadPoolExecutor threads, long deadlineNanos) throws InterruptedException {
        threads.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private ThreadFactory threads(String kind) {
        return work -> new Daemon(this, "mongo-locks-" + kind + "-" + client, work);
    }
}
