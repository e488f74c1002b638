package org.mongolocks.internal;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Interrupts, once, the threads that asked for it when a lock is lost, one for each handle. Thread-safe: it has the
 * monitor of its hold, so that no interrupt comes after a release.
 */
public final class Interruption {
    private final Object monitor;
    private final Map<Object, Thread> workers = new HashMap<>();
    private final Set<Thread> interrupted = new HashSet<>();
    private boolean lost;
    private boolean over;

    Interruption(Object monitor) {
        this.monitor = monitor;
    }

    /**
     * Has a thread interrupted when the lock is lost; at once if it is lost already. Who finds out is not interrupted.
     *
     * @param handle for which handle; it replaces an earlier thread of that handle
     * @param thread the thread
     */
    public void ask(Object handle, Thread thread) {
        synchronized (monitor) {
            if (!over) {
                workers.put(handle, thread);
            }
            if (lost && !over) {
                come(thread);
            }
        }
    }

    /**
     * Has nobody interrupted any more for a handle that was given back.
     *
     * @param handle which
     */
    public void withdraw(Object handle) {
        synchronized (monitor) {
            workers.remove(handle);
        }
    }

    /**
     * Tells whether the loss has interrupted a thread.
     *
     * @param thread the thread
     * @return true if it has
     */
    public boolean hasHit(Thread thread) {
        synchronized (monitor) {
            return interrupted.contains(thread);
        }
    }

    /** The lock is given back: nobody is interrupted any more. */
    void end() {
        synchronized (monitor) {
            workers.clear();
            over = true;
        }
    }

    /** The lock is lost. The thread that finds that knows it already. */
    void comeUnlessFoundByItself() {
        synchronized (monitor) {
            lost = true;
            workers.values().removeIf(worker -> worker.equals(Thread.currentThread()));
            Set.copyOf(workers.values()).forEach(this::come);
        }
    }

    private void come(Thread worker) {
        interrupted.add(worker);
        worker.interrupt();
    }
}
