package org.mongolocks.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;
import org.mongolocks.TimeSource;

/** Keeps the state of one held lock in this JVM: held, then released or lost, once. Thread-safe. */
public final class Hold {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final TimeSource time;
    private final List<LossListener> listeners = new ArrayList<>();
    private Lease lease;
    private boolean released;
    private @Nullable LossReason loss;

    /**
     * Begins with a grant.
     *
     * @param lease the grant
     * @param time the monotonic time of the client
     */
    public Hold(Lease lease, TimeSource time) {
        this.lease = lease;
        this.time = time;
    }

    /**
     * Gives the newest lease.
     *
     * @return the lease
     */
    public synchronized Lease lease() {
        return lease;
    }

    /**
     * Tells whether the lease has not ended and no loss is known. Finding that it has ended is a loss.
     *
     * @return false once the lock was released or lost
     */
    public boolean isHeld() {
        boolean held = !remaining().isZero();
        if (!held) {
            lost(LossReason.EXPIRED);
        }
        return held;
    }

    /**
     * Tells whether the lock was given back.
     *
     * @return true after {@link #release()}
     */
    public synchronized boolean isReleased() {
        return released;
    }

    /**
     * Tells how much of the lease is left.
     *
     * @return the time left; zero if the lock was released or lost
     */
    public synchronized Duration remaining() {
        return released || loss != null ? Duration.ZERO : lease.remaining(time.nanoTime());
    }

    /**
     * Tells whether and why the lock was lost, as far as is known.
     *
     * @return the reason, or empty
     */
    public synchronized Optional<LossReason> loss() {
        return Optional.ofNullable(loss);
    }

    /**
     * Notes a renewal. It may arrive after a release or a loss, and then changes nothing.
     *
     * @param renewed the lease with its new end
     */
    public synchronized void extended(Lease renewed) {
        if (renewed.validUntilNanos() - lease.validUntilNanos() > 0) {
            lease = renewed;
        }
    }

    /**
     * Notes that the lock is being given back; a loss that is found later is no loss any more.
     *
     * @return true the first time
     */
    public synchronized boolean release() {
        boolean first = !released;
        released = true;
        return first;
    }

    /**
     * Notes a loss and tells the listeners, once, on this thread.
     *
     * @param reason why
     */
    public void lost(LossReason reason) {
        for (LossListener listener : lose(reason)) {
            tell(listener, reason);
        }
    }

    /**
     * Adds a listener. If the lock is known to be lost already, the listener is told at once, on this thread.
     *
     * @param listener whom to tell
     */
    public void onLost(LossListener listener) {
        LossReason known = listen(listener);
        if (known != null) {
            tell(listener, known);
        }
    }

    private synchronized List<LossListener> lose(LossReason reason) {
        if (released || loss != null) {
            return List.of();
        }
        loss = reason;
        return List.copyOf(listeners);
    }

    private synchronized @Nullable LossReason listen(LossListener listener) {
        if (loss == null) {
            listeners.add(listener);
        }
        return loss;
    }

    /** A listener that fails does not keep the others from being told. */
    private void tell(LossListener listener, LossReason reason) {
        try {
            listener.onLost(lease(), reason);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "A listener for the loss of lock '" + lease().name() + "' failed", e);
        }
    }
}
