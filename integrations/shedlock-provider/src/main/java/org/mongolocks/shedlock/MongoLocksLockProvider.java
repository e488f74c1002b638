package org.mongolocks.shedlock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.mongolocks.LockRequest;
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
 * {@linkplain LockRequest#holdAtLeast minimum hold}; both count from the grant, and the lease by the server's clock. The
 * time at which the configuration was created is not used, so that the clocks of the instances are not compared. A ttl
 * of less than 100 milliseconds is raised to that.
 *
 * <p>An unlock, and an extension, change only the lock of the very grant: work that is late frees or extends no lock of
 * another instance. An extension never shortens the lease or the minimum hold. It is empty once the lock was lost.
 *
 * <p>Faults are thrown as ShedLock's {@link LockException}. An interrupt is kept, and ends the attempt with that
 * exception. If the client is closed, as at a shutdown, the task is skipped, with a line in the log. A loss is logged by the
 * lock client, when it happens. Thread-safe. {@link ReactiveMongoLocksLockProvider}
 * does the same for the client of the reactive driver.
 */
public final class MongoLocksLockProvider implements ExtensibleLockProvider {
    private final LockCalls calls;

    /**
     * Creates a provider.
     *
     * @param locks the client; the caller closes it
     * @throws IllegalArgumentException if its strategy has the trait {@link Trait#CLOCK_FREE}: it takes over a lock only
     *     while it waits, and ShedLock never waits, so that the lock of a crashed instance would be held for ever
     */
    public MongoLocksLockProvider(LockClient locks) {
        Objects.requireNonNull(locks, "The lock client is null");
        this.calls = new LockCalls(
                locks.strategyName(),
                locks.traits(),
                request -> locks.tryAcquire(request).map(Held::new));
    }

    /**
     * Makes one attempt to acquire a lock.
     *
     * @param configuration the name and the times
     * @return the lock, or empty if another owner holds it or the client is closed
     * @throws LockException if the server refused or gave no reply, the thread was interrupted, or
     *     {@code lockAtMostFor} is longer than {@link LockRequest#MAX_TTL}
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        return calls.lock(configuration);
    }

    /** A lock of the client. */
    private record Held(HeldLock lock) implements LockCalls.Grant {
        @Override
        public boolean renew(Duration ttl) throws InterruptedException {
            return lock.renew(ttl);
        }

        @Override
        public void holdAtLeast(Duration minimum) {
            lock.holdAtLeast(minimum);
        }

        @Override
        public void release() {
            lock.release();
        }
    }
}
