package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.WARNING;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A serial executor of listener calls: one after another, in their order, never on the calling thread. A call that
 * fails does not stop the later ones. Thread-safe.
 */
final class SerialExecutor {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final Executor executor;
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private boolean passing;

    SerialExecutor(Executor executor) {
        this.executor = executor;
    }

    /** Queues a call. It runs after {@link #pass()}, which a caller with a monitor calls later. */
    synchronized void add(Runnable notice) {
        queue.add(notice);
    }

    /** Dispatches the queued calls. */
    void pass() {
        if (begin()) {
            execute();
        }
    }

    private synchronized boolean begin() {
        boolean begins = !passing && !queue.isEmpty();
        passing |= begins;
        return begins;
    }

    private void execute() {
        boolean begun = false;
        try {
            executor.execute(this::passOne);
            begun = true;
        } catch (RejectedExecutionException e) {
            LOG.log(WARNING, "The listeners of a lock cannot be called: their executor has ended", e);
        } finally {
            if (!begun) {
                end();
            }
        }
    }

    /** Runs one call per task, so that other locks get their turn in between, and an error ends only its own call. */
    private void passOne() {
        Runnable notice = next();
        try {
            if (notice != null) {
                notice.run();
            }
        } catch (RuntimeException e) {
            LOG.log(WARNING, "A listener of a lock failed", e);
        } finally {
            end();
            pass();
        }
    }

    private synchronized @Nullable Runnable next() {
        return queue.poll();
    }

    private synchronized void end() {
        passing = false;
    }
}
