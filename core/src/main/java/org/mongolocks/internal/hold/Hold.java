package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.Lease;
import org.mongolocks.LockLostListener;
import org.mongolocks.LossReason;
import org.mongolocks.TimeSource;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The state of one held lock in this JVM: held, then released or lost, once. Any thread may detect a loss; listeners
 * are called on their executor, one after another. A loss is logged once. Thread-safe.
 */
public final class Hold {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final TimeSource time;
    private final HoldListeners audience;
    private volatile Observer observer = Observer.NONE;
    private Lease lease;
    private boolean releasing;
    private boolean givenUp;
    private boolean settled;
    /** Whether the lease had ended before the first release began. */
    private boolean endedBefore;

    private boolean logged;
    private volatile boolean renewing;
    private @Nullable LossReason loss;
    private final LossInterrupter interruption = new LossInterrupter(this);
    private final WeakReference<Thread> acquirer = new WeakReference<>(Thread.currentThread());
    final RenewalGate gate = new RenewalGate();

    /**
     * Creates the state for a grant.
     *
     * @param lease the grant
     * @param time the monotonic time of the client
     * @param executor runs the listeners
     */
    public Hold(Lease lease, TimeSource time, Executor executor) {
        this.lease = lease;
        this.time = time;
        this.audience = new HoldListeners(executor);
    }

    /** An observer of a hold; never called in the hold's monitor. */
    interface Observer {
        /** An observer that does nothing. */
        Observer NONE = new Observer() {};

        /** Handles that the next check may be due earlier. */
        default void checkIsNearer() {}

        /** Handles that the lock was released or lost. */
        default void ended() {}
    }

    /** Sets the observer, before this hold is published. */
    void observedBy(Observer by) {
        observer = by;
    }

    /**
     * Returns the newest lease.
     *
     * @return the lease
     */
    public synchronized Lease lease() {
        return lease;
    }

    /**
     * Returns whether the lease has not ended and no loss is known. If the lease has ended, this call detects the loss.
     *
     * @return false once the lock was released or lost
     */
    public boolean isHeld() {
        checkExpiry();
        return !isOver();
    }

    /**
     * Returns whether the release is resolved: it is known whether the lock was held until then, and nothing is left to
     * release.
     *
     * @return true once the server has replied to a release, and when the client was closed
     */
    public synchronized boolean isReleaseConfirmed() {
        return settled || loss == LossReason.CLIENT_CLOSED;
    }

    /**
     * Returns whether this hold was created on the calling thread, as by the synchronous client that acquired it.
     *
     * @return true on that thread
     */
    public boolean isAcquiredByThisThread() {
        return acquirer.refersTo(Thread.currentThread());
    }

    /**
     * Returns how much of the lease is left.
     *
     * @return the time left; zero if the lock was released or lost
     */
    public synchronized Duration remaining() {
        return isOver() ? Duration.ZERO : lease.remaining(time.nanoTime());
    }

    /**
     * Returns why the lock was lost, as far as is known.
     *
     * @return the reason, or empty if no loss is known
     */
    public synchronized Optional<LossReason> loss() {
        return Optional.ofNullable(loss);
    }

    /** Returns whether the lock was released or lost, as far as is known, without reading the clock. */
    public synchronized boolean isOver() {
        return givenUp || loss != null;
    }

    /** Records that a renewal is attempted: if the lease ends before a reply, that is the reason of the loss. */
    public void markRenewing() {
        checkExpiry();
        renewing = true;
    }

    /**
     * Records a renewal. It has no effect after a release, a loss, or the end of the lease.
     *
     * @param renewed the lease with its new end
     * @return false if the lock is no longer held
     */
    public boolean markRenewed(Lease renewed) {
        checkExpiry();
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
     * Returns the program that releases the lock, unless that was done or is in progress. If it fails after the lock was
     * lost or its lease has ended, it ends with false. From now on no thread is
     * interrupted, and a loss that is detected later is not reported, unless the release itself detects it.
     *
     * @param settings the settings of the client
     * @return a program that ends with true if the lock was held until now, and with false if it had been lost or
     *     released before
     */
    public Step<Boolean> releaseProgram(ClientSettings settings) {
        return releaseProgram(settings, loss().isPresent() ? Duration.ZERO : settings.commandTimeout());
    }

    /** Retries after faults for that long at most. */
    public Step<Boolean> releaseProgram(ClientSettings settings, Duration timeout) {
        boolean begins = beginRelease();
        observer.ended();
        return begins
                ? ReleaseOperation.of(settings, lease())
                        .within(timeout)
                        .start()
                        .then(this::releaseAnswered, this::releaseUnanswered)
                : Step.done(false);
    }

    /**
     * Records that a release was aborted or failed; it may be sent again.
     *
     * @return true if that does not matter, because the lock is lost, or its lease has ended by now
     */
    public boolean notReleased() {
        boolean isEnded = endRelease();
        dispatch(false);
        return isEnded;
    }

    /** Work that ended in time has not lost its lock, though the lease ended while its release was tried. */
    private synchronized boolean endRelease() {
        releasing = false;
        boolean isEnded = loss != null || lease.remaining(time.nanoTime()).isZero();
        if (isEnded && endedBefore) {
            recordLoss(renewing ? LossReason.RENEWAL_FAILED : LossReason.EXPIRED);
        }
        return isEnded;
    }

    /**
     * Records a loss. The listeners are called, and the worker is interrupted, once.
     *
     * @param reason why it was lost
     */
    public void markLost(LossReason reason) {
        boolean found;
        synchronized (this) {
            found = !givenUp && recordLoss(reason);
        }
        dispatch(found);
    }

    /** Reads the clock: sends the warnings that are due, and detects the loss when the lease has ended. */
    public void checkExpiry() {
        dispatch(judgeExpiry());
    }

    /** Returns how long to wait until the next check; empty when no further check is needed. */
    synchronized Optional<Duration> untilNextLook() {
        return isOver() ? Optional.empty() : Optional.of(audience.untilNext(remaining()));
    }

    /**
     * Adds a listener for the loss. If the lock is known to be lost already, the listener is called now.
     *
     * @param listener the listener
     */
    public void onLost(LockLostListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        addListener(audience.serial(listener));
    }

    /**
     * Adds a listener that does not wait for the others.
     *
     * @param listener the listener
     */
    public void onLostConcurrently(LockLostListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        addListener(audience.concurrent(listener));
    }

    /**
     * Removes a listener.
     *
     * @param listener the listener
     */
    public void forget(LockLostListener listener) {
        audience.remove(listener);
    }

    /**
     * Adds a listener that is called before the lease expires.
     *
     * @param remaining how long before the end to call it; more than zero, less than the ttl
     * @param listener the listener
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public void onEndangered(Duration remaining, ExpiryWarningListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        HoldListeners.ExpiryWarning.requireWithin(lease().ttl(), remaining);
        audience.add(remaining, listener);
        checkExpiry();
        observer.checkIsNearer();
    }

    /**
     * Returns the interrupter of threads for the loss of this lock.
     *
     * @return the one of this lock
     */
    public LossInterrupter interruption() {
        return interruption;
    }

    private synchronized boolean beginRelease() {
        boolean begins = !isReleaseConfirmed() && !releasing;
        releasing |= begins;
        endedBefore |= !givenUp && lease.remaining(time.nanoTime()).isZero();
        givenUp = true;
        interruption.end();
        return begins;
    }

    private Step<Boolean> releaseAnswered(boolean wasHeld) {
        completeRelease(wasHeld);
        dispatch(false);
        return Step.done(wasHeld && loss().isEmpty());
    }

    private Step<Boolean> releaseUnanswered(Reply.Failed failure) {
        return notReleased() ? withoutRelease(failure) : new Step.Fail<>(failure);
    }

    /** A lock that is no longer held needs no release: the failure is no concern of the caller. */
    private Step<Boolean> withoutRelease(Reply.Failed failure) {
        LOG.log(INFO, this + " was not held any more when its release failed (" + failure.fault() + ")");
        return Step.done(false);
    }

    private synchronized void completeRelease(boolean wasHeld) {
        releasing = false;
        settled = true;
        if (!wasHeld) {
            recordLoss(lease.remaining(time.nanoTime()).isZero() ? LossReason.EXPIRED : LossReason.TAKEN_OVER);
        }
    }

    /** Warnings are sent before the loss, also when both are detected at once. */
    private synchronized boolean judgeExpiry() {
        if (isOver()) {
            return false;
        }
        Duration left = remaining();
        audience.warn(lease, left);
        return left.isZero() && recordLoss(renewing ? LossReason.RENEWAL_FAILED : LossReason.EXPIRED);
    }

    private boolean recordLoss(LossReason reason) {
        if (loss != null) {
            return false;
        }
        loss = reason;
        audience.enqueueLoss(lease, reason);
        interruption.interruptAllButCurrent();
        return true;
    }

    private void addListener(HoldListeners.Registration registration) {
        synchronized (this) {
            if (loss == null) {
                audience.add(registration);
            } else {
                registration.enqueue(lease, loss);
            }
        }
        registration.by().dispatch();
    }

    private void dispatch(boolean isLost) {
        lossToLog().ifPresent(this::logLoss);
        audience.dispatch();
        if (isLost) {
            observer.ended();
        }
    }

    private synchronized Optional<LossReason> lossToLog() {
        boolean isNew = loss != null && !logged;
        logged |= isNew;
        return isNew ? Optional.ofNullable(loss) : Optional.empty();
    }

    private void logLoss(LossReason reason) {
        boolean isIntended = reason == LossReason.CLIENT_CLOSED;
        LOG.log(
                isIntended ? INFO : WARNING,
                this + (isIntended ? " is released because its client is closed" : " was lost (" + reason + ")"));
    }

    /** Returns a description of the lock for logs. */
    @Override
    public String toString() {
        Lease now = lease();
        return "Lock '" + now.name() + "' (owner " + now.owner() + ", token " + now.fencingToken() + ")";
    }
}
