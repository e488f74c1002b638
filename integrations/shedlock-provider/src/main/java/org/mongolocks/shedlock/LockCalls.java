package org.mongolocks.shedlock;

import static java.lang.System.Logger.Level.INFO;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.LockStrategy.Trait;

/** ShedLock's calls, made as calls of a lock client: the part that does not depend on the driver. Thread-safe. */
final class LockCalls {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Locks locks;

    /** Creates the calls for a client whose strategy takes over a lock without a waiter. */
    LockCalls(String strategy, Set<Trait> traits, Locks locks) {
        if (traits.contains(Trait.CLOCK_FREE)) {
            throw new IllegalArgumentException("The strategy must judge leases by the server's clock, was '" + strategy
                    + "', which takes over a lock only while it waits");
        }
        this.locks = locks;
    }

    /** The locks of a client; a call waits for its reply. */
    @FunctionalInterface
    interface Locks {
        /** Makes one attempt; empty if another owner holds the lock. */
        Optional<Grant> tryAcquire(LockRequest request) throws InterruptedException;
    }

    /** A lock that was acquired. */
    interface Grant {
        /** Extends the lease to at least a time from now; false if the lock was lost. */
        boolean renew(Duration ttl) throws InterruptedException;

        /** Sets how long from now no other owner acquires the lock. */
        void holdAtLeast(Duration minimum);

        /** Ends the lease. */
        void release();
    }

    /**
     * Makes one attempt to acquire the lock of a configuration. If the client is closed, the application is stopping, and
     * its scheduler has no use for an exception: the task is skipped.
     */
    Optional<SimpleLock> lock(LockConfiguration configuration) {
        return attempt("acquired", configuration, () -> {
            LockRequest request = LockRequest.of(configuration.getName(), ttl(configuration))
                    .fixedLease()
                    .holdAtLeast(configuration.getLockAtLeastFor());
            try {
                return locks.tryAcquire(request).map(grant -> new Lock(configuration, grant));
            } catch (ClientClosedException e) {
                LOG.log(INFO, "The task of lock '" + configuration.getName() + "' is skipped: " + e.getMessage());
                return Optional.empty();
            }
        });
    }

    /** The lease has whole milliseconds, so the ttl is rounded up. */
    private static Duration ttl(LockConfiguration configuration) {
        Duration atMost = configuration.getLockAtMostFor();
        if (atMost.compareTo(LockRequest.MAX_TTL) > 0) {
            throw new IllegalArgumentException(
                    "lockAtMostFor must be at most " + LockRequest.MAX_TTL + ", was " + atMost);
        }
        return atMost.compareTo(LockRequest.MIN_TTL) < 0
                ? LockRequest.MIN_TTL
                : Duration.ofMillis(atMost.plusNanos(NANOS_PER_MILLI - 1).toMillis());
    }

    private static <R> R attempt(String what, LockConfiguration configuration, Operation<R> operation) {
        try {
            return operation.run();
        } catch (InterruptedException | LockInterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(what, configuration, "the thread was interrupted, as at the shutdown of its scheduler", e);
        } catch (RuntimeException e) {
            throw failed(what, configuration, Objects.requireNonNullElse(e.getMessage(), e.toString()), e);
        }
    }

    private static LockException failed(String what, LockConfiguration configuration, String reason, Exception cause) {
        return new LockException("Lock '" + configuration.getName() + "' could not be " + what + ": " + reason, cause);
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
        private final Grant grant;

        Lock(LockConfiguration configuration, Grant grant) {
            super(configuration);
            this.grant = grant;
        }

        @Override
        protected void doUnlock() {
            attempt("released", lockConfiguration, () -> {
                grant.release();
                return true;
            });
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration next) {
            return attempt("extended", next, () -> {
                if (!grant.renew(ttl(next))) {
                    return Optional.empty();
                }
                grant.holdAtLeast(next.getLockAtLeastFor());
                return Optional.of(new Lock(next, grant));
            });
        }
    }
}
