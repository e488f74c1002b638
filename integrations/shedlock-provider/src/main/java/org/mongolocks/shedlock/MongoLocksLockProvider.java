package org.mongolocks.shedlock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * A lock provider of ShedLock that acquires locks of a {@link LockClient}.
 *
 * <pre>{@code
 * @Bean
 * LockProvider lockProvider(LockClient locks) {
 *     return new MongoLocksLockProvider(locks);
 * }
 * }</pre>
 *
 * <p>{@code lockAtMostFor} is the ttl of the lease, and {@code lockAtLeastFor} its
 * {@linkplain LockRequest#holdAtLeast minimum hold}; both count from the grant, and the lease by the server's clock. The time at which the configuration was created is not used, so that the
 * clocks of the instances are not compared. A ttl of less than 100 milliseconds is raised to that.
 *
 * <p>An unlock, and an extension, change only the lock of the very grant: work that is late frees or extends no lock of
 * another instance. An extension never shortens the lease or the minimum hold. It is empty once the lock was lost.
 *
 * <p>Faults are thrown as ShedLock's {@link LockException}. An interrupt is kept, and ends the attempt with that
 * exception. A loss is logged by the lock client, when it happens. Thread-safe.
 */
public final class MongoLocksLockProvider implements ExtensibleLockProvider {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LockClient locks;

    /**
     * Creates a provider.
     *
     * @param locks the client; the caller closes it
     * @throws IllegalArgumentException if its strategy has the trait {@link Trait#CLOCK_FREE}: it takes over a lock only
     *     while it waits, and ShedLock never waits, so that the lock of a crashed instance would be held for ever
     */
    public MongoLocksLockProvider(LockClient locks) {
        LockStrategy strategy =
                Objects.requireNonNull(locks, "The lock client is null").strategy();
        if (strategy.traits().contains(Trait.CLOCK_FREE)) {
            throw new IllegalArgumentException("The strategy must judge leases by the server's clock, was '"
                    + strategy.name() + "', which takes over a lock only while it waits");
        }
        this.locks = locks;
    }

    /**
     * Makes one attempt to acquire a lock.
     *
     * @param configuration the name and the times
     * @return the lock, or empty if another owner holds it
     * @throws LockException if the server refused or gave no reply, the thread was interrupted, the client is closed, or
     *     {@code lockAtMostFor} is longer than {@link LockRequest#MAX_TTL}
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        return attempt("acquired", configuration, () -> {
            LockRequest request = LockRequest.of(configuration.getName(), ttl(configuration))
                    .holdAtLeast(configuration.getLockAtLeastFor());
            return locks.tryAcquire(request).map(held -> new Lock(configuration, held));
        });
    }

    /** The lease has whole milliseconds, so the ttl is rounded up. */
    private static Duration ttl(LockConfiguration configuration) {
        Duration atMost = configuration.getLockAtMostFor();
        if (atMost.compareTo(LockRequest.MAX_TTL) > 0) {
            throw new IllegalArgumentException(
                    "lockAtMostFor must be at most " + LockRequest.MAX_TTL + ", was " + atMost);
        }
        Duration rounded =
                Duration.ofMillis(atMost.plusNanos(NANOS_PER_MILLI - 1).toMillis());
        return rounded.compareTo(LockRequest.MIN_TTL) < 0 ? LockRequest.MIN_TTL : rounded;
    }

    private static <R> R attempt(String what, LockConfiguration configuration, Operation<R> operation) {
        try {
            return operation.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(what, configuration, e);
        } catch (RuntimeException e) {
            throw failed(what, configuration, e);
        }
    }

    private static LockException failed(String what, LockConfiguration configuration, Exception cause) {
        return new LockException(
                "Lock '" + configuration.getName() + "' could not be " + what + ": " + cause.getMessage(), cause);
    }

    /**
     * A call of the lock client.
     *
     * @param <R> its result
     */
    @FunctionalInterface
    private interface Operation<R> {
        R run() throws InterruptedException;
    }

    /** One grant; an extension has the same, in a new object. */
    private static final class Lock extends AbstractSimpleLock {
        private final HeldLock held;

        Lock(LockConfiguration configuration, HeldLock held) {
            super(configuration);
            this.held = held;
        }

        @Override
        protected void doUnlock() {
            attempt("released", lockConfiguration, held::release);
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration next) {
            return attempt("extended", next, () -> {
                if (!held.renew(ttl(next))) {
                    return Optional.empty();
                }
                held.holdAtLeast(next.getLockAtLeastFor());
                return Optional.of(new Lock(next, held));
            });
        }
    }
}
