package org.mongolocks.sync;

import com.mongodb.client.ClientSession;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockException;
import org.mongolocks.LockHandle;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockLostListener;
import org.mongolocks.LossReason;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.RenewOperation;
import org.mongolocks.internal.reentrant.HandleListeners;
import org.mongolocks.internal.reentrant.HoldReference;

/**
 * A lock that was acquired; {@link LockHandle} says how long it is held. Memory visibility between processes exists only
 * through the database.
 */
public final class HeldLock implements LockHandle, AutoCloseable {
    /** The packages of this library above the user's frame. */
    private static final List<String> LIBRARY = List.of("org.mongolocks.sync.", "org.mongolocks.internal.", "java.");
    /** Only the frames of this library are walked. */
    private static final int MAX_FRAMES = 16;

    private final Sessions sessions;
    private final Hold hold;
    private final HoldReference share;
    private final HandleListeners listeners;

    /** Creates the only handle, for work that the library calls: it is released at the end of the work. */
    HeldLock(Sessions sessions, Hold hold) {
        this(sessions, hold, HoldReference.exclusive());
    }

    private HeldLock(Sessions sessions, Hold hold, HoldReference share) {
        this.sessions = sessions;
        this.hold = hold;
        this.share = share;
        this.listeners = new HandleListeners(hold, share);
    }

    /** Creates the only handle, for a caller who must release it. */
    static HeldLock ofCaller(Sessions sessions, Hold hold) {
        return ofCaller(sessions, hold, HoldReference.exclusive());
    }

    /** Creates one of several handles, if the lock was entered several times. */
    static HeldLock ofCaller(Sessions sessions, Hold hold, HoldReference share) {
        HeldLock lock = new HeldLock(sessions, hold, share);
        share.watch(lock, hold, HeldLock::caller);
        return lock;
    }

    /** Returns where the user's code acquires the lock, as far as the nearest frames show. */
    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.limit(MAX_FRAMES)
                        .filter(frame -> LIBRARY.stream().noneMatch(frame.getClassName()::startsWith))
                        .findFirst())
                .map(frame -> ", acquired at " + frame + ",")
                .orElse("");
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

    @Override
    public void onEndangered(Duration remaining, LockEndangeredListener listener) {
        listeners.onEndangered(remaining, listener);
    }

    /**
     * Interrupts this thread when the lock is lost, once; at once if the loss is known already. A new call replaces an
     * earlier one. A loss that this thread detects itself does not interrupt it. Once {@link #release()} has returned
     * no interrupt comes; an earlier one stays pending until the thread handles it. {@link LockClient#withLock} and the
     * like call this method before the work, and end with a {@link LockLostException} and the interrupt set if it came.
     *
     * <p>An interrupt requests that the work stops; work that ignores it does not stop.
     */
    public void interruptOnLoss() {
        if (!share.isReleased()) {
            hold.interruptOnLoss(share, Thread.currentThread());
        }
    }

    /**
     * Ends {@link #interruptOnLoss()}: no later loss interrupts a thread. An interrupt that is pending stays: a thread has
     * one flag for all interrupts, so nobody can tell whether the application has sent one too.
     *
     * @return true if the loss had interrupted this thread
     */
    public boolean endInterruptOnLoss() {
        endInterrupt();
        return hasInterrupted();
    }

    /** Returns whether no owner can enter this lock again. */
    boolean isExclusive() {
        return share.isExclusive();
    }

    /**
     * Renews the lease: it lasts a whole ttl from now. One round trip, more after faults. A lease that has ended on
     * this JVM's clock is not renewed: that is a loss, found without a round trip. While the server gives no reply the
     * old end of the lease stands, and the renewal is retried, with a part of the time until then for each attempt. It
     * returns or throws by that end.
     *
     * @return true if the lease was extended; false if the lock is lost or was released: stop the guarded work
     * @throws LockException if the server gave no reply, or refused; the lock may still be held for
     *     {@link #remaining()}
     * @throws LockInterruptedException if the thread was interrupted; the lease may have been renewed, and its old end
     *     stands
     * @throws IllegalStateException while a {@linkplain #inTransaction guarded transaction} is open, which renews it
     *     itself
     */
    public boolean renew() {
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
     * @return true if the lock is held for that time; false if the lock is lost or was released: stop the guarded work
     * @throws IllegalArgumentException if the ttl is out of bounds, or does not exceed the skew margin
     * @throws LockException as {@link #renew()} does
     * @throws LockInterruptedException if the thread was interrupted; the lease may have been renewed, and its old end
     *     stands
     * @throws IllegalStateException while a {@linkplain #inTransaction guarded transaction} is open
     */
    public boolean renew(Duration ttl) {
        Duration length = RenewOperation.requireTtl(sessions.settings(), hold.lease(), ttl);
        if (share.isReleased() || hold.loss().equals(Optional.of(LossReason.CLIENT_CLOSED))) {
            return false;
        }
        try (RenewOperation renewal = RenewOperation.ofHolder(sessions.settings(), hold, length)) {
            return sessions.renew(hold.name(), renewal.time(), renewal::start);
        }
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
     * or an abort that gets no reply: renew before, if little is left. Meanwhile the lock is not renewed. After a
     * transient error of the transaction all of it is repeated while the lease lasts. An interrupt ends it, and nothing
     * is written; one that comes during the commit is kept for later.
     *
     * @param work reads and writes with the session that it receives
     * @param <R> the result of the work
     * @param <E> the exceptions of the work
     * @return the result of the work; all of it is written
     * @throws E if the work failed; nothing is written, and the lock is still held
     * @throws LockLostException if the lock was lost before the commit; nothing is written
     * @throws org.mongolocks.IndeterminateOutcomeException if no commit got a reply: everything is written or nothing
     * @throws org.mongolocks.LockStorageException if the server has no transactions
     * @throws LockException if the server refused; nothing is written
     * @throws IllegalStateException if this handle was released, or the lock guards another transaction at this time.
     *     Also if the work has ended the transaction itself: only what it has committed is written, and the lease is
     *     not extended
     * @throws LockInterruptedException if the thread was interrupted; nothing is written
     */
    public <R extends @Nullable Object, E extends Exception> R inTransaction(TransactionCallback<R, E> work) throws E {
        Objects.requireNonNull(work, "The work is null");
        try {
            return new GuardedTransactionRunner<>(sessions, hold, share, work).run();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Releases the lock. One round trip, more after faults, one more if the lock is found lost; none if it was released
     * before. An interrupt does not stop the release, and is kept for later. After a release that got no reply, as
     * during an election, the client repeats it in the background until the server answers or the ttl has passed. The
     * caller may repeat it too, and then gets its result.
     *
     * <p>In a {@code finally} block an exception of this method would hide that of the work: prefer {@link #close()},
     * by try-with-resources, or {@link LockClient#withLock}.
     *
     * @return true if the lock was held until now; false if it had been lost (another owner may have held it meanwhile)
     *     or released before
     * @throws LockException if the server refused, or gave no reply for about twice the time limit of a command. The
     *     lock then stays held until it is released again, by the client or the caller, or its ttl has passed. Never
     *     for a lock that is known to be lost, or whose lease has ended by then: its release is tried once.
     */
    public boolean release() {
        HoldReference.ReleaseAction part = share.release();
        endInterrupt();
        return part == HoldReference.ReleaseAction.LAST
                ? releaseHold()
                : part == HoldReference.ReleaseAction.ONE_OF_SEVERAL && share.end(hold);
    }

    /**
     * Releases the lock as {@link #release()} does, and never throws: a loss, or a failed release, is logged.
     */
    @Override
    public void close() {
        try {
            if (!share.isReleased() && !hold.isReleaseConfirmed()) {
                release();
            }
        } catch (RuntimeException e) {
            hold.logReleaseFailed("", e);
        }
    }

    /** Ends the interrupt of this thread by a loss; one that was sent before stays. */
    void endInterrupt() {
        hold.endInterrupt(share);
    }

    private boolean releaseHold() {
        try {
            return sessions.runUninterruptibly(
                    "Releasing", hold.name(), () -> sessions.engine().release(hold));
        } catch (RuntimeException e) {
            if (!hold.recordReleaseFailed()) {
                throw e;
            }
            return false;
        } finally {
            share.released();
        }
    }

    /** Returns whether the loss has interrupted this thread. */
    boolean hasInterrupted() {
        return hold.hasInterrupted(Thread.currentThread());
    }

    WithLock.Completion endOfWork() {
        return new WithLock.Completion(this, hold);
    }

    /** Returns a description of the lock for logs. */
    @Override
    public String toString() {
        return hold.toString();
    }

    /**
     * Work that a lock guards.
     *
     * @param <E> the exceptions of the work
     */
    @FunctionalInterface
    public interface LockedAction<E extends Exception> {
        /**
         * Runs the work, on the thread that acquired the lock. Write guarded data with {@link HeldLock#fencingToken()}.
         *
         * @param lock the held lock
         * @throws E if the work fails; the lock is released then too
         */
        void run(HeldLock lock) throws E;
    }

    /**
     * Work that a lock guards, with a result.
     *
     * @param <R> the result
     * @param <E> the exceptions of the work
     */
    @FunctionalInterface
    public interface LockedCallable<R extends @Nullable Object, E extends Exception> {
        /**
         * Runs the work, on the thread that acquired the lock. Write guarded data with {@link HeldLock#fencingToken()}.
         *
         * @param lock the held lock
         * @return the result
         * @throws E if the work fails; the lock is released then too
         */
        R call(HeldLock lock) throws E;
    }

    /**
     * Work that a lock guards by a transaction.
     *
     * @param <R> the result of the work; it may be null
     * @param <E> the exceptions of the work
     */
    @FunctionalInterface
    public interface TransactionCallback<R extends @Nullable Object, E extends Exception> {
        /**
         * Runs the work, on the calling thread. It may be called again after a transient error of the transaction,
         * which has undone all its writes: do nothing that the transaction does not undo. Let the driver's exceptions
         * propagate.
         *
         * @param session the session of each read and write, in a collection of the driver's client that the lock
         *     client was built with. The transaction is open; neither commit nor abort it,
         *     nor close the session.
         * @return the result
         * @throws E if the work fails; nothing is written then
         */
        R run(ClientSession session) throws E;
    }
}
