package org.mongolocks.benchmarks.client;

import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** A wait for a lock on a separate thread, like that of a caller of the synchronous client. */
final class BlockingWaiter implements Runnable {
    private final LockClient locks;
    private final LockRequest request;

    private BlockingWaiter(LockClient locks, LockRequest request) {
        this.locks = locks;
        this.request = request;
    }

    /** Starts waiting and returns an action that cancels the wait. */
    static Runnable start(LockClient locks, LockRequest request) {
        Thread thread = new Thread(new BlockingWaiter(locks, request), "parked");
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
