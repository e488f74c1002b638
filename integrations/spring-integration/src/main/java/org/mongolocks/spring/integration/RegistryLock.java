package org.mongolocks.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.spring.integration.ThreadEntries.Entries;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * One lock of a registry. It differs from {@link LockClient#asLock} in its re-entry, which asks the server: Spring
 * Integration's leader initiator finds out only in this way whether it still leads. {@link MongoLockRegistry} describes
 * its outcomes.
 */
final class RegistryLock implements DistributedLock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LockClient locks;
    private final LockRequest request;
    private final ThreadEntries entries;

    RegistryLock(LockClient locks, LockRequest request, ThreadEntries entries) {
        this.locks = locks;
        this.request = request;
        this.entries = entries;
    }

    @Override
    public void lock() {
        lock(request.ttl());
    }

    @Override
    public void lock(Duration ttl) {
        LockRequest asked = requestFor(ttl);
        uninterruptibly(() -> insist(asked));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        translated(() -> insist(request));
    }

    @Override
    public boolean tryLock() {
        return uninterruptibly(() -> attempt(request, Duration.ZERO));
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        return tryLock(
                Duration.ofNanos(
                        Objects.requireNonNull(unit, "The unit is null").toNanos(wait)),
                request.ttl());
    }

    @Override
    public boolean tryLock(Duration wait, Duration ttl) throws InterruptedException {
        LockRequest asked = requestFor(ttl);
        boolean waits = !Objects.requireNonNull(wait, "The wait is null").isNegative();
        return translated(() -> attempt(asked, waits ? wait : Duration.ZERO));
    }

    @Override
    public void unlock() {
        Optional<LockLostException> loss = entries.leave(this);
        if (loss.isPresent()) {
            throw new ConcurrentModificationException(
                    "Lock '" + name() + "' was lost before it was unlocked; the guarded work may have been compromised",
                    loss.get());
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lock in MongoDB has no conditions");
    }

    /** Renews the lock of this thread; see {@link MongoLockRegistry#renewLock(Object, Duration)}. */
    void renew(Duration ttl) {
        Duration length = lease(ttl);
        Entries mine = entries.of(this).orElseThrow(() -> ThreadEntries.notOwned(this));
        if (!uninterruptibly(() -> mine.renew(length))) {
            throw new IllegalStateException("Lock '" + name() + "' could not be renewed: it was lost", mine.loss());
        }
    }

    /** Returns the handle of this thread. */
    Optional<HeldLock> heldLock() {
        return entries.of(this).flatMap(Entries::grant);
    }

    LockName name() {
        return request.name();
    }

    /** Returns a description of the lock for logs. */
    @Override
    public String toString() {
        return "Lock '" + name() + "' of a registry";
    }

    /** Enters or acquires the lock, and waits without limit. */
    private boolean insist(LockRequest asked) throws InterruptedException {
        Optional<Entries> mine = entries.held(this);
        if (mine.isPresent()) {
            if (!mine.get().enter(asked.ttl())) {
                throw new CannotAcquireLockException(
                        "Lock '" + name() + "' cannot be entered again: it was lost",
                        mine.get().loss());
            }
            return true;
        }
        boolean acquired = false;
        while (!acquired) {
            acquired = acquire(asked.waitAtMost(LockRequest.MAX_WAIT));
        }
        return true;
    }

    /** Enters the lock, or acquires it with a wait that may be longer than the client's longest. */
    private boolean attempt(LockRequest asked, Duration wait) throws InterruptedException {
        Optional<Entries> mine = entries.held(this);
        if (mine.isPresent()) {
            return mine.get().enter(asked.ttl());
        }
        Duration left = wait;
        boolean acquired;
        do {
            Duration part = left.compareTo(LockRequest.MAX_WAIT) < 0 ? left : LockRequest.MAX_WAIT;
            acquired = acquire(asked.waitAtMost(part));
            left = left.minus(part);
        } while (!acquired && !left.isZero());
        return acquired;
    }

    private boolean acquire(LockRequest asked) throws InterruptedException {
        Optional<HeldLock> granted = locks.tryAcquire(asked);
        granted.ifPresent(grant -> entries.begin(this, grant));
        return granted.isPresent();
    }

    private LockRequest requestFor(Duration ttl) {
        Duration length = lease(ttl);
        Duration minimum = request.minimumHold();
        LockRequest plain =
                LockRequest.of(name(), length).holdAtLeast(minimum.compareTo(length) > 0 ? length : minimum);
        LockRequest ordered = request.isFair() ? plain.fair() : plain;
        LockRequest noted = request.note().map(ordered::note).orElse(ordered);
        LockRequest kept = request.isKeptAlive() ? noted : noted.fixedLease();
        return request.keepAliveLimit()
                .map(limit -> kept.keepAliveAtMost(limit.compareTo(length) < 0 ? length : limit))
                .orElse(kept);
    }

    private static Duration lease(Duration ttl) {
        if (Objects.requireNonNull(ttl, "The ttl is null").compareTo(LockRequest.MAX_TTL) > 0) {
            throw new IllegalArgumentException("ttl must be at most " + LockRequest.MAX_TTL + ", was " + ttl);
        }
        return ttl.compareTo(LockRequest.MIN_TTL) < 0
                ? LockRequest.MIN_TTL
                : Duration.ofMillis(ttl.plusNanos(NANOS_PER_MILLI - 1).toMillis());
    }

    /** Repeats an operation that was interrupted, and keeps the interrupt. Nothing is held after an interrupt. */
    private boolean uninterruptibly(Operation operation) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return translated(operation);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean translated(Operation operation) throws InterruptedException {
        try {
            return operation.run();
        } catch (LockException e) {
            throw new CannotAcquireLockException(
                    "Lock '" + name() + "' could not be acquired or renewed: " + e.getMessage(), e);
        }
    }

    /** A call of the lock client. */
    @FunctionalInterface
    private interface Operation {
        boolean run() throws InterruptedException;
    }
}
