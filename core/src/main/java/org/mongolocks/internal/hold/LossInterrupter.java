package org.mongolocks.internal.hold;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The interrupter of threads when a lock is lost: once for each handle that registered a thread. Thread-safe: it uses
 * the monitor of its hold, so that no interrupt comes after a release.
 */
public final class LossInterrupter {
    private final Object monitor;
    private final Map<Object, Thread> workers = new HashMap<>();
    private final Set<Thread> interrupted = new HashSet<>();
    private boolean lost;
    private boolean over;

    LossInterrupter(Object monitor) {
        this.monitor = monitor;
    }

    /**
     * Registers a thread to interrupt when the lock is lost; at once if it is lost already. The thread that detects the
     * loss is not interrupted.
     *
     * @param handle the handle; a new thread replaces the earlier one of the same handle
     * @param thread the thread
     */
    public void register(Object handle, Thread thread) {
        synchronized (monitor) {
            if (!over) {
                workers.put(handle, thread);
            }
            if (lost && !over) {
                interruptAll(thread);
            }
        }
    }

    /**
     * Removes the thread of a handle that was released.
     *
     * @param handle the handle
     */
    public void unregister(Object handle) {
        synchronized (monitor) {
            workers.remove(handle);
        }
    }

    /**
     * Returns whether the loss has interrupted a thread.
     *
     * @param thread the thread
     * @return true if it has
     */
    public boolean hasInterrupted(Thread thread) {
        synchronized (monitor) {
            return interrupted.contains(thread);
        }
    }

    /** Ends all registrations: the lock is released. */
    void end() {
        synchronized (monitor) {
            workers.clear();
            over = true;
        }
    }

    /** Interrupts the registered threads, except the current one: it has detected the loss. */
    void interruptAllButCurrent() {
        synchronized (monitor) {
            lost = true;
            workers.values().removeIf(worker -> worker.equals(Thread.currentThread()));
            Set.copyOf(workers.values()).forEach(this::interruptAll);
        }
    }

    private void interruptAll(Thread worker) {
        interrupted.add(worker);
        worker.interrupt();
    }
}
