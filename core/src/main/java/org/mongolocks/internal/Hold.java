package org.mongolocks.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.mongolocks.EndangeredListener;
import org.mongolocks.Lease;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;
import org.mongolocks.TimeSource;

/**
 * Keeps the state of one held lock in this JVM: held, then released or lost, once. Thread-safe. Whoever finds out tells
 * it; the listeners are told on their executor, one after another.
 */
public final class Hold {
    private final TimeSource time;
    private final Audience audience;
    private Watcher watcher = new Watcher() {};
    private Lease lease;
    private boolean released;
    private boolean renewing;
    private @Nullable LossReason loss;
    private @Nullable Thread worker;
    private @Nullable Thread interrupted;

    /** Is told by a hold what changes for those who watch it; never in the hold's monitor. */
    interface Watcher {
        /** The next time to look may have come nearer. */
        default void nearer() {}

        /** The lock was released or lost. */
        default void over() {}
    }

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
    synchronized void watchedBy(Watcher by) {
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
     * Tells whether {@link #release()} was called.
     *
     * @return true if it was
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

    /** Tells whether the lock was released or lost, as far as is known, without a look at the clock. */
    synchronized boolean isOver() {
        return released || loss != null;
    }

    /** Notes that a renewal is tried: if the lease ends before one is answered, that is why. */
    public void renewing() {
        look();
        doubt();
    }

    /**
     * Notes a renewal. It may arrive after a release or a loss, or after the lease has ended, and then changes nothing.
     *
     * @param renewed the lease with its new end
     * @return false if the lock is not held any more
     */
    public boolean extended(Lease renewed) {
        look();
        return extend(renewed);
    }

    /**
     * Notes that the lock is being given back. From now on there is no loss, and nobody is interrupted.
     *
     * @return true the first time, unless the client was closed, which gives back too
     */
    public boolean release() {
        boolean first = letGo();
        watcher().over();
        return first;
    }

    /**
     * Notes a loss. The listeners are told, and the worker is interrupted, once.
     *
     * @param reason why
     */
    public void lost(LossReason reason) {
        if (lose(reason)) {
            over();
        }
    }

    /** Looks at the clock: warns who is to be warned, and finds the loss when the lease has ended. */
    void look() {
        if (judge()) {
            over();
        } else {
            audience.pass();
        }
    }

    /** Tells how long to wait until it is time to look again; empty when there is nothing more to see. */
    synchronized Optional<Duration> untilNextLook() {
        if (isOver()) {
            return Optional.empty();
        }
        return Optional.of(audience.untilNext(remaining()));
    }

    /**
     * Adds a listener for the loss. If the lock is known to be lost already, it is told now.
     *
     * @param listener whom to tell
     */
    public void onLost(LossListener listener) {
        listen(audience.inOrder(listener));
    }

    /**
     * Adds a listener that does not wait for the others.
     *
     * @param listener whom to tell
     */
    public void onLostAtOnce(LossListener listener) {
        listen(audience.apart(listener));
    }

    /**
     * Forgets a listener for the loss.
     *
     * @param listener whom not to tell, unless that is under way
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
        Duration ttl = lease().ttl();
        if (remaining.isNegative() || remaining.isZero() || remaining.compareTo(ttl) >= 0) {
            throw new IllegalArgumentException("A warning comes at a remaining time of more than zero and less than the"
                    + " ttl, which is " + ttl + ", but it was " + remaining);
        }
        audience.add(remaining, listener);
        look();
        watcher().nearer();
    }

    /**
     * Has a thread interrupted when the lock is lost; at once if it is lost already. Who finds out is not interrupted.
     *
     * @param thread the thread
     */
    public synchronized void interruptOnLoss(Thread thread) {
        worker = thread;
        if (loss != null && !released) {
            interrupt(thread);
        }
    }

    /**
     * Tells whether the loss has interrupted a thread.
     *
     * @param thread the thread
     * @return true if it has
     */
    public synchronized boolean hasInterrupted(Thread thread) {
        return interrupted == thread;
    }

    private synchronized Watcher watcher() {
        return watcher;
    }

    private synchronized void doubt() {
        renewing = true;
    }

    private synchronized boolean extend(Lease renewed) {
        if (isOver()) {
            return false;
        }
        renewing = false;
        if (renewed.validUntilNanos() - lease.validUntilNanos() > 0) {
            lease = renewed;
        }
        audience.extended(remaining());
        return true;
    }

    private synchronized boolean letGo() {
        boolean first = !released && loss != LossReason.CLIENT_CLOSED;
        released = true;
        worker = null;
        return first;
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

    private synchronized boolean lose(LossReason reason) {
        if (isOver()) {
            return false;
        }
        loss = reason;
        audience.tellLoss(lease, reason);
        if (worker != null && worker != Thread.currentThread()) {
            interrupt(worker);
        }
        return true;
    }

    private void listen(Audience.Ear ear) {
        addOrTell(ear);
        ear.by().pass();
    }

    private synchronized void addOrTell(Audience.Ear ear) {
        if (loss == null) {
            audience.add(ear);
        } else {
            ear.tell(lease, loss);
        }
    }

    private void interrupt(Thread thread) {
        interrupted = thread;
        thread.interrupt();
    }

    private void over() {
        audience.pass();
        watcher().over();
    }
}
