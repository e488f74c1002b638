package org.mongolocks.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.Lease;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;
import org.mongolocks.TimeSource;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** Keeps the state of one held lock in this JVM: held, then released or lost, once. Thread-safe. */
public final class Hold {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final TimeSource time;
    private final List<LossListener> listeners = new ArrayList<>();
    private Lease lease;
    private boolean releasing;
    private boolean givenUp;
    private boolean settled;
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
     * Tells whether the server has answered a release.
     *
     * @return true once it is known whether the lock was held until then
     */
    public synchronized boolean isSettled() {
        return settled;
    }

    /**
     * Tells how much of the lease is left.
     *
     * @return the time left; zero if the lock was released or lost
     */
    public synchronized Duration remaining() {
        return givenUp || loss != null ? Duration.ZERO : lease.remaining(time.nanoTime());
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
        boolean over = givenUp || loss != null;
        if (!over && renewed.validUntilNanos() - lease.validUntilNanos() > 0) {
            lease = renewed;
        }
    }

    /**
     * Gives the program that gives the lock back, unless that was done or is under way. A loss that is found later is no
     * loss any more; one that the release itself finds is told to the listeners, on this thread.
     *
     * @param settings the settings of the client
     * @return a program that ends with true if the lock was held until now, and with false if it had been lost or given
     *     back before
     */
    public Step<Boolean> releasing(ClientSettings settings) {
        if (!giveUp()) {
            return Step.done(false);
        }
        Lease held = lease();
        OptionalLong token = OptionalLong.of(held.fencingToken());
        return new Releasing(settings, held.name(), held.owner(), token, held.validUntilNanos())
                .start()
                .fold(this::released, this::notReleased);
    }

    /** Notes that a release was broken off; it may be sent again. */
    public synchronized void notReleased() {
        releasing = false;
    }

    private synchronized boolean giveUp() {
        boolean begins = !settled && !releasing;
        releasing |= begins;
        givenUp = true;
        return begins;
    }

    private Step<Boolean> released(boolean wasHeld) {
        List<LossListener> unaware;
        synchronized (this) {
            releasing = false;
            settled = true;
            unaware = wasHeld ? List.of() : lose(lossBeforeRelease());
        }
        unaware.forEach(listener -> tell(listener, loss().orElseThrow()));
        return Step.done(wasHeld);
    }

    private Step<Boolean> notReleased(Reply.Failed failure) {
        notReleased();
        return new Step.Fail<>(failure);
    }

    /**
     * Notes a loss and tells the listeners, once, on this thread.
     *
     * @param reason why
     */
    public void lost(LossReason reason) {
        List<LossListener> unaware;
        synchronized (this) {
            unaware = givenUp ? List.of() : lose(reason);
        }
        unaware.forEach(listener -> tell(listener, reason));
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

    private LossReason lossBeforeRelease() {
        return lease.remaining(time.nanoTime()).isZero() ? LossReason.EXPIRED : LossReason.TAKEN_OVER;
    }

    private List<LossListener> lose(LossReason reason) {
        if (loss != null) {
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
