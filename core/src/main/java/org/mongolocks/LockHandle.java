package org.mongolocks;

import java.time.Duration;
import java.util.Optional;

/**
 * What the handles of both clients know of a lock that was acquired; no method makes a round trip. A handle belongs to no
 * thread: any thread may use it, and it is thread-safe. Only the clients implement it, which may add methods.
 *
 * <p>The lock is held until it is released or its lease ends, whichever comes first. The client renews it automatically,
 * unless the request asked for a {@linkplain LockRequest#fixedLease() fixed lease}; in either case it calls the listeners
 * when the lock is lost, before the lease ends on the server. Closing the client releases the lock. A pause of this JVM can
 * outlast the lease without being detected, so {@link #isHeld()} helps to stop early and proves nothing: write guarded data
 * with {@link #fencingToken()}, and refuse smaller tokens.
 *
 * <p>Keep a reference to the handle of a lock that is kept alive as long as the lock is needed: if it is garbage-collected
 * without a release, the client logs a warning and releases the lock. The listeners of such a lock are kept by their handle
 * only.
 */
public interface LockHandle {
    /**
     * Returns the fencing token of this grant: larger than that of every earlier grant of this lock, by any client.
     *
     * @return the token, at least 1
     */
    long fencingToken();

    /**
     * Returns the newest lease.
     *
     * @return the lease, with its end after the newest renewal
     */
    Lease lease();

    /**
     * Returns whether the lease has not ended, by this JVM's monotonic clock and less the client's skew margin, and no
     * loss is known. If the lease has ended, the listeners for the loss are called.
     *
     * @return false once the lock was released or lost
     */
    boolean isHeld();

    /**
     * Returns how much of the lease is left, by this JVM's monotonic clock and less the client's skew margin.
     *
     * @return the time left; zero once the lock was released or lost
     */
    Duration remaining();

    /**
     * Returns why the lock was lost, as far as this handle knows.
     *
     * @return the reason, or empty while no loss is known, or if the handle was released before
     */
    Optional<LossReason> loss();

    /**
     * Returns the exception that work under the lock gets because of its loss. The message has the ttl, and whether the
     * lock was kept alive.
     *
     * @return the exception, or empty if {@link #loss()} is
     */
    Optional<LockLostException> lossException();

    /**
     * Adds a listener for the loss of the lock. It is called at most once, on a listener thread of the client: when a
     * timer finds that the lease has ended, when a renewal finds the lock lost, or when the client is closed. It is
     * called now if the loss is known already. A lock that was released is not lost: a listener added after the release
     * is accepted, and not called.
     *
     * @param listener the listener; one that blocks delays only the other listeners of this lock
     */
    void onLost(LockLostListener listener);

    /**
     * Adds a listener that is called when that much of the lease is left, or less. It is called once each time that the
     * lease comes so near to its end, on a listener thread of the client, before any loss is reported. After a renewal
     * that moves the end away it is called again at the next approach. If the end is near already it is called now.
     *
     * <p>With keep-alive two thirds of the lease are left when it is renewed: a warning at half of the ttl or less
     * means that renewals fail. Once this handle is released the listener is not called.
     *
     * @param remaining the time before the end; more than zero, less than the ttl
     * @param listener the listener
     * @throws IllegalArgumentException if the time is out of bounds
     */
    void onEndangered(Duration remaining, LockEndangeredListener listener);

    /**
     * Sets how long from now no other owner acquires the lock, as {@link LockRequest#holdAtLeast} does
     * from the grant: an earlier release leaves the lock held by no owner. A minimum that was set before and ends later
     * stays. It holds after the end of this process as long as the lease: renew it first, for at least that long.
     *
     * @param minimum from zero, which has no effect, to {@link LockRequest#MAX_TTL}
     * @throws IllegalArgumentException if the minimum is out of bounds
     * @throws IllegalStateException if this handle was released
     */
    void holdAtLeast(Duration minimum);
}
