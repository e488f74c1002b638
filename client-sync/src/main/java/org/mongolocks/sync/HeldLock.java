package org.mongolocks.sync;

import com.mongodb.client.ClientSession;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockLostListener;
import org.mongolocks.LossReason;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.RenewOperation;
import org.mongolocks.internal.reentrant.HandleListeners;
import org.mongolocks.internal.reentrant.HoldReference;

/**
 * A lock that was acquired. It belongs to no thread: any thread may use it, and it is thread-safe.
 *
 * <p>It is held until it is released or its lease ends, whichever comes first. The client renews it automatically,
 * unless the request asked for a {@linkplain org.mongolocks.LockRequest#fixedLease() fixed lease}; in either case it calls
 * the listeners when the lock is lost, before the lease ends on the server. Closing the client releases the lock. A pause
 * of this JVM can outlast the lease without being detected, so {@link #isHeld()} helps to stop early and proves
 * nothing: write guarded data with {@link #fencingToken()}, and refuse smaller tokens.
 *
 * <p>Keep a reference to the handle of a lock that is kept alive as long as the lock is needed: if it is
 * garbage-collected without a release, the client logs a warning and releases the lock. The listeners of such a lock are
 * kept by their handle only.
 *
 * <p>Memory visibility between processes exists only through the database.
 */
public final class HeldLock implements AutoCloseable {
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

    /**
     * Returns the fencing token of this grant: larger than that of every earlier grant of this lock, by any client. No
     * round trip.
     *
     * @return the token, at least 1
     */
    public long fencingToken() {
        return hold.lease().fencingToken();
    }

    /**
     * Returns the newest lease. No round trip.
     *
     * @return the lease, with its end after the newest renewal
     */
    public Lease lease() {
        return hold.lease();
    }

    /**
     * Returns whether the lease has not ended, by this JVM's monotonic clock and less the client's skew margin, and no
     * loss is known. If the lease has ended, the listeners for the loss are called. No round trip.
     *
     * @return false once the lock was released or lost
     */
    public boolean isHeld() {
        return hold.isHeld() && !share.isReleased();
    }

    /**
     * Returns how much of the lease is left, by this JVM's monotonic clock and less the client's skew margin. No round
     * trip.
     *
     * @return the time left; zero once the lock was released or lost
     */
    public Duration remaining() {
        return share.isReleased() ? Duration.ZERO : hold.remaining();
    }

    /**
     * Returns why the lock was lost, as far as this handle knows. No round trip.
     *
     * @return the reason, or empty while no loss is known, or if the handle was released before
     */
    public Optional<LossReason> loss() {
        return share.loss(hold);
    }

    /**
     * Returns the exception that work under the lock gets because of its loss. The message has the ttl, and whether the
     * lock was kept alive. No round trip.
     *
     * @return the exception, or empty if {@link #loss()} is
     */
    public Optional<LockLostException> lossException() {
        return loss().map(reason -> hold.lossException(null));
    }

    /**
     * Adds a listener for the loss of the lock. It is called at most once, on a listener thread of the client: when the
     * client's timer finds that the lease has ended, when a renewal finds that this owner no longer holds the lock,
     * when the client is closed, or now if the loss is known already. A lock that was released is not lost: a listener
     * added after the release is accepted, and not called.
     *
     * @param listener the listener; one that blocks delays only the other listeners of this lock
     */
    public void onLost(LockLostListener listener) {
        listeners.onLost(listener);
    }

    /**
     * Adds a listener that is called when that much of the lease is left, or less: once each time that the lease comes
     * so near to its end, on a listener thread of the client, before any loss is reported. After a renewal that moves
     * the end away it is called again at the next approach. If the end is near already it is called now.
     *
     * <p>With keep-alive two thirds of the lease are left when it is renewed: a warning at half of the ttl or less
     * means that renewals fail. Once this handle is released the listener is not called.
     *
     * @param remaining the time before the end; more than zero, less than the ttl
     * @param listener the listener
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public void onEndangered(Duration remaining, ExpiryWarningListener listener) {
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

    /**
     * Sets how long from now no other owner acquires the lock, as {@link org.mongolocks.LockRequest#holdAtLeast} does
     * from the grant: an earlier release leaves the lock held by no owner. A minimum that was set before and ends later
     * stays. It holds after the end of this process as long as the lease: renew it first, for at least that long. No round
     * trip.
     *
     * @param minimum from zero, which has no effect, to {@link org.mongolocks.LockRequest#MAX_TTL}
     * @throws IllegalArgumentException if the minimum is out of bounds
     * @throws IllegalStateException if this handle was released
     */
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
     * @throws IllegalStateException if this handle was released, or the lock guards another transaction at this time; or if
     *     the work has ended the transaction itself: only what it has committed is written, and the lease is not extended
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
     * during an election, the client repeats it in the background until the server answers or the ttl has passed; so
     * can the caller, who then gets its result.
     *
     * <p>In a {@code finally} block an exception of this method would hide that of the work: prefer {@link #close()},
     * by try-with-resources, or {@link LockClient#withLock}.
     *
     * @return true if the lock was held until now; false if it had been lost (another owner may have held it meanwhile)
     *     or released before
     * @throws LockException if the server refused, or gave no reply for about twice the time limit of a command; the
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
