package org.mongolocks.internal.reentrant;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockLostListener;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.hold.Hold;

/**
 * The listeners that were added through one handle of a held lock. A client keeps a lock alive until its handle is
 * released or garbage-collected, and a listener usually refers to the handle. So only the handle keeps the listeners of
 * a lock that is kept alive, by this object, and the client refers to them weakly. That is also so if another handle of
 * the lock may ask to keep it alive. The client keeps the listeners of any other lock, until the lease ends. Once its
 * handle is released while others are left, a listener is not called any more. Thread-safe.
 */
public final class HandleListeners {
    private final Hold hold;
    private final HoldReference handle;
    /** The listeners of the user by what is registered with the hold. */
    private final Map<Object, Object> kept = new ConcurrentHashMap<>();

    /** Creates the listeners of a handle, which must refer to this object; nothing else may. */
    public HandleListeners(Hold hold, HoldReference handle) {
        this.hold = hold;
        this.handle = handle;
    }

    public void onLost(LockLostListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        hold.onLost(handle, forLoss((lease, reason) -> caller.run(() -> listener.onLost(lease, reason))));
        removeIfReleased();
    }

    /**
     * Adds a listener that is called before the lease expires.
     *
     * @param remaining how long before the end to call it; more than zero, less than the ttl
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public void onEndangered(Duration remaining, LockEndangeredListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        hold.onEndangered(
                handle, remaining, forExpiry((lease, left) -> caller.run(() -> listener.onEndangered(lease, left))));
        removeIfReleased();
    }

    /**
     * Adds a {@linkplain Hold#signalLoss(LockLostListener) signal} for the loss of the lock, and returns what removes
     * it.
     */
    public Runnable signalLoss(LockLostListener signal) {
        LockLostListener registered = forLoss(signal);
        hold.signalLoss(handle, registered);
        removeIfReleased();
        return () -> {
            hold.removeSignal(handle, registered);
            kept.remove(registered);
        };
    }

    /** A release removes what was registered before. */
    private void removeIfReleased() {
        if (handle.isReleased()) {
            hold.removeListeners(handle);
        }
    }

    private boolean mayBeKeptAlive() {
        return !handle.isExclusive() || hold.isKeptAlive();
    }

    private LockLostListener forLoss(LockLostListener listener) {
        if (!mayBeKeptAlive()) {
            return listener;
        }
        HoldReference share = handle;
        Reference<LockLostListener> reference = new WeakReference<>(listener);
        LockLostListener registered =
                (lease, reason) -> called(share, reference).ifPresent(known -> known.onLost(lease, reason));
        kept.put(registered, listener);
        return registered;
    }

    private LockEndangeredListener forExpiry(LockEndangeredListener listener) {
        if (!mayBeKeptAlive()) {
            return listener;
        }
        HoldReference share = handle;
        Reference<LockEndangeredListener> reference = new WeakReference<>(listener);
        LockEndangeredListener registered =
                (lease, left) -> called(share, reference).ifPresent(known -> known.onEndangered(lease, left));
        kept.put(registered, listener);
        return registered;
    }

    /** Static, because what is registered must not refer to the listeners of the handle. */
    private static <L> Optional<L> called(HoldReference share, Reference<L> reference) {
        return share.isReleased() ? Optional.empty() : Optional.ofNullable(reference.get());
    }
}
