package org.mongolocks.internal.reentrant;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
    /** The listeners of the user by what is registered with the hold; most handles have none. */
    private @Nullable Map<Object, Object> kept;

    /** Creates the listeners of a handle, which must refer to this object; nothing else may. */
    public HandleListeners(Hold hold, HoldReference handle) {
        this.hold = hold;
        this.handle = handle;
    }

    public void onLost(LockLostListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        hold.onLost(
                handle,
                weakly((lease, reason) -> caller.run(() -> listener.onLost(lease, reason)), HandleListeners::ofLoss));
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
                handle,
                remaining,
                weakly(
                        (lease, left) -> caller.run(() -> listener.onEndangered(lease, left)),
                        HandleListeners::ofWarning));
        removeIfReleased();
    }

    /**
     * Adds a {@linkplain Hold#signalLoss(LockLostListener) signal} for the loss of the lock, and returns what removes
     * it.
     */
    public Runnable signalLoss(LockLostListener signal) {
        LockLostListener registered = weakly(signal, HandleListeners::ofLoss);
        hold.signalLoss(handle, registered);
        removeIfReleased();
        return () -> {
            hold.removeSignal(handle, registered);
            kept().remove(registered);
        };
    }

    /** A release removes what was registered before. */
    private void removeIfReleased() {
        if (handle.isReleased()) {
            hold.removeListeners(handle);
        }
    }

    /** Returns what is registered with the hold for a listener, which it refers to weakly if it may be kept alive. */
    private <L> L weakly(L listener, Function<Supplier<Optional<L>>, L> calling) {
        if (handle.isExclusive() && !hold.isKeptAlive()) {
            return listener;
        }
        L registered = calling.apply(reference(handle, listener));
        kept().put(registered, listener);
        return registered;
    }

    /** Static, because what is registered must not refer to the listeners of the handle. */
    private static <L> Supplier<Optional<L>> reference(HoldReference share, L listener) {
        Reference<L> reference = new WeakReference<>(listener);
        return () -> share.isReleased() ? Optional.empty() : Optional.ofNullable(reference.get());
    }

    private static LockLostListener ofLoss(Supplier<Optional<LockLostListener>> listener) {
        return (lease, reason) -> listener.get().ifPresent(known -> known.onLost(lease, reason));
    }

    private static LockEndangeredListener ofWarning(Supplier<Optional<LockEndangeredListener>> listener) {
        return (lease, left) -> listener.get().ifPresent(known -> known.onEndangered(lease, left));
    }

    private synchronized Map<Object, Object> kept() {
        Map<Object, Object> known = kept == null ? new ConcurrentHashMap<>() : kept;
        kept = known;
        return known;
    }
}
