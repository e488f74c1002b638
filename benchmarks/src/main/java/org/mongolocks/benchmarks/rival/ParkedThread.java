package org.mongolocks.benchmarks.rival;

import org.mongolocks.LockRequest;

/** Waits for a lock on a thread of its own, as a caller of a client that blocks does. */
final class ParkedThread implements Locks.Parked, Runnable {
    private final Locks locks;
    private final LockRequest request;
    private final Thread thread = new Thread(this, "parked");

    private ParkedThread(Locks locks, LockRequest request) {
        this.locks = locks;
        this.request = request;
        thread.setDaemon(true);
    }

    static ParkedThread start(Locks locks, LockRequest request) {
        ParkedThread parked = new ParkedThread(locks, request);
        parked.thread.start();
        return parked;
    }

    @Override
    public void run() {
        try {
            locks.acquire(request).ifPresent(Grant::release);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
