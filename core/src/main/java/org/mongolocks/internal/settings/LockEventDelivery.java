package org.mongolocks.internal.settings;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mongolocks.LockEvent;
import org.mongolocks.LockObserver;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.base.DaemonThread;

/**
 * The delivery of events to the observer of one client, on a thread of its own, which ends a second after the last event.
 * The caller neither blocks nor fails. Thread-safe.
 */
final class LockEventDelivery implements LockObserver {
    /** The events that wait for an observer that is slow. */
    static final int MAX_PENDING = 1_024;

    private static final long IDLE_SECONDS = 1;
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final LockObserver observer;
    private final ThreadPoolExecutor thread;
    private final AtomicBoolean droppingReported = new AtomicBoolean();
    private final AtomicBoolean failureReported = new AtomicBoolean();

    /** Creates the delivery; no thread is started yet. */
    LockEventDelivery(LockObserver observer) {
        this.observer = observer;
        CallerLoader caller = CallerLoader.ofThisThread();
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_PENDING),
                work -> new DaemonThread("mongo-locks-observer", caller, work),
                (task, pool) -> reportDropping());
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void onEvent(LockEvent event) {
        thread.execute(() -> deliver(event));
    }

    private void deliver(LockEvent event) {
        try {
            observer.onEvent(event);
        } catch (RuntimeException e) {
            LOG.log(failureReported.getAndSet(true) ? DEBUG : WARNING, "An observer of locks failed", e);
        }
    }

    private void reportDropping() {
        if (!droppingReported.getAndSet(true)) {
            LOG.log(
                    WARNING,
                    "An observer of locks is too slow: events are dropped while " + MAX_PENDING + " wait for it");
        }
    }
}
