package org.mongolocks.leader.internal;

import static java.lang.System.Logger.Level.WARNING;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Tasks that run one after another, in the order in which they were added. Thread-safe. */
public final class Turns {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Executor executor;
    private volatile @Nullable Thread thread;

    /**
     * Creates an empty queue.
     *
     * @param executor runs the tasks; one that runs them on the calling thread is for tasks that never block
     */
    public Turns(Executor executor) {
        this.executor = executor;
    }

    /** Adds a task. If another thread runs earlier ones, it runs this one too. */
    public void add(Runnable task) {
        tasks.add(task);
        if (count.getAndIncrement() == 0) {
            executor.execute(this::runAll);
        }
    }

    /** Returns whether the calling thread runs one of the tasks. */
    public boolean isCurrentThread() {
        return Thread.currentThread().equals(thread);
    }

    private void runAll() {
        do {
            runOne();
        } while (count.decrementAndGet() != 0);
    }

    /** An exception of a task ends only that task; after an error the executor runs the others. */
    private void runOne() {
        boolean hasReturned = false;
        thread = Thread.currentThread();
        try {
            Objects.requireNonNull(tasks.poll()).run();
            hasReturned = true;
        } catch (RuntimeException e) {
            LOG.log(WARNING, "A listener or a task of a leader election failed", e);
            hasReturned = true;
        } finally {
            thread = null;
            if (!hasReturned && count.decrementAndGet() != 0) {
                executor.execute(this::runAll);
            }
        }
    }
}
