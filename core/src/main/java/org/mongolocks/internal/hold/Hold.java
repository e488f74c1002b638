package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.Lease;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockEvent;
import org.mongolocks.LockLostException;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.DeadlineQueue;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.time.TimeSource;

/**
 * The state of one held lock in this JVM. It starts as held, and is never held again once a release has begun or a loss
 * is recorded; a release can itself detect that the lock had been lost. Any thread may find a loss: it interrupts the
 * registered threads, signals the programs of the library that stop because of it, and logs it once; the listeners of
 * the user are called on their executor, one after another. Thread-safe.
 */
public final class Hold extends DeadlineQueue.Entry {
    private final TimeSource time;
    private final Executor executor;
    private final Observer observer;
    private final long grantedNanos;
    private volatile @Nullable HoldListeners listeners;
    private final Lease granted;
    /**
     * The end of the lease, which is all that a renewal changes: the garbage collector looks again at an old object that
     * gets a reference to a new one.
     */
    private long validUntilNanos;

    private Phase phase = Phase.HELD;
    /** Whether the lease had ended before the first release began. */
    private boolean endedBefore;

    private boolean releaseUnanswered;
    private boolean releaseMayBeExecuted;
    private boolean releasedInBackground;
    private @Nullable CompletableFuture<Void> inBackground;

    private boolean logged;
    private volatile boolean hasWarnings;
    private volatile boolean renewing;
    private volatile boolean keptAlive;
    private boolean keepAliveLimited;
    private long keepAliveEndNanos;
    private @Nullable LossReason loss;
    private OptionalLong minimumEndNanos = OptionalLong.empty();
    private final WeakReference<Thread> acquirer = new WeakReference<>(Thread.currentThread());
    private @Nullable RenewalGate gate;

    /** Creates the state for a grant; the executor runs the listeners. */
    public Hold(Lease lease, TimeSource time, Executor executor) {
        this(lease, time, executor, Observer.NONE, time.nanoTime());
    }

    /** Creates the state for a grant that arrived at a given time, and whose observer is the client's. */
    Hold(Lease lease, TimeSource time, Executor executor, Observer observer, long grantedNanos) {
        this.granted = lease;
        this.validUntilNanos = lease.validUntilNanos();
        this.time = time;
        this.executor = executor;
        this.observer = observer;
        this.grantedNanos = grantedNanos;
    }

    /**
     * How far the release is. A loss, which is recorded beside it, also ends the hold.
     *
     * <pre>
     * from         event                                            to
     * ----------   ----------------------------------------------   ---------
     * HELD         a release begins                                 RELEASING
     * HELD         the acquisition of several locks is rolled       GIVEN_UP
     *              back, or the client was closed before
     * RELEASING    the server has answered                          SETTLED
     * RELEASING    it was aborted, failed or got no reply           GIVEN_UP
     * GIVEN_UP     it is repeated                                   RELEASING
     * </pre>
     */
    private enum Phase {
        HELD,
        RELEASING,
        GIVEN_UP,
        SETTLED
    }

    /** An observer of all holds of a client; never called in the monitor of a hold. */
    interface Observer {
        /** An observer that does nothing. */
        Observer NONE = new Observer() {};

        /** Handles that the next check may be due earlier. */
        default void checkIsNearer(Hold hold) {}

        /** Handles that the lock was released or lost. */
        default void ended(Hold hold) {}

        default void happened(Hold hold, LockEvent.Kind kind, Optional<LossReason> lossReason) {}

        /** Handles that a release got no reply, and the lease has not ended. */
        default void releaseUnanswered(Hold hold) {}

        /** Handles that a handle was garbage-collected without a release. */
        default void forgotten(Hold hold, ForgottenHandle handle) {}
    }

    /** Returns when the grant arrived, on the clock of the client. */
    long grantedNanos() {
        return grantedNanos;
    }

    /** Returns the gate between renewals and guarded transactions. */
    public synchronized RenewalGate gate() {
        RenewalGate known = gate == null ? new RenewalGate() : gate;
        gate = known;
        return known;
    }

    /** Most locks end without a listener. */
    private synchronized HoldListeners listeners() {
        HoldListeners known = listeners;
        if (known == null) {
            known = new HoldListeners(executor, loss != null, phase != Phase.HELD);
            listeners = known;
        }
        return known;
    }

    /**
     * A handle that was garbage-collected without a release.
     *
     * @param acquiredAt the place in the user's code that acquired the lock; may be empty
     * @param isLast whether the lock has no other handle: it must be released
     * @param released to be run when the release has ended, successfully or not
     */
    public record ForgottenHandle(String acquiredAt, boolean isLast, Runnable released) {}

    /** Returns whether the lock is held and the client renews its lease. */
    public boolean isKeptAlive() {
        return keptAlive && !isOver();
    }

    /** Allows renewals up to the given time, or without a limit; an earlier call that allows more stays in force. */
    synchronized void keepAlive(Optional<Duration> limit) {
        long end = time.nanoTime() + limit.orElse(Duration.ZERO).toNanos();
        boolean isFirst = !keptAlive;
        if (limit.isEmpty()) {
            keepAliveLimited = false;
        } else if (isFirst || (keepAliveLimited && end - keepAliveEndNanos > 0)) {
            keepAliveLimited = true;
            keepAliveEndNanos = end;
        }
        keptAlive = true;
    }

    void endKeepAlive() {
        keptAlive = false;
    }

    /** Returns whether a lease that begins now would end after the limit of the keep-alive. */
    synchronized boolean isKeepAliveOver() {
        return keepAliveLimited && time.nanoTime() + granted.ttl().toNanos() - keepAliveEndNanos > 0;
    }

    /**
     * Reports a handle that was garbage-collected without a release, and releases the lock if it has no other handle. Both
     * happen on threads of the client, a little later.
     */
    public void forgotten(ForgottenHandle handle) {
        observer.forgotten(this, handle);
    }

    /**
     * Sets how long from now the lock stays held at least, unless an earlier call has set a later time.
     *
     * @param minimum from zero, which has no effect, to {@link LockRequest#MAX_TTL}
     * @throws IllegalArgumentException if it is out of bounds
     * @throws IllegalStateException if a release has begun
     */
    public synchronized void holdAtLeast(Duration minimum) {
        if (minimum.isNegative() || minimum.compareTo(LockRequest.MAX_TTL) > 0) {
            throw new IllegalArgumentException(
                    "holdAtLeast must be from " + Duration.ZERO + " to " + LockRequest.MAX_TTL + ", was " + minimum);
        }
        if (phase != Phase.HELD) {
            throw released("be held longer");
        }
        long end = time.nanoTime() + minimum.toNanos();
        if (!minimum.isZero() && end - minimumEndNanos.orElse(end - 1) > 0) {
            minimumEndNanos = OptionalLong.of(end);
        }
    }

    /** Returns the exception for a handle that was released. */
    public IllegalStateException released(String action) {
        return new IllegalStateException("Lock '" + granted.name() + "' was released and cannot " + action);
    }

    /**
     * Logs that a release failed, unless the driver's client is closed, which is logged once for all its locks. The
     * message says what was before, if anything.
     */
    public void logReleaseFailed(String when, Throwable error) {
        if (!(error instanceof ClientClosedException)) {
            BackgroundLog.log(
                    WARNING,
                    this + " could not be released" + when
                            + "; it is held until the server answers or its ttl has passed: " + error);
        }
    }

    /** Returns whether a release now would keep the lock held. */
    synchronized boolean isMinimumLeft() {
        return minimumEndNanos.isPresent() && minimumEndNanos.getAsLong() - time.nanoTime() > 0;
    }

    public LockName name() {
        return granted.name();
    }

    public synchronized Lease lease() {
        return LeaseTimes.endingAt(granted, validUntilNanos);
    }

    private boolean hasLeaseEnded() {
        return validUntilNanos - time.nanoTime() <= 0;
    }

    /** Returns the end of the newest lease on the holder's clock. */
    synchronized long validUntilNanos() {
        return validUntilNanos;
    }

    /** Returns false once the lock was released or lost. If the lease has ended, this call detects the loss. */
    public boolean isHeld() {
        checkExpiry();
        return !isOver();
    }

    /**
     * Returns whether nothing is left to release here: the server has answered a release, or the client was closed and
     * releases the lock itself.
     */
    public synchronized boolean isReleaseConfirmed() {
        return phase == Phase.SETTLED || loss == LossReason.CLIENT_CLOSED;
    }

    /** Returns whether this hold was created on the calling thread, as by the synchronous client that acquired it. */
    public boolean isAcquiredByThisThread() {
        return acquirer.refersTo(Thread.currentThread());
    }

    /** Returns how much of the lease is left: zero once a release has begun or a loss is known. */
    public synchronized Duration remaining() {
        return isOver() ? Duration.ZERO : LeaseTimes.remaining(lease(), time.nanoTime());
    }

    /** Returns why the lock was lost; empty if no loss is known. */
    public synchronized Optional<LossReason> loss() {
        return Optional.ofNullable(loss);
    }

    /** Returns the exception that reports the loss; the cause, if any, is what ended the work because of it. */
    public LockLostException lossException(@Nullable Throwable cause) {
        LossReason reason = loss().orElse(LossReason.EXPIRED);
        return new LockLostException(name(), reason, lossDetails(reason), cause);
    }

    /** Returns the figures of a loss, and what prevents it. */
    public String lossDetails(LossReason reason) {
        String ttl = "its ttl of " + Durations.text(granted.ttl());
        String kept = keptAlive ? "it was kept alive" : "it was not kept alive";
        return switch (reason) {
            case EXPIRED ->
                ttl + " ended"
                        + (keptAlive
                                ? " without a renewal, although " + kept
                                        + ", as after a pause of the process: another owner may hold the lock now, so write the"
                                        + " data with the fencing token, and use a longer ttl for longer pauses"
                                : keepAliveLimited
                                        ? ", and the limit of its keep-alive was reached: raise the limit, or use a longer ttl"
                                        : ", and " + kept + ": leave out fixedLease(), or use a longer ttl");
            case RENEWAL_FAILED ->
                "no renewal was answered within " + ttl + ", and " + kept
                        + ": see why the server does not answer, or use a longer ttl";
            case TAKEN_OVER, FORCED, CLIENT_CLOSED -> "its ttl was " + Durations.text(granted.ttl()) + ", and " + kept;
        };
    }

    /**
     * Adds the loss, if there is one by now, as a suppressed exception to an error thrown by the user's code, unless
     * that error reports it.
     */
    public void addLossTo(Throwable error) {
        if (!isHeld() && loss().isPresent() && !isReportedBy(error)) {
            error.addSuppressed(lossException(null));
        }
    }

    /** Returns whether an error is a {@link LockLostException} of this lock. */
    public boolean isReportedBy(Throwable error) {
        return error instanceof LockLostException lost && lost.lockName().equals(Optional.of(name()));
    }

    /** Returns whether a release has begun or a loss is known, without reading the clock. */
    public synchronized boolean isOver() {
        return phase != Phase.HELD || loss != null;
    }

    /**
     * Records that a renewal is attempted. If the lease ends before a renewal succeeds, the reason of the loss is
     * {@link LossReason#RENEWAL_FAILED}, not {@link LossReason#EXPIRED}.
     */
    public void markRenewing() {
        checkExpiry();
        renewing = true;
    }

    /**
     * Records a renewal. It has no effect after a release, a loss, or the end of the lease.
     *
     * @param endNanos the new end of the lease, less the skew margin; an earlier one than now has no effect
     * @return false if the lock is no longer held
     */
    public boolean markRenewed(long endNanos) {
        checkExpiry();
        boolean warnsAgain;
        synchronized (this) {
            if (isOver()) {
                return false;
            }
            renewing = false;
            validUntilNanos += Math.max(0, endNanos - validUntilNanos);
            warnsAgain = hasWarnings && listeners().extended(remaining());
        }
        if (warnsAgain) {
            observer.checkIsNearer(this);
        }
        observer.happened(this, LockEvent.Kind.RENEWED, Optional.empty());
        return true;
    }

    /**
     * Begins the release now, and returns the program that sends it. If a release is confirmed or in progress, the
     * program sends nothing and ends with false; but it awaits one that {@linkplain #releaseAgain repeats} an earlier one
     * without a reply, and ends with its result. If the command fails although the lock is lost or its lease has ended,
     * the program ends with false. From this call on no thread is interrupted, and a loss that is detected later is not
     * reported, unless the release itself detects it.
     *
     * @return a program that ends with true if the lock was held until now, and with false if it had been lost or
     *     released before
     */
    public Step<Boolean> releaseProgram(ClientSettings settings) {
        return releaseProgram(settings, settings.commandTimeout());
    }

    /** As {@link #releaseProgram(ClientSettings)}, but retries after faults for at most {@code timeout}. */
    public Step<Boolean> releaseProgram(ClientSettings settings, Duration timeout) {
        CompletableFuture<Void> underWay;
        ReleaseOperation begun;
        synchronized (this) {
            underWay = inBackground;
            begun = underWay == null ? beginRelease(settings, timeout) : null;
        }
        if (underWay != null) {
            return new Step.Pause<>(
                    settings.commandTimeout(), Optional.of(underWay), () -> releaseProgram(settings, timeout));
        }
        observer.ended(this);
        return begun == null ? Step.done(takeReleasedInBackground()) : release(begun);
    }

    private Step<Boolean> release(ReleaseOperation release) {
        return release.start()
                .then(
                        wasHeld -> wasHeld || isLossExplained()
                                ? releaseAnswered(wasHeld, LossReason.EXPIRED)
                                : release.lossReason().andThen(reason -> releaseAnswered(false, reason)),
                        failure -> releaseUnanswered(release, failure));
    }

    /** Returns the release of the newest lease, whose retries count from now. */
    ReleaseOperation releaseOperation(ClientSettings settings) {
        return releaseOperation(settings, time.nanoTime());
    }

    private synchronized ReleaseOperation releaseOperation(ClientSettings settings, long nowNanos) {
        ReleaseOperation release = ReleaseOperation.of(settings, lease(), nowNanos);
        if (minimumEndNanos.isPresent()) {
            release.notBefore(minimumEndNanos.getAsLong());
        }
        if (releaseUnanswered) {
            release.afterUnanswered();
        }
        return release;
    }

    /**
     * Begins another release after one that got no reply, unless the caller does so itself, and returns the program that
     * sends it. A caller that repeats the release meanwhile waits for {@link #endReleaseAgain}, and gets its result.
     */
    Step<Boolean> releaseAgain(ClientSettings settings) {
        return beginReleaseAgain() ? release(repeatedOperation(settings)) : Step.done(false);
    }

    private synchronized ReleaseOperation repeatedOperation(ClientSettings settings) {
        return releaseOperation(settings).inBackground(releaseMayBeExecuted);
    }

    private synchronized boolean beginReleaseAgain() {
        boolean begins = needsReleaseAgain() && phase != Phase.RELEASING;
        phase = begins ? Phase.RELEASING : phase;
        inBackground = begins ? new CompletableFuture<>() : inBackground;
        return begins;
    }

    /** Ends that release, with its result or without. */
    void endReleaseAgain(boolean isReleased) {
        CompletableFuture<Void> ended;
        synchronized (this) {
            ended = inBackground;
            releasedInBackground |= isReleased;
            inBackground = null;
        }
        if (ended != null) {
            ended.complete(null);
        }
    }

    /** Returns whether a release got no reply, and none that followed it, and the lease has not ended. */
    synchronized boolean needsReleaseAgain() {
        return releaseUnanswered && !isReleaseConfirmed() && loss == null && !hasLeaseEnded();
    }

    private synchronized boolean takeReleasedInBackground() {
        boolean isReleased = releasedInBackground;
        releasedInBackground = false;
        return isReleased;
    }

    /**
     * Records that a release was aborted or failed; it may be sent again. Returns true if the failure can be ignored,
     * because the lock is lost or its lease has ended.
     */
    public boolean recordReleaseFailed() {
        return recordReleaseFailed(false, false);
    }

    private boolean recordReleaseFailed(boolean isUnanswered, boolean mayBeExecuted) {
        boolean isEnded = endRelease(isUnanswered, mayBeExecuted);
        observer.ended(this);
        dispatch(false);
        return isEnded;
    }

    /** If the lease was alive when the release began, its end during the release is not recorded as a loss. */
    private synchronized boolean endRelease(boolean isUnanswered, boolean mayBeExecuted) {
        releaseMayBeExecuted |= mayBeExecuted;
        releaseUnanswered |= isUnanswered;
        phase = phase == Phase.SETTLED ? Phase.SETTLED : Phase.GIVEN_UP;
        if (listeners != null) {
            listeners.released();
        }
        boolean isEnded = loss != null || hasLeaseEnded();
        if (isEnded && endedBefore) {
            recordLoss(renewing ? LossReason.RENEWAL_FAILED : LossReason.EXPIRED);
        }
        return isEnded;
    }

    /** Records a loss. The listeners are called, and the worker is interrupted, once. */
    public void markLost(LossReason reason) {
        boolean found;
        synchronized (this) {
            found = phase == Phase.HELD && recordLoss(reason);
        }
        dispatch(found);
    }

    /** Reads the clock: sends the warnings that are due, and detects the loss when the lease has ended. */
    public void checkExpiry() {
        if (!isUneventful()) {
            dispatch(detectExpiry());
        }
    }

    /** Most calls find a lease that has not ended, and no warnings: 100,000 locks that are kept alive are checked often. */
    private synchronized boolean isUneventful() {
        return !hasWarnings && !isOver() && validUntilNanos - time.nanoTime() > 0;
    }

    /** Returns when the next check is due: the end of the lease if no warning is earlier. */
    synchronized long nextCheckNanos() {
        if (!hasWarnings) {
            return validUntilNanos;
        }
        long now = time.nanoTime();
        return now
                + listeners()
                        .untilNext(LeaseTimes.remaining(LeaseTimes.endingAt(granted, validUntilNanos), now))
                        .toNanos();
    }

    /**
     * Adds a listener of the user for the loss. If the lock is known to be lost already, the listener is called now, on
     * its executor.
     */
    public void onLost(LockLostListener listener) {
        onLost(this, listener);
    }

    public void onLost(Object handle, LockLostListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        synchronized (this) {
            if (loss == null) {
                listeners().add(handle, listener);
            } else {
                listeners().enqueue(listener, lease(), loss);
            }
        }
        listeners().dispatch();
    }

    /**
     * Adds a signal for the loss, for programs of the library. It is called on the thread that finds the loss, or now
     * if the lock is known to be lost already, without any monitor of the hold.
     *
     * @param signal completes a future, or hands a task to another thread; it neither blocks nor calls the user's code
     */
    public void signalLoss(LockLostListener signal) {
        signalLoss(this, signal);
    }

    public void signalLoss(Object handle, LockLostListener signal) {
        Optional<LossReason> known;
        synchronized (this) {
            known = loss();
            if (known.isEmpty()) {
                listeners().addProgram(handle, signal);
            }
        }
        known.ifPresent(reason -> signal.onLost(lease(), reason));
    }

    public void removeSignal(LockLostListener signal) {
        removeSignal(this, signal);
    }

    public void removeSignal(Object handle, LockLostListener signal) {
        HoldListeners known = listeners;
        if (known != null) {
            known.removeProgram(handle, signal);
        }
    }

    /** Removes all listeners, signals and threads of a handle that was released. */
    public void removeListeners(Object handle) {
        HoldListeners known = listeners;
        if (known != null) {
            known.remove(handle);
        }
    }

    /** Returns the number of handles with listeners, signals or threads. */
    int listeningHandles() {
        HoldListeners known = listeners;
        return known == null ? 0 : known.size();
    }

    /**
     * Adds a listener that is called before the lease expires.
     *
     * @param remaining how long before the end to call it; more than zero, less than the ttl
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public void onEndangered(Duration remaining, LockEndangeredListener listener) {
        onEndangered(this, remaining, listener);
    }

    /**
     * Adds a listener of a handle that is called before the lease expires.
     *
     * @param remaining how long before the end to call it; more than zero, less than the ttl
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public void onEndangered(Object handle, Duration remaining, LockEndangeredListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        HoldListeners.ExpiryWarning.requireWithin(lease().ttl(), remaining);
        listeners().add(handle, remaining, listener);
        hasWarnings = true;
        checkExpiry();
        observer.checkIsNearer(this);
    }

    /**
     * Registers a thread to interrupt when the lock is lost, once; at once if it is lost already. It replaces the
     * earlier one of the same handle. The thread that finds the loss is not interrupted, and none after a release.
     */
    public void interruptOnLoss(Object handle, Thread thread) {
        listeners().interruptOnLoss(handle, thread);
    }

    /** Removes the thread of a handle that was released. */
    public void endInterrupt(Object handle) {
        HoldListeners known = listeners;
        if (known != null) {
            known.endInterrupt(handle);
        }
    }

    /** Returns whether the loss has interrupted a thread. */
    public boolean hasInterrupted(Thread thread) {
        HoldListeners known = listeners;
        return known != null && known.hasInterrupted(thread);
    }

    /** Begins a release, which retries for no time if the lock is lost; null if one is confirmed or in progress. */
    private @Nullable ReleaseOperation beginRelease(ClientSettings settings, Duration timeout) {
        long now = time.nanoTime();
        boolean begins = !isReleaseConfirmed() && phase != Phase.RELEASING;
        endedBefore |= phase == Phase.HELD && validUntilNanos - now <= 0;
        phase = begins ? Phase.RELEASING : phase == Phase.HELD ? Phase.GIVEN_UP : phase;
        if (listeners != null) {
            listeners.released();
        }
        if (!begins) {
            return null;
        }
        return releaseOperation(settings, now).within(loss == null ? timeout : Duration.ZERO);
    }

    /** Returns whether a loss was detected before, or the lease has ended. */
    private synchronized boolean isLossExplained() {
        return loss != null || hasLeaseEnded();
    }

    private Step<Boolean> releaseAnswered(boolean wasHeld, LossReason reason) {
        boolean isReleased = completeRelease(wasHeld, reason);
        dispatch(false);
        if (isReleased) {
            observer.happened(this, LockEvent.Kind.RELEASED, Optional.empty());
        }
        return new Step.Done<>(isReleased);
    }

    private Step<Boolean> releaseUnanswered(ReleaseOperation release, Reply.Failed failure) {
        boolean isUnanswered = RenewalAttempt.Failed.isWithoutReply(failure);
        boolean isFirst = isUnanswered && !isReleaseUnanswered();
        if (recordReleaseFailed(isUnanswered, release.mayBeExecuted())) {
            return withoutRelease(failure);
        }
        observer.happened(this, LockEvent.Kind.RELEASE_FAILED, Optional.empty());
        if (isFirst) {
            observer.releaseUnanswered(this);
        }
        return new Step.Fail<>(failure);
    }

    /** Only the release that is under way changes it. */
    private synchronized boolean isReleaseUnanswered() {
        return releaseUnanswered;
    }

    /** A lock that is no longer held needs no release: the failure is no concern of the caller. */
    private Step<Boolean> withoutRelease(Reply.Failed failure) {
        BackgroundLog.log(INFO, this + " was not held any more when its release failed (" + failure.fault() + ")");
        return Step.done(false);
    }

    /** Returns whether the lock was held until now. */
    private synchronized boolean completeRelease(boolean wasHeld, LossReason reason) {
        phase = Phase.SETTLED;
        if (!wasHeld) {
            recordLoss(reason);
        }
        return wasHeld && loss == null;
    }

    /** Warnings are sent before the loss, also when both are detected at once. */
    private synchronized boolean detectExpiry() {
        if (isOver()) {
            return false;
        }
        Duration left = remaining();
        if (hasWarnings) {
            listeners().warn(lease(), left);
        }
        return left.isZero() && recordLoss(renewing ? LossReason.RENEWAL_FAILED : LossReason.EXPIRED);
    }

    private boolean recordLoss(LossReason reason) {
        if (loss != null) {
            return false;
        }
        loss = reason;
        if (listeners != null) {
            listeners.lost(lease(), reason);
        }
        return true;
    }

    /** Logging may block a thread of the user: the signals come first. */
    private void dispatch(boolean isLost) {
        HoldListeners known = listeners;
        if (known == null && !isLost && !isLossToLog()) {
            return;
        }
        try {
            if (known != null) {
                known.signal();
            }
        } finally {
            end(isLost, known);
        }
    }

    private void end(boolean isLost, @Nullable HoldListeners known) {
        try {
            if (isLost) {
                observer.ended(this);
            }
            lossToLog().ifPresent(this::reportLoss);
        } finally {
            if (known != null) {
                known.dispatch();
            }
        }
    }

    private synchronized boolean isLossToLog() {
        return loss != null && !logged;
    }

    private synchronized Optional<LossReason> lossToLog() {
        boolean isNew = loss != null && !logged;
        logged |= isNew;
        return isNew ? Optional.ofNullable(loss) : Optional.empty();
    }

    private void reportLoss(LossReason reason) {
        observer.happened(this, LockEvent.Kind.LOST, Optional.of(reason));
        if (reason == LossReason.CLIENT_CLOSED) {
            BackgroundLog.log(INFO, this + " is released because its client is closed");
        } else {
            BackgroundLog.log(WARNING, this + " was lost (" + reason + "): " + lossDetails(reason));
        }
    }

    /** Returns a description of the lock for logs. */
    @Override
    public String toString() {
        Lease now = lease();
        return "Lock '" + now.name() + "' (owner " + now.owner() + ", token " + now.fencingToken() + ")";
    }
}
