package org.mongolocks.spring.integration;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.mongolocks.CheckReturnValue;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A lock registry of Spring Integration whose locks are those of a {@link LockClient}. Create one for each client, and
 * share it: it is thread-safe.
 *
 * <pre>{@code
 * @Bean
 * MongoLockRegistry lockRegistry(LockClient locks) {
 *     return new MongoLockRegistry(locks);
 * }
 * }</pre>
 *
 * <p>A lock belongs to the thread that has locked it, and is re-entrant: the thread unlocks it as often as it has
 * locked it, and the last call releases it. Two threads of one process compete for a lock on the server as two
 * processes do.
 *
 * <p><b>A lock can be lost</b> while a thread has locked it, because its lease has ended or an operator has released
 * it. The thread sees that in these ways:
 *
 * <ul>
 *   <li>Each re-entry asks the server, in one round trip, and renews the lease. After a loss it fails once:
 *       {@code tryLock} returns false, and {@code lock} throws an exception. The calls after that acquire the lock like
 *       those of a thread that has not locked it.
 *   <li>The {@code unlock()} of each entry into the lost lock throws
 *       {@link java.util.ConcurrentModificationException}, caused by {@link org.mongolocks.LockLostException}. Only an
 *       inner entry whose loss no re-entry has found yet is unlocked without an exception: no round trip.
 *   <li>{@link #heldLock} has the handle of the lock, with the fencing token and the time left.
 *   <li>{@link #interruptingOnLoss()} interrupts the thread.
 * </ul>
 *
 * <p>Faults are thrown as {@link org.springframework.dao.CannotAcquireLockException}, caused by
 * {@link org.mongolocks.LockException}: nothing was acquired, and earlier entries stay. {@code lock()} and
 * {@code tryLock()} without a wait are not ended by an interrupt, and keep it.
 *
 * <p>The last {@code unlock()} releases the lock, in one round trip. A release that fails is logged, not thrown,
 * because the work was done; the lock then stays held until its ttl has passed. If the lock is known to be lost, or its
 * last renewal got no reply, {@code unlock()} does not wait for the server: a thread of its own makes the release.
 *
 * <p>A ttl given to a call is rounded up to whole milliseconds, and raised to {@link LockRequest#MIN_TTL} if it is
 * shorter. A thread that ends without unlocking keeps the lock until its handle is garbage-collected, which is logged;
 * with a {@linkplain LockRequest#fixedLease() fixed lease}, until its ttl has passed. The task scheduler for renewals is not
 * used, because the client renews the locks.
 */
public final class MongoLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {
    private final LockClient locks;
    private final Function<String, LockRequest> requests;
    private final ThreadEntries entries;
    private final Map<LockName, Known> known = new ConcurrentHashMap<>();
    private final ReferenceQueue<DistributedLock> collected = new ReferenceQueue<>();

    /**
     * Creates a registry whose locks have the name of their key and the defaults of the client's builder.
     *
     * @param locks the client; the caller closes it
     */
    public MongoLockRegistry(LockClient locks) {
        this(locks, Objects.requireNonNull(locks, "The lock client is null")::request);
    }

    /**
     * Creates a registry with a request for each key: the name of its lock, its ttl, and its options.
     *
     * @param locks the client; the caller closes it
     * @param requests returns the request for a key, quickly and each time the same; its wait is not used. Keys with
     *     one name have one lock.
     */
    public MongoLockRegistry(LockClient locks, Function<String, LockRequest> requests) {
        this(locks, requests, false);
    }

    private MongoLockRegistry(LockClient locks, Function<String, LockRequest> requests, boolean interruptsOnLoss) {
        this.locks = Objects.requireNonNull(locks, "The lock client is null");
        this.requests = Objects.requireNonNull(requests, "The function of the requests is null");
        this.entries = new ThreadEntries(interruptsOnLoss);
    }

    /** An object of a lock, kept only while it is used. */
    private static final class Known extends WeakReference<DistributedLock> {
        private final LockName name;

        Known(RegistryLock lock, ReferenceQueue<DistributedLock> collected) {
            super(lock, collected);
            this.name = lock.name();
        }
    }

    /**
     * Returns another registry with the same client and requests, which interrupts the thread that has locked a lock
     * when the lock is lost, once for each grant. A loss that the thread finds itself does not interrupt it.
     * {@code unlock()} clears the interrupt of a loss when it reports the loss, unless a re-entry has reported it
     * before.
     *
     * <p>Use it for {@code LockRegistryLeaderInitiator} with a long heartbeat: the interrupt revokes the leadership. It
     * also interrupts message handlers that run under a lost lock, and all holders when the client is closed.
     *
     * @return the other registry. To it a thread that has locked a lock of this registry is another owner.
     */
    @CheckReturnValue
    public MongoLockRegistry interruptingOnLoss() {
        return new MongoLockRegistry(locks, requests, true);
    }

    /**
     * Returns the lock of a key. No round trip.
     *
     * @param lockKey the key, a {@link String}
     * @return the lock; the same object as long as it is referenced or locked
     * @throws IllegalArgumentException if the key is not a string, or its name is out of bounds; see {@link LockName}
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        LockRequest request = request(lockKey);
        forgetCollected();
        DistributedLock lock = null;
        while (lock == null) {
            lock = known.compute(
                            request.name(), (name, old) -> old == null || old.refersTo(null) ? known(request) : old)
                    .get();
        }
        return lock;
    }

    /**
     * Forgets objects of locks that are neither referenced nor locked. They are forgotten by themselves at the next
     * {@link #obtain}, so this call is not needed. It changes nothing in the database, and no lock that is used.
     *
     * @param ageMillis not used
     */
    @Override
    public void expireUnusedOlderThan(long ageMillis) {
        forgetCollected();
    }

    /**
     * Renews a lock that the calling thread has locked, for the ttl of its request. One round trip, more after faults.
     * An interrupt does not end it, and is kept.
     *
     * @param lockKey the key, a {@link String}
     * @throws IllegalMonitorStateException if this thread has not locked it, or has unlocked it as often
     * @throws IllegalStateException if the lock was lost; the cause is {@link org.mongolocks.LockLostException}
     * @throws org.springframework.dao.CannotAcquireLockException if the server gave no reply, or refused; the lock may
     *     still be held for what remains of its lease
     */
    @Override
    public void renewLock(Object lockKey) {
        lock(lockKey).renew(request(lockKey).ttl());
    }

    /**
     * Renews a lock that the calling thread has locked, as {@link #renewLock(Object)} does, for a time of its own. The
     * lease never gets shorter.
     *
     * @param lockKey the key, a {@link String}
     * @param ttl how long the lease lasts from now at least, up to {@link LockRequest#MAX_TTL}; less than
     *     {@link LockRequest#MIN_TTL} is raised to that
     * @throws IllegalArgumentException if the ttl is longer than the longest lease
     * @throws IllegalMonitorStateException if this thread has not locked it, or has unlocked it as often
     * @throws IllegalStateException if the lock was lost; the cause is {@link org.mongolocks.LockLostException}
     * @throws org.springframework.dao.CannotAcquireLockException as {@link #renewLock(Object)} does
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        lock(lockKey).renew(ttl);
    }

    /**
     * Returns the handle of the lock that the calling thread has locked, to write data with its fencing token, or to
     * read what is left of the lease. No round trip. {@code unlock()} releases it: do not release or close it.
     *
     * @param lockKey the key, a {@link String}
     * @return the handle, also after a loss that neither a re-entry nor {@code unlock()} has reported; empty if this
     *     thread has not locked the lock
     */
    public Optional<HeldLock> heldLock(Object lockKey) {
        return lock(lockKey).heldLock();
    }

    /** Returns how many objects of locks are known; for tests. */
    int size() {
        return known.size();
    }

    private RegistryLock lock(Object lockKey) {
        return (RegistryLock) obtain(lockKey);
    }

    private LockRequest request(Object lockKey) {
        if (!(lockKey instanceof String key)) {
            throw new IllegalArgumentException("The key of a lock must be a String, was " + lockKey);
        }
        return Objects.requireNonNull(requests.apply(key), () -> "The request for the key '" + key + "' is null");
    }

    private Known known(LockRequest request) {
        return new Known(new RegistryLock(locks, request, entries), collected);
    }

    private void forgetCollected() {
        for (Object gone = collected.poll(); gone != null; gone = collected.poll()) {
            Known reference = (Known) gone;
            known.remove(reference.name, reference);
        }
    }
}
