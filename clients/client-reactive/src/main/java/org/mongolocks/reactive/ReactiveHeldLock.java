package org.mongolocks.reactive;

import com.mongodb.reactivestreams.client.ClientSession;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.mongolocks.Lease;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockException;
import org.mongolocks.LockHandle;
import org.mongolocks.LockLostException;
import org.mongolocks.LockLostListener;
import org.mongolocks.LossReason;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.RenewOperation;
import org.mongolocks.internal.reentrant.HandleListeners;
import org.mongolocks.internal.reentrant.HoldReference;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A lock that was acquired; {@link LockHandle} says how long it is held. It belongs to no subscriber. Each {@code Mono}
 * does its work for each subscriber, and nothing before a subscription. Signals arrive on the driver's threads: do not
 * block there.
 */
public final class ReactiveHeldLock implements LockHandle {
    private final Sessions programs;
    private final Hold hold;
    private final HoldReference share;
    private final HandleListeners listeners;

    ReactiveHeldLock(Sessions programs, Hold hold) {
        this(programs, hold, HoldReference.exclusive());
    }

    /** Creates one of several handles, if the lock was entered several times. */
    ReactiveHeldLock(Sessions programs, Hold hold, HoldReference share) {
        this.programs = programs;
        this.hold = hold;
        this.share = share;
        this.listeners = new HandleListeners(hold, share);
        share.watch(this, hold, () -> "");
    }

    @Override
    public long fencingToken() {
        return hold.lease().fencingToken();
    }

    @Override
    public Lease lease() {
        return hold.lease();
    }

    @Override
    public boolean isHeld() {
        return hold.isHeld() && !share.isReleased();
    }

    @Override
    public Duration remaining() {
        return share.isReleased() ? Duration.ZERO : hold.remaining();
    }

    @Override
    public Optional<LossReason> loss() {
        return share.loss(hold);
    }

    @Override
    public Optional<LockLostException> lossException() {
        return loss().map(reason -> hold.lossException(null));
    }

    @Override
    public void onLost(LockLostListener listener) {
        listeners.onLost(listener);
    }

    /**
     * Returns the loss of this lock as a signal. It waits for no listener of this lock. Like a listener, a subscription
     * to a lock that is kept alive does not keep the lock: keep the handle, or the subscription.
     *
     * @return emits the reason when the lock is lost, on a thread of the client for callbacks: a subscriber that blocks
     *     there delays no other lock. Never emits otherwise. No round trip.
     */
    public Mono<LossReason> lost() {
        return Mono.create(sink -> {
            Runnable removal = listeners.signalLoss(signal(sink));
            sink.onDispose(removal::run);
        });
    }

    /** As {@link #lost()}, for work that the lock guards, which keeps this handle as long as it is subscribed. */
    Mono<LossReason> lossForWork() {
        return Mono.create(sink -> {
            LockLostListener signal = signal(sink);
            sink.onDispose(() -> {
                try {
                    hold.removeSignal(share, signal);
                } finally {
                    Reference.reachabilityFence(this);
                }
            });
            hold.signalLoss(share, signal);
        });
    }

    /**
     * Emits the reason on a thread for callbacks: the thread that finds the loss is needed for other locks. If no thread
     * can be created, it emits on the thread that finds the loss.
     */
    private LockLostListener signal(MonoSink<LossReason> sink) {
        CallerLoader caller = CallerLoader.ofThisThread();
        return (lease, reason) -> {
            if (!share.isReleased()) {
                emit(caller.with(() -> sink.success(reason)));
            }
        };
    }

    private void emit(Runnable emission) {
        boolean done = false;
        try {
            programs.threads().callbacks().execute(emission);
            done = true;
        } finally {
            if (!done) {
                emission.run();
            }
        }
    }

    @Override
    public void onEndangered(Duration remaining, LockEndangeredListener listener) {
        listeners.onEndangered(remaining, listener);
    }

    /**
     * Renews the lease: it lasts a whole ttl from now. One round trip, more after faults. A lease that has ended on
     * this JVM's clock is not renewed: that is a loss, found without a round trip. While the server gives no reply the
     * old end of the lease stands, and the renewal is retried, with a part of the time until then for each attempt. It
     * emits or fails by that end. After a cancellation the lease may or may not have been renewed.
     *
     * @return emits true if the lease was extended; false if the lock is lost or was released: stop the guarded work.
     *     Fails with {@link LockException} if the server gave no reply, or refused; the lock may still be held for
     *     {@link #remaining()}. Fails with {@link IllegalStateException} while a
     *     {@linkplain #inTransaction guarded transaction} is open, which renews it itself.
     */
    public Mono<Boolean> renew() {
        return renew(hold.lease().ttl());
    }

    /**
     * Renews the lease for a time of its own: it lasts at least that long from now, and never ends earlier than before. A
     * shorter time than {@link #remaining()} leaves the end as it is. Otherwise as {@link #renew()}. Keep-alive and
     * {@link #renew()} go on with the ttl of the request.
     *
     * <p>If no reply arrives, the lease may have been renewed on the server: after a crash of this process the lock then
     * stays held for that time. With {@code optimistic-version-clock-free} it does so after a crash at any later time of
     * this grant, because the lease of a grant never gets shorter there.
     *
     * @param ttl how long the lease lasts from now, less the skew margin: whole milliseconds from
     *     {@link org.mongolocks.LockRequest#MIN_TTL} to {@link org.mongolocks.LockRequest#MAX_TTL}
     * @return emits true if the lock is held for that time; false if the lock is lost or was released: stop the guarded
     *     work. Fails as {@link #renew()} does.
     * @throws IllegalArgumentException if the ttl is out of bounds, or does not exceed the skew margin
     */
    public Mono<Boolean> renew(Duration ttl) {
        Duration length = RenewOperation.requireTtl(programs.settings(), hold.lease(), ttl);
        return Mono.defer(() -> share.isReleased() || hold.loss().equals(Optional.of(LossReason.CLIENT_CLOSED))
                ? Mono.just(false)
                : Mono.using(
                        () -> RenewOperation.ofHolder(programs.settings(), hold, length),
                        renewal -> programs.renew(hold.name(), renewal::time, renewal::start),
                        RenewOperation::close));
    }

    @Override
    public void holdAtLeast(Duration minimum) {
        if (share.isReleased()) {
            throw hold.released("be held longer");
        }
        hold.holdAtLeast(minimum);
    }

    /**
     * Runs work in one transaction that is committed only if the lock is held until then. Its first operation updates
     * the lock document: a concurrent acquisition or forced release waits for the end of the transaction or conflicts
     * with it. Once committed, the lease lasts a whole ttl from that update. Two round trips, and those of the work.
     * See <em>Keeping data safe</em> in the documentation for operations that do not belong in a transaction.
     *
     * <p>The transaction takes no longer than the rest of the lease and than a minute, and as long again for a commit
     * or an abort that gets no reply: renew before, if little is left. Meanwhile the lock is not renewed, and a loss
     * cancels the work. After a transient error of the transaction all of it is repeated while the lease lasts.
     * Cancelling ends it, and nothing is written; but a commit in flight runs to its end.
     *
     * @param work returns the reads and writes for the session that it receives, in collections of the driver's client
     *     that the lock client was built with. It may be called again, when nothing is left of the previous call: do
     *     nothing that the transaction does not undo, and let the driver's errors propagate. Neither commit nor abort
     *     the transaction, nor close the session.
     * @param <R> the result of the work
     * @return emits the element of the work, or nothing if it emitted nothing; all of it is written. Fails with the
     *     error of the work, and nothing is written and the lock is still held. Fails with {@link LockLostException} if
     *     the lock was lost before the commit, and nothing is written. Fails with
     *     {@link org.mongolocks.IndeterminateOutcomeException} if no commit got a reply, and everything is written or
     *     nothing. Fails with {@link org.mongolocks.LockStorageException} if the server has no transactions. Fails with
     *     {@link LockException} if the server refused, and nothing is written. Fails with {@link IllegalStateException}
     *     if this handle was released, or the lock guards another transaction at this time. Fails likewise if the work
     *     has ended the transaction itself: only what it has committed is written, and the lease is not extended.
     */
    public <R> Mono<R> inTransaction(Function<ClientSession, Mono<R>> work) {
        Objects.requireNonNull(work, "The work is null");
        Function<ClientSession, Mono<R>> ofCaller = FatalErrors.ofCaller(work);
        return programs.threads()
                .deliverLoss(Mono.defer(() -> new GuardedTransactionRunner<>(programs, hold, this, ofCaller).run()));
    }

    /**
     * Releases the lock. One round trip, more after faults, one more if the lock is found lost; none if it was released
     * before. Once subscribed it runs to its end, also if it is cancelled. A release that failed can be repeated.
     *
     * <p>In a clean-up an error of this method would hide that of the work: prefer {@link #close()} or
     * {@link ReactiveLockClient#withLock}.
     *
     * @return emits true if the lock was held until now; false if it had been lost (another owner may have held it
     *     meanwhile) or released before. Fails with {@link LockException} if the server refused, or gave no reply for
     *     about twice the time limit of a command. The lock then stays held until it is released again, by the client
     *     in the background or by the caller, or its ttl has passed. Never for a lock that is known to be lost, or
     *     whose lease has ended by then: its release is tried once.
     */
    public Mono<Boolean> release() {
        return Mono.defer(() -> {
            HoldReference.ReleaseAction part = share.release();
            return part == HoldReference.ReleaseAction.LAST
                    ? releaseHold()
                    : Mono.just(part == HoldReference.ReleaseAction.ONE_OF_SEVERAL && share.end(hold));
        });
    }

    /**
     * Releases the lock as {@link #release()} does, and never fails: a loss, or a failed release, is logged.
     *
     * @return completes when that is done
     */
    public Mono<Void> close() {
        return Mono.defer(() -> share.isReleased() || hold.isReleaseConfirmed()
                        ? Mono.empty()
                        : release().then())
                .onErrorResume(RuntimeException.class, this::warn);
    }

    private Mono<Boolean> releaseHold() {
        return programs.runToEnd(
                        "Releasing",
                        hold.lease().name(),
                        () -> programs.engine().release(hold))
                .onErrorResume(
                        RuntimeException.class,
                        error -> hold.recordReleaseFailed() ? Mono.just(false) : Mono.error(error))
                .doFinally(signal -> share.released());
    }

    WithLock.Completion endOfWork() {
        return new WithLock.Completion(this, hold);
    }

    /** Returns a description of the lock for logs. */
    @Override
    public String toString() {
        return hold.toString();
    }

    /** Returns whether this handle was released while others were left. */
    boolean isReleased() {
        return share.isReleased();
    }

    /** Returns whether no owner can enter this lock again. */
    boolean isExclusive() {
        return share.isExclusive();
    }

    private Mono<Void> warn(RuntimeException e) {
        hold.logReleaseFailed("", e);
        return Mono.empty();
    }
}
