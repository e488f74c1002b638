package org.mongolocks.leader.internal;

import static java.lang.System.Logger.Level.WARNING;

import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.mongolocks.internal.base.CallerLoader;

/**
 * Tasks that run one after another, in the order in which they were added, and with the context class loader of the thread
 * that created this. Thread-safe.
 */
public final class Turns {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /** The group of each thread that runs a task which may block. */
    private static final Map<Thread, Object> RUNNING = new ConcurrentHashMap<>();

    private static final Object NO_THREADS = new Object();

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final CallerLoader caller = CallerLoader.ofThisThread();
    private final Executor executor;
    private final Object threads;

    /** Creates a queue of tasks that never block: the thread that adds them runs them. */
    public Turns() {
        this(Runnable::run, NO_THREADS);
    }

    /**
     * Creates an empty queue.
     *
     * @param executor runs the tasks, on other threads than the calling one
     * @param threads an executor whose threads run them and may be few, or an object of its own for any number of threads
     */
    public Turns(Executor executor, Object threads) {
        this.executor = executor;
        this.threads = threads;
    }

    /** Adds a task. If another thread runs earlier ones, it runs this one too. */
    public void add(Runnable task) {
        tasks.add(task);
        if (count.getAndIncrement() == 0) {
            executor.execute(this::runAll);
        }
    }

    /** Returns the threads that run one of the tasks, or other tasks on the same executor. */
    public Stream<Thread> threads() {
        return RUNNING.entrySet().stream()
                .filter(running -> running.getValue() == threads)
                .map(Map.Entry::getKey);
    }

    /** Returns whether the calling thread runs a task of such a queue. */
    public static boolean isRunning() {
        return RUNNING.containsKey(Thread.currentThread());
    }

    private void runAll() {
        do {
            runOne();
        } while (count.decrementAndGet() != 0);
    }

    /** An exception of a task ends only that task; after an error the executor runs the others. */
    private void runOne() {
        boolean hasReturned = false;
        if (threads != NO_THREADS) {
            RUNNING.put(Thread.currentThread(), threads);
        }
        try {
            caller.run(Objects.requireNonNull(tasks.poll()));
            hasReturned = true;
        } catch (RuntimeException e) {
            LOG.log(WARNING, "A listener or a task of a leader election failed", e);
            hasReturned = true;
        } finally {
            if (threads != NO_THREADS) {
                RUNNING.remove(Thread.currentThread());
            }
            if (!hasReturned && count.decrementAndGet() != 0) {
                executor.execute(this::runAll);
            }
        }
    }
}
