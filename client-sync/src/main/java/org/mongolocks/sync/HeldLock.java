package org.mongolocks.sync;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.Lease;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;
import org.mongolocks.internal.Hold;
import org.mongolocks.internal.Renewing;

/**
 * Is a lock that was acquired. It belongs to no thread: any thread may use it, and it is thread-safe.
 *
 * <p>It is held until it is released or its lease ends, whichever comes first. Nothing renews it by itself. A pause of
 * this JVM can outlast the lease without being noticed, so that {@link #isHeld()} is an aid for stopping early and not a
 * proof: write what the lock guards with {@link #fencingToken()}, and have smaller tokens refused.
 *
 * <p>Memory visibility between processes exists only through the database.
 */
public final class HeldLock implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final LockClient client;
    private final Hold hold;

    HeldLock(LockClient client, Hold hold) {
        this.client = client;
        this.hold = hold;
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
     * Tells whether the lease has not ended, by this JVM's monotonic clock, and no loss is known. When it finds that the
     * lease has ended it tells the listeners. No round trip.
     *
     * @return false once the lock was released or lost
     */
    public boolean isHeld() {
        return hold.isHeld();
    }

    /**
     * Tells how much of the lease is left, by this JVM's monotonic clock. No round trip.
     *
     * @return the time left; zero once the lock was released or lost
     */
    public Duration remaining() {
        return hold.remaining();
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
     * Has a listener told when the lock is lost. It is told at most once: by the thread that finds out in
     * {@link #renew()} or {@link #isHeld()}, or at once by this thread if the loss is known already. A lock that was
     * released is not lost.
     *
     * @param listener whom to tell; it should return soon
     */
    public void onLost(LossListener listener) {
        hold.onLost(listener);
    }

    /**
     * Makes the lease last a whole ttl from now. One round trip, more after faults. A lease that has ended on this JVM's
     * clock is not brought back: that is a loss, found without a round trip. While the server gives no answer the old
     * end of the lease stands, and the question is asked again until then.
     *
     * @return true if the lease is longer now; false if the lock is lost or was released: stop the guarded work
     * @throws LockException if the server gave no answer, or refused; the lock may still be held for {@link #remaining()}
     * @throws InterruptedException if the thread was interrupted; the lease may have been renewed, and its old end stands
     */
    public boolean renew() throws InterruptedException {
        Lease lease = hold.lease();
        Renewing.Result result =
                client.run("Renewing", lease.name(), () -> new Renewing(client.settings(), lease).start());
        if (result instanceof Renewing.Result.Extended extended) {
            hold.extended(extended.lease());
            return hold.isHeld();
        }
        hold.lost(((Renewing.Result.Lost) result).reason());
        return false;
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
        try {
            return client.runUninterruptibly("Releasing", hold.lease().name(), () -> hold.releasing(client.settings()));
        } catch (RuntimeException e) {
            hold.notReleased();
            throw e;
        }
    }

    /**
     * Gives the lock back as {@link #release()} does, and never throws: that the lock had been lost, or that the server
     * gave no answer, is said in the log.
     */
    @Override
    public void close() {
        try {
            if (!hold.isSettled() && !release()) {
                LOG.log(WARNING, "{0} had been lost before it was given back", this);
            }
        } catch (RuntimeException e) {
            LOG.log(INFO, this + " could not be given back; it stays until its ttl has passed", e);
        }
    }

    /** Ends work that was done under the lock; a fault does not hide from its author that it was done in time. */
    void finish() {
        boolean inTime = !hold.remaining().isZero();
        boolean held;
        try {
            held = release();
        } catch (LockException e) {
            reportUnlessLate(inTime, e);
            return;
        }
        if (!held && hold.loss().isPresent()) {
            throw lossDuringWork();
        }
    }

    private void reportUnlessLate(boolean inTime, LockException e) {
        if (!inTime) {
            throw lossDuringWork(e);
        }
        LOG.log(WARNING, this + " could not be given back after the work; it stays until its ttl has passed", e);
    }

    private LockLostException lossDuringWork(LockException... hidden) {
        LockLostException lost =
                new LockLostException(hold.lease().name(), hold.loss().orElse(LossReason.EXPIRED));
        Stream.of(hidden).forEach(lost::addSuppressed);
        return lost;
    }

    /** Describes the lock for people. */
    @Override
    public String toString() {
        Lease lease = hold.lease();
        return "Lock '" + lease.name() + "' (owner " + lease.owner() + ", token " + lease.fencingToken() + ")";
    }
}
