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
import java.util.function.UnaryOperator;
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
import org.mongolocks.internal.hold.HoldState.Earlier;
import org.mongolocks.internal.hold.HoldState.Held;
import org.mongolocks.internal.hold.HoldState.LateRelease;
import org.mongolocks.internal.hold.HoldState.Lost;
import org.mongolocks.internal.hold.HoldState.Released;
import org.mongolocks.internal.hold.HoldState.Releasing;
import org.mongolocks.internal.hold.HoldState.Unanswered;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.DeadlineQueue;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.time.TimeSource;

/**
 * One held lock in this JVM. Any thread may find that it is lost: it interrupts the registered threads, signals the
 * programs of the library that stop because of it, and logs it once; the listeners of the user are called on their
 * executor, one after another. Thread-safe.
 */
public final class Hold extends DeadlineQueue.Entry {
    private final TimeSource time;
    private final Executor executor;
    private final Observer observer;
    private final long grantedNanos;
    private final Lease granted;
    private final WeakReference<Thread> acquirer = new WeakReference<>(Thread.currentThread());
    /**
     * The end of the lease, which is all that a renewal changes: the garbage collector looks again at an old object that
     * gets a reference to a new one.
     */
    private volatile long validUntilNanos;

    private volatile HoldState state = Held.RENEWED;
    private volatile @Nullable HoldListeners listeners;
    private volatile KeepAliveLimit keepAlive = KeepAliveLimit.NOT_KEPT;
    private OptionalLong minimumEndNanos = OptionalLong.empty();
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

    /** Until when a lock is kept alive. A limit that was reached is remembered. */
    private record KeepAliveLimit(boolean isOn, OptionalLong endNanos) {
        static final KeepAliveLimit NOT_KEPT = new KeepAliveLimit(false, OptionalLong.empty());
        static final KeepAliveLimit NONE = new KeepAliveLimit(true, OptionalLong.empty());
    }

    /** An observer of all holds of a client; never called in the monitor of a hold. */
    interface Observer {
        /** An observer that does nothing. */
        Observer NONE = new Observer() {};

        /** Handles that a warning is due or the lease ends. */
        default void checkIsDue(Hold hold) {}

        /** Handles that the next check may be due earlier. */
        default void checkIsNearer(Hold hold) {}

        /** Handles that a release begins or has failed, or that the lock is lost; it may be called again. */
        default void ended(Hold hold) {}

        default void happened(Hold hold, LockEvent.Kind kind, Optional<LossReason> lossReason) {}

        /** Handles that a release got no reply, and the lease has not ended. */
        default void releaseUnanswered(Hold hold) {}

        /** Handles that a handle was garbage-collected without a release. */
        default void forgotten(Hold hold, ForgottenHandle handle) {}
    }

    @Override
    protected void onDue() {
        observer.checkIsDue(this);
    }

    /** Returns when the grant arrived, on the clock of the client. */
    long grantedNanos() {
        return grantedNanos;
    }

    /** Returns the gate between renewals and guarded transactions. */
    synchronized RenewalGate gate() {
        RenewalGate known = gate == null ? new RenewalGate() : gate;
        gate = known;
        return known;
    }

    /** Most locks end without a listener. */
    private synchronized HoldListeners listeners() {
        HoldListeners known = listeners;
        if (known == null) {
            known = new HoldListeners(executor, state instanceof Lost, isReleaseBegun());
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
        return keepAlive.isOn && !isOver();
    }

    /** Allows renewals up to the given time, or without a limit; an earlier call that allows more stays in force. */
    synchronized void keepAlive(Optional<Duration> limit) {
        if (limit.isEmpty()) {
            keepAlive = KeepAliveLimit.NONE;
            return;
        }
        long end = time.nanoTime() + limit.get().toNanos();
        OptionalLong known = keepAlive.endNanos;
        boolean isLater = known.isPresent() && end - known.getAsLong() > 0;
        if (!keepAlive.isOn || isLater) {
            keepAlive = new KeepAliveLimit(true, OptionalLong.of(end));
        }
    }

    synchronized void endKeepAlive() {
        keepAlive = new KeepAliveLimit(false, keepAlive.endNanos);
    }

    /** Returns whether a lease that begins now would end after the limit of the keep-alive. */
    boolean isKeepAliveOver() {
        OptionalLong end = keepAlive.endNanos;
        return end.isPresent() && time.nanoTime() + granted.ttl().toNanos() - end.getAsLong() > 0;
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
        if (isReleaseBegun()) {
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

    public Lease lease() {
        return LeaseTimes.endingAt(granted, validUntilNanos);
    }

    /** Returns whether a loss was detected, or the lease has ended. */
    private boolean isLostOrExpired(HoldState now) {
        return now instanceof Lost || isLeaseOver();
    }

    private boolean isLeaseOver() {
        return validUntilNanos - time.nanoTime() <= 0;
    }

    /** Returns the end of the newest lease on the holder's clock. */
    long validUntilNanos() {
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
    public boolean isReleaseConfirmed() {
        return isConfirmed(state);
    }

    private static boolean isConfirmed(HoldState now) {
        return now instanceof Released
                || (now instanceof Lost lost
                        && (lost.release() == LateRelease.ANSWERED || lost.reason() == LossReason.CLIENT_CLOSED));
    }

    /** Returns whether somebody has released the lock, or tried to. */
    private boolean isReleaseBegun() {
        HoldState now = state;
        return now instanceof Lost lost ? lost.release() != LateRelease.NONE : !(now instanceof Held);
    }

    /** Returns whether this hold was created on the calling thread, as by the synchronous client that acquired it. */
    public boolean isAcquiredByThisThread() {
        return acquirer.refersTo(Thread.currentThread());
    }

    /** Returns how much of the lease is left: zero once a release has begun or a loss is known. */
    public Duration remaining() {
        return isOver() ? Duration.ZERO : LeaseTimes.remaining(lease(), time.nanoTime());
    }

    /** Returns why the lock was lost; empty if no loss is known. */
    public Optional<LossReason> loss() {
        return state instanceof Lost lost ? Optional.of(lost.reason()) : Optional.empty();
    }

    /** Returns the exception that reports the loss; the cause, if any, is what ended the work because of it. */
    public LockLostException lossException(@Nullable Throwable cause) {
        LossReason reason = loss().orElse(LossReason.EXPIRED);
        return new LockLostException(name(), reason, lossDetails(reason), cause);
    }

    /** Returns the figures of a loss, and what prevents it. */
    public String lossDetails(LossReason reason) {
        String ttl = "its ttl of " + Durations.text(granted.ttl());
        KeepAliveLimit limit = keepAlive;
        String kept = limit.isOn ? "it was kept alive" : "it was not kept alive";
        return switch (reason) {
            case EXPIRED ->
                ttl + " ended"
                        + (limit.isOn
                                ? " without a renewal, although " + kept
                                        + ", as after a pause of the process: another owner may hold the lock now, so write the"
                                        + " data with the fencing token, and use a longer ttl for longer pauses"
                                : limit.endNanos.isPresent()
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
    public boolean isOver() {
        return !(state instanceof Held);
    }

    /**
     * Records that a renewal is attempted. If the lease ends before a renewal succeeds, the reason of the loss is
     * {@link LossReason#RENEWAL_FAILED}, not {@link LossReason#EXPIRED}.
     */
    public void markRenewing() {
        checkExpiry();
        synchronized (this) {
            state = state instanceof Held ? Held.RENEWING : state;
        }
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
            state = Held.RENEWED;
            validUntilNanos += Math.max(0, endNanos - validUntilNanos);
            HoldListeners known = listeners;
            warnsAgain = known != null && known.extended(remaining());
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
        Change change = change(now -> now.begin(isLeaseOver(), Optional.empty()));
        stopInterrupts();
        observer.ended(this);
        if (change.beginsRelease()) {
            Duration retryTime = change.before instanceof Lost ? Duration.ZERO : timeout;
            return release(releaseOperation(settings, change.after, retryTime));
        }
        if (change.before instanceof Releasing release && release.repetition().isPresent()) {
            return new Step.Pause<>(
                    settings.commandTimeout(), release.repetition(), () -> releaseProgram(settings, timeout));
        }
        boolean isRepeated =
                change(now -> now instanceof Released ? new Released(false) : now).before instanceof Released released
                        && released.isToReport();
        return Step.done(isRepeated);
    }

    /**
     * Begins another release after one that got no reply, unless the caller does so itself, and returns the program that
     * sends it. A caller that repeats the release meanwhile waits for its end, and gets its result.
     */
    Step<Boolean> releaseAgain(ClientSettings settings) {
        Optional<CompletableFuture<Void>> repetition = Optional.of(new CompletableFuture<>());
        Change change = change(now -> needsReleaseAgain() ? now.begin(isLeaseOver(), repetition) : now);
        return change.beginsRelease()
                ? release(releaseOperation(settings, change.after, settings.commandTimeout()))
                : Step.done(false);
    }

    /** Returns the release of the newest lease, in the state that the lock has. */
    ReleaseOperation releaseOperation(ClientSettings settings) {
        return releaseOperation(settings, state, settings.commandTimeout());
    }

    private synchronized ReleaseOperation releaseOperation(ClientSettings settings, HoldState now, Duration retryTime) {
        Lease last = lease();
        ReleaseOperation release = new ReleaseOperation(
                        settings,
                        last.name(),
                        last.owner(),
                        OptionalLong.of(last.fencingToken()),
                        last.validUntilNanos(),
                        time.nanoTime())
                .within(retryTime);
        if (minimumEndNanos.isPresent()) {
            release.notBefore(minimumEndNanos.getAsLong());
        }
        Earlier before = earlier(now);
        return before == Earlier.NONE ? release : release.after(before, isRepetition(now));
    }

    private Step<Boolean> release(ReleaseOperation release) {
        return release.start()
                .then(
                        wasHeld -> wasHeld || isLostOrExpired(state)
                                ? releaseAnswered(wasHeld, LossReason.EXPIRED)
                                : release.lossReason().andThen(reason -> releaseAnswered(false, reason)),
                        failure -> releaseFailed(release, failure));
    }

    private Step<Boolean> releaseAnswered(boolean wasHeld, LossReason reason) {
        Change change = change(now -> now.answered(wasHeld, reason));
        if (change.isLoss()) {
            dispatch(change);
        }
        boolean isReleased = change.after instanceof Released;
        if (isReleased) {
            observer.happened(this, LockEvent.Kind.RELEASED, Optional.empty());
        }
        change.endRepetition();
        return new Step.Done<>(isReleased);
    }

    /** The failure is no concern of the caller if the lock needs no release any more. */
    private Step<Boolean> releaseFailed(ReleaseOperation release, Reply.Failed failure) {
        boolean isUnanswered = RenewalAttempt.Failed.isWithoutReply(failure);
        boolean isNone = release.outcome() == Earlier.NONE && isUnanswered;
        Earlier outcome = isNone ? Earlier.UNANSWERED : release.outcome();
        if (recordReleaseFailed(now -> now.failed(outcome, isLeaseOver()))) {
            BackgroundLog.log(INFO, this + " was not held any more when its release failed (" + failure.fault() + ")");
            return Step.done(false);
        }
        observer.happened(this, LockEvent.Kind.RELEASE_FAILED, Optional.empty());
        if (isUnanswered) {
            observer.releaseUnanswered(this);
        }
        return new Step.Fail<>(failure);
    }

    /**
     * Records that a release of a caller was aborted or failed, or will not be sent; it may be sent again. Without effect
     * while the client repeats the release. Returns true if the failure can be ignored, because the lock is lost or its
     * lease has ended.
     */
    public boolean recordReleaseFailed() {
        return recordReleaseFailed(now -> isRepetition(now) ? now : now.failed(Earlier.NONE, isLeaseOver()));
    }

    /** Ends a repeated release that was aborted; without effect if it has ended. */
    void recordRepetitionFailed() {
        if (isRepetition(state)) {
            boolean unused = recordReleaseFailed(now -> now.failed(Earlier.NONE, isLeaseOver()));
        }
    }

    private boolean recordReleaseFailed(UnaryOperator<HoldState> failure) {
        boolean isNoConcern = isLostOrExpired(state);
        Change change = change(failure);
        stopInterrupts();
        observer.ended(this);
        dispatch(change);
        change.endRepetition();
        return isNoConcern || change.after instanceof Lost;
    }

    private static boolean isRepetition(HoldState now) {
        return now instanceof Releasing release && release.repetition().isPresent();
    }

    /** Returns whether some release got no reply, none was answered since, and the lease lasts. */
    boolean needsReleaseAgain() {
        return earlier(state) != Earlier.NONE && !isLeaseOver();
    }

    private static Earlier earlier(HoldState now) {
        return now instanceof Unanswered last
                ? last.earlier()
                : now instanceof Releasing release ? release.earlier() : Earlier.NONE;
    }

    private void stopInterrupts() {
        HoldListeners known = listeners;
        if (known != null) {
            known.released();
        }
    }

    /** Records a loss. The listeners are called, and the worker is interrupted, once. */
    public void markLost(LossReason reason) {
        dispatch(change(now -> now instanceof Held ? new Lost(reason, LateRelease.NONE) : now));
    }

    private record Change(HoldState before, HoldState after) {
        boolean isLoss() {
            return after instanceof Lost && !(before instanceof Lost);
        }

        boolean beginsRelease() {
            return before != after && !isConfirmed(after);
        }

        /** A caller that waits for the end of a repeated release looks at its outcome. */
        void endRepetition() {
            if (before != after && before instanceof Releasing release) {
                release.repetition().ifPresent(end -> end.complete(null));
            }
        }
    }

    /** Moves to the next state. If that is a loss, it interrupts threads, and queues the calls of the listeners. */
    private synchronized Change change(UnaryOperator<HoldState> event) {
        Change change = new Change(state, event.apply(state));
        state = change.after;
        HoldListeners known = listeners;
        if (known != null && change.after instanceof Lost lost && change.isLoss()) {
            known.lost(lease(), lost.reason());
        }
        return change;
    }

    /** Reads the clock: sends the warnings that are due, and detects the loss when the lease has ended. */
    public void checkExpiry() {
        if (!isUneventful()) {
            dispatch(detectExpiry());
        }
    }

    /** Most calls find a lease that has not ended, and no warnings: 100,000 locks that are kept alive are checked often. */
    private boolean isUneventful() {
        HoldListeners known = listeners;
        return (known == null || !known.hasWarnings()) && !isOver() && !isLeaseOver();
    }

    /** Returns when the next check is due: the end of the lease if no warning is earlier. */
    long nextCheckNanos() {
        HoldListeners known = listeners;
        if (known == null || !known.hasWarnings()) {
            return validUntilNanos;
        }
        long now = time.nanoTime();
        return now + known.untilNext(LeaseTimes.remaining(lease(), now)).toNanos();
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
            if (state instanceof Lost lost) {
                listeners().enqueue(listener, lease(), lost.reason());
            } else {
                listeners().add(handle, listener);
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

    /** Warnings are sent before the loss, also when both are detected at once. */
    private Change detectExpiry() {
        return change(now -> {
            Duration left = remaining();
            HoldListeners known = listeners;
            if (known != null && now instanceof Held) {
                known.warn(lease(), left);
            }
            return now instanceof Held held && left.isZero() ? new Lost(held.ifOver(), LateRelease.NONE) : now;
        });
    }

    /** Logging may block a thread of the user: the signals come first. */
    private void dispatch(Change change) {
        HoldListeners known = listeners;
        try {
            if (known != null) {
                known.signal();
            }
        } finally {
            try {
                if (change.isLoss()) {
                    observer.ended(this);
                    loss().ifPresent(this::reportLoss);
                }
            } finally {
                if (known != null) {
                    known.dispatch();
                }
            }
        }
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
