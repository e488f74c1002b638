package org.mongolocks.sync;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.EndangeredListener;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;
import org.mongolocks.internal.Hold;
import org.mongolocks.internal.RenewalGate;
import org.mongolocks.internal.Renewing;
import org.mongolocks.internal.Share;

/**
 * Is a lock that was acquired. It belongs to no thread: any thread may use it, and it is thread-safe.
 *
 * <p>It is held until it is released or its lease ends, whichever comes first. The client renews it by itself only if the
 * request asked for {@linkplain org.mongolocks.LockRequest#keepAlive() keep-alive}; in either case it tells the listeners
 * when the lock is lost, before the lease ends on the server. Closing the client gives the lock back. A pause of this JVM can outlast the lease without being noticed, so that {@link #isHeld()} is an aid for stopping early and not a
 * proof: write what the lock guards with {@link #fencingToken()}, and have smaller tokens refused.
 *
 * <p>Memory visibility between processes exists only through the database.
 */
public final class HeldLock implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final Sessions sessions;
    private final Hold hold;
    private final Share share;

    HeldLock(Sessions sessions, Hold hold) {
        this(sessions, hold, Share.sole());
    }

    /** One of several handles, if the lock was entered several times. */
    HeldLock(Sessions sessions, Hold hold, Share share) {
        this.sessions = sessions;
        this.hold = hold;
        this.share = share;
    }

    /**
     * Gives the number of this grant: larger than that of every earlier grant of this lock, by any client. No round
     * trip.
     *
     * @return the token, at least 1
     */
    public long fencingToken() {
        return hold.lease().fencingToken();
    }

    /**
     * Gives the newest lease. No round trip.
     *
     * @return the lease, with its end after the newest renewal
     */
    public Lease lease() {
        return hold.lease();
    }

    /**
     * Tells whether the lease has not ended, by this JVM's monotonic clock and less the client's skew margin, and no loss
     * is known. When it finds that the lease has ended it has the listeners told. No round trip.
     *
     * @return false once the lock was released or lost
     */
    public boolean isHeld() {
        return hold.isHeld() && !share.isGivenBack();
    }

    /**
     * Tells how much of the lease is left, by this JVM's monotonic clock and less the client's skew margin. No round trip.
     *
     * @return the time left; zero once the lock was released or lost
     */
    public Duration remaining() {
        return share.isGivenBack() ? Duration.ZERO : hold.remaining();
    }

    /**
     * Tells why the lock was lost, as far as this handle knows. No round trip.
     *
     * @return the reason, or empty while no loss is known
     */
    public Optional<LossReason> loss() {
        return hold.loss();
    }

    /**
     * Has a listener told when the lock is lost. It is told at most once, on a thread of the client's listeners: when the
     * client's timer finds that the lease has ended, when a renewal finds that the lock is not ours, when the client is
     * closed, or now if the loss is known already. A lock that was released is not lost.
     *
     * @param listener whom to tell; one that blocks delays only the other listeners of this lock
     */
    public void onLost(LossListener listener) {
        hold.onLost(share.whileHeld(listener));
    }

    /**
     * Has a listener warned when so much of the lease is left, or less: once each time that the lease comes so near to
     * its end, on a thread of the client's listeners, before the loss is told. A renewal that moves the end away lets it
     * be warned again at the next approach. If the end is near already it is warned now.
     *
     * <p>With keep-alive two thirds of the lease are left when it is renewed: a warning at half of the ttl or less means
     * that renewals fail.
     *
     * @param remaining how much is left then; more than zero, less than the ttl
     * @param listener whom to warn
     * @throws IllegalArgumentException if the time is out of bounds
     */
    public void onEndangered(Duration remaining, EndangeredListener listener) {
        hold.onEndangered(remaining, listener);
    }

    /**
     * Has this thread interrupted when the lock is lost, once; at once if the loss is known already. It replaces an
     * earlier call. A loss that this thread finds itself does not interrupt it. Once {@link #release()} has returned
     * no interrupt comes; one that came before stays until it is answered, save in {@link LockClient#withLock}, which turns
     * it into a {@link org.mongolocks.LockLostException}.
     *
     * <p>An interrupt asks for the work to stop and stops nothing that does not answer it.
     */
    public void interruptOnLoss() {
        if (!share.isGivenBack()) {
            hold.interruption().ask(share, Thread.currentThread());
        }
    }

    /**
     * Makes the lease last a whole ttl from now. One round trip, more after faults. A lease that has ended on this JVM's
     * clock is not brought back: that is a loss, found without a round trip. While the server gives no answer the old
     * end of the lease stands, and the question is asked again until then.
     *
     * @return true if the lease is longer now; false if the lock is lost or was released: stop the guarded work
     * @throws LockException if the server gave no answer, or refused; the lock may still be held for {@link #remaining()}
     * @throws InterruptedException if the thread was interrupted; the lease may have been renewed, and its old end stands
     * @throws IllegalStateException while a {@linkplain #inTransaction guarded transaction} is open, which renews it itself
     */
    public boolean renew() throws InterruptedException {
        if (share.isGivenBack() || hold.loss().equals(Optional.of(LossReason.CLIENT_CLOSED))) {
            return false;
        }
        Lease lease = hold.lease();
        return renewal(lease).noteIn(hold);
    }

    /**
     * Does work in one transaction that is committed only if the lock is held until then. Its first operation touches the
     * lock document: whoever wants to take the lock, or force it free, waits for the end of the transaction or conflicts
     * with it. Once committed, the lease lasts a whole ttl from the touch on. Two round trips, and those of the work. See
     * <em>Keeping data safe</em> in the documentation for what does not go in a transaction.
     *
     * <p>It takes no longer than the lease has left and than a minute, and as long again for a commit or an abort that is not
     * answered: renew before, if little is left. Meanwhile the lock is not renewed. A passing fault of the transaction has all of it repeated while
     * the lease lasts. An interrupt ends it, and nothing is written; one that comes during the commit is kept for later.
     *
     * @param work reads and writes by the session that it is given
     * @param <R> what the work results in
     * @param <E> what the work may throw
     * @return what the work resulted in; all of it is written
     * @throws E if the work failed; nothing is written, and the lock is still held
     * @throws LockLostException if the lock was lost before the commit; nothing is written
     * @throws org.mongolocks.IndeterminateCommitException if no commit was answered: all is written or nothing
     * @throws org.mongolocks.UnsupportedServerException if the server has no transactions
     * @throws LockException if the server refused; nothing is written
     * @throws IllegalStateException if the lock was given back, or guards another transaction at this time
     * @throws InterruptedException if the thread was interrupted; nothing is written
     */
    public <R extends @Nullable Object, E extends Exception> R inTransaction(TransactionWork<R, E> work)
            throws E, InterruptedException {
        return new GuardedWork<>(sessions, hold, work).run();
    }

    /**
     * Gives the lock back. One round trip, more after faults; none if it was given back before. An interrupt does not
     * keep it from being given back, and is kept for later. A release that failed can be repeated.
     *
     * @return true if the lock was held until now; false if it had been lost (another may have held it meanwhile) or
     *     given back before
     * @throws LockException if the server refused, or gave no answer for about twice the time limit of a command; the
     *     lock then stays until its ttl has passed or it is released again
     */
    public boolean release() {
        Share.Part part = share.giveBack();
        hold.interruption().withdraw(share);
        return part == Share.Part.LAST ? releaseHold() : part == Share.Part.ONE_OF_SEVERAL && hold.isHeld();
    }

    /**
     * Gives the lock back as {@link #release()} does, and never throws: that the lock had been lost, or that the server
     * gave no answer, is said in the log.
     */
    @Override
    public void close() {
        try {
            if (!share.isGivenBack() && !hold.isSettled() && !release()) {
                LOG.log(WARNING, "{0} had been lost before it was given back", this);
            }
        } catch (RuntimeException e) {
            LOG.log(INFO, this + " could not be given back; it stays until its ttl has passed", e);
        }
    }

    private boolean releaseHold() {
        try {
            return sessions.runUninterruptibly(
                    "Releasing",
                    hold.lease().name(),
                    () -> sessions.room().freeing(hold.lease().name(), hold.releasing(sessions.settings())));
        } catch (RuntimeException e) {
            hold.notReleased();
            throw e;
        } finally {
            share.released();
        }
    }

    private Renewing.Result renewal(Lease lease) throws InterruptedException {
        RenewalGate gate = RenewalGate.of(hold);
        gate.requireEntry(lease.name());
        try {
            hold.renewing();
            return sessions.run("Renewing", lease.name(), () -> new Renewing(sessions.settings(), lease).start());
        } finally {
            gate.leave();
        }
    }

    EndOfWork endOfWork() {
        return new EndOfWork(this, hold);
    }

    /** Describes the lock for people. */
    @Override
    public String toString() {
        Lease lease = hold.lease();
        return "Lock '" + lease.name() + "' (owner " + lease.owner() + ", token " + lease.fencingToken() + ")";
    }
}
