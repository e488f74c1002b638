package org.mongolocks.internal.hold;

import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.LockLostListener;

/**
 * The listeners that were added through one handle of a held lock. A client keeps a lock alive until its handle is
 * released or garbage-collected, and a listener usually refers to the handle: so of a lock that is kept alive only the
 * handle keeps them, by this object, and the client refers to them weakly; so too if another handle of the same lock may
 * ask to keep it alive. Of any other lock the client keeps them, until the lease ends. Thread-safe.
 */
public final class HandleListeners {
    private final Hold hold;
    private final boolean isOneOfSeveral;
    private final Queue<Object> kept = new ConcurrentLinkedQueue<>();

    /**
     * Creates the listeners of a handle, which must refer to this object; nothing else may.
     *
     * @param hold the lock
     * @param isOneOfSeveral whether the lock may have other handles
     */
    public HandleListeners(Hold hold, boolean isOneOfSeveral) {
        this.hold = hold;
        this.isOneOfSeveral = isOneOfSeveral;
    }

    private boolean mayBeKeptAlive() {
        return isOneOfSeveral || hold.isKeptAlive();
    }

    /**
     * Returns the listener to register with the hold.
     *
     * @param listener the listener of the user
     * @return one that calls it
     */
    public LockLostListener forLoss(LockLostListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        if (!mayBeKeptAlive()) {
            return listener;
        }
        kept.add(listener);
        WeakReference<LockLostListener> reference = new WeakReference<>(listener);
        return (lease, reason) -> {
            LockLostListener known = reference.get();
            if (known != null) {
                known.onLost(lease, reason);
            }
        };
    }

    /**
     * Returns the listener to register with the hold.
     *
     * @param listener the listener of the user
     * @return one that calls it
     */
    public ExpiryWarningListener forExpiry(ExpiryWarningListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        if (!mayBeKeptAlive()) {
            return listener;
        }
        kept.add(listener);
        WeakReference<ExpiryWarningListener> reference = new WeakReference<>(listener);
        return (lease, remaining) -> {
            ExpiryWarningListener known = reference.get();
            if (known != null) {
                known.onEndangered(lease, remaining);
            }
        };
    }

    /**
     * Drops a listener that is registered no more.
     *
     * @param listener the listener of the user
     */
    public void remove(LockLostListener listener) {
        kept.remove(listener);
    }
}
