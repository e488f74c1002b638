package org.mongolocks.internal;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.EndangeredListener;
import org.mongolocks.Lease;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;
import org.mongolocks.TimeSource;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * Keeps the state of one held lock in this JVM: held, then released or lost, once. Thread-safe. Whoever finds out tells
 * it; the listeners are told on their executor, one after another.
 */
public final class Hold {
    private final TimeSource time;
    private final Audience audience;
    private volatile Watcher watcher = Watcher.NOBODY;
    private Lease lease;
    private boolean releasing;
    private boolean givenUp;
    private boolean settled;
    private volatile boolean renewing;
    private @Nullable LossReason loss;
    private final Interruption interruption = new Interruption(this);
    final RenewalGate gate = new RenewalGate();

    /**
     * Begins with a grant.
     *
     * @param lease the grant
     * @param time the monotonic time of the client
     * @param executor runs the listeners
     */
    public Hold(Lease lease, TimeSource time, Executor executor) {
        this.lease = lease;
        this.time = time;
        this.audience = new Audience(executor);
    }

    /** Sets who watches, before anybody else knows this hold. */
    void watchedBy(Watcher by) {
        watcher = by;
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
        look();
        return !isOver();
    }

    /**
     * Tells whether it is known whether the lock was held until it was released; nothing is left to release then.
     *
     * @return true once the server has answered a release, and when the client was closed
     */
    public synchronized boolean isSettled() {
        return settled || loss == LossReason.CLIENT_CLOSED;
    }

    /**
     * Tells how much of the lease is left.
     *
     * @return the time left; zero if the lock was released or lost
     */
    public synchronized Duration remaining() {
        return isOver() ? Duration.ZERO : lease.remaining(time.nanoTime());
    }

    /**
     * Tells whether and why the lock was lost, as far as is known.
     *
     * @return the reason, or empty
     */
    public synchronized Optional<LossReason> loss() {
        return Optional.ofNullable(loss);
    }

    /** Returns whether the lock was released or lost, as far as is known, without a look at the clock. */
    synchronized boolean isOver() {
        return givenUp || loss != null;
    }

    /** Notes that a renewal is tried: if the lease ends before one is answered, that is why. */
    public void renewing() {
        look();
        renewing = true;
    }

    /**
     * Notes a renewal. It may arrive after a release or a loss, or after the lease has ended, and then changes nothing.
     *
     * @param renewed the lease with its new end
     * @return false if the lock is not held any more
     */
    public boolean extended(Lease renewed) {
        look();
        synchronized (this) {
            if (isOver()) {
                return false;
            }
            renewing = false;
            lease = renewed.validUntilNanos() - lease.validUntilNanos() > 0 ? renewed : lease;
            audience.extended(remaining());
            return true;
        }
    }

    /**
     * Gives the program that gives the lock back, unless that was done or is under way. From now on nobody is interrupted,
     * and a loss that is found later is none, unless the release itself finds it: that one is told.
     *
     * @param settings the settings of the client
     * @return a program that ends with true if the lock was held until now, and with false if it had been lost or given
     *     back before
     */
    public Step<Boolean> releasing(ClientSettings settings) {
        return releasing(settings, settings.commandTimeout());
    }

    /** Asks again after faults for so long only. */
    Step<Boolean> releasing(ClientSettings settings, Duration patience) {
        boolean begins = giveUp();
        watcher.over();
        return begins
                ? Releasing.of(settings, lease()).within(patience).start().fold(this::released, this::unanswered)
                : Step.done(false);
    }

    /** Notes that a release was broken off; it may be sent again. */
    public synchronized void notReleased() {
        releasing = false;
    }

    /**
     * Notes a loss. The listeners are told, and the worker is interrupted, once.
     *
     * @param reason why
     */
    public void lost(LossReason reason) {
        boolean found;
        synchronized (this) {
            found = !givenUp && lose(reason);
        }
        passOn(found);
    }

    /** Looks at the clock: warns who is to be warned, and finds the loss when the lease has ended. */
    void look() {
        passOn(judge());
    }

    /** Tells how long to wait until it is time to look again; empty when there is nothing more to see. */
    synchronized Optional<Duration> untilNextLook() {
        return isOver() ? Optional.empty() : Optional.of(audience.untilNext(remaining()));
    }

    /**
     * Adds a listener for the loss. If the lock is known to be lost already, it is told now.
     *
     * @param listener whom to tell
     */
    public void onLost(LossListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        listen(audience.inOrder(listener));
    }

    /**
     * Adds a listener that does not wait for the others.
     *
     * @param listener whom to tell
     */
    public void onLostAtOnce(LossListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        listen(audience.apart(listener));
    }

    /**
     * Forgets a listener.
     *
     * @param listener whom not to tell
     */
    public void forget(LossListener listener) {
        audience.remove(listener);
    }

    /**
     * Adds a listener for the approach of the end.
     *
     * @param remaining how near the end must be; more than zero, less than the ttl
     * @param listener whom to tell
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public void onEndangered(Duration remaining, EndangeredListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        DangerZone.requireWithin(lease().ttl(), remaining);
        audience.add(remaining, listener);
        look();
        watcher.nearer();
    }

    /**
     * Gives what interrupts threads when the lock is lost.
     *
     * @return the one of this lock
     */
    public Interruption interruption() {
        return interruption;
    }

    private synchronized boolean giveUp() {
        boolean begins = !isSettled() && !releasing;
        releasing |= begins;
        givenUp = true;
        interruption.end();
        return begins;
    }

    private Step<Boolean> released(boolean wasHeld) {
        settle(wasHeld);
        audience.pass();
        return Step.done(wasHeld && loss().isEmpty());
    }

    private Step<Boolean> unanswered(Reply.Failed failure) {
        notReleased();
        return new Step.Fail<>(failure);
    }

    private synchronized void settle(boolean wasHeld) {
        releasing = false;
        settled = true;
        if (!wasHeld) {
            lose(lease.remaining(time.nanoTime()).isZero() ? LossReason.EXPIRED : LossReason.TAKEN_OVER);
        }
    }

    /** Warnings come before the loss, also when both are found at once. */
    private synchronized boolean judge() {
        if (isOver()) {
            return false;
        }
        Duration left = remaining();
        audience.warn(lease, left);
        return left.isZero() && lose(renewing ? LossReason.RENEWAL_FAILED : LossReason.EXPIRED);
    }

    private boolean lose(LossReason reason) {
        if (loss != null) {
            return false;
        }
        loss = reason;
        audience.tellLoss(lease, reason);
        interruption.comeUnlessFoundByItself();
        return true;
    }

    private void listen(Audience.Ear ear) {
        synchronized (this) {
            if (loss == null) {
                audience.add(ear);
            } else {
                ear.tell(lease, loss);
            }
        }
        ear.by().pass();
    }

    private void passOn(boolean isLost) {
        audience.pass();
        if (isLost) {
            watcher.over();
        }
    }
}
