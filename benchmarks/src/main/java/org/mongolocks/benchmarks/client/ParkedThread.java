package org.mongolocks.benchmarks.client;

import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Waits for a lock on a thread of its own, as a caller of the synchronous client does. */
final class ParkedThread implements Runnable {
    private final LockClient locks;
    private final LockRequest request;

    private ParkedThread(LockClient locks, LockRequest request) {
        this.locks = locks;
        this.request = request;
    }

    /** Begins to wait, and gives what ends it. */
    static Runnable start(LockClient locks, LockRequest request) {
        Thread thread = new Thread(new ParkedThread(locks, request), "parked");
        thread.setDaemon(true);
        thread.start();
        return thread::interrupt;
    }

    @Override
    public void run() {
        try {
            locks.acquire(request).ifPresent(HeldLock::release);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
