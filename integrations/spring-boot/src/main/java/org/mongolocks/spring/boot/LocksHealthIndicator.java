package org.mongolocks.spring.boot;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.TimeSource;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the lock client: it lists at most one lock, which is one read. Up if the server replied, down
 * otherwise. Held locks do not matter.
 */
final class LocksHealthIndicator extends AbstractHealthIndicator {
    private static final LockQuery ONE_LOCK = LockQuery.all().limit(1);

    private final LockOperations locks;
    private final InstantSource wallClock = InstantSource.system();
    private final TimeSource time = TimeSource.system();

    LocksHealthIndicator(LockOperations locks) {
        super("The lock client could not read its collection");
        this.locks = locks;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        String strategy = locks.strategyName(); // builds a lazy client, which is no part of the round trip
        long startNanos = time.nanoTime();
        LockPage page = locks.list(ONE_LOCK);
        Duration roundTrip = Duration.ofNanos(time.nanoTime() - startNanos);
        builder.up().withDetail("strategy", strategy).withDetail("roundTripMillis", roundTrip.toMillis());
        serverTime(page)
                .ifPresent(server -> builder.withDetail(
                        "clockOffsetMillis",
                        Duration.between(wallClock.instant().minus(roundTrip.dividedBy(2)), server)
                                .toMillis()));
    }

    /** A reply shows the server's time only by what remains of a lease. */
    private static Optional<Instant> serverTime(LockPage page) {
        return page.locks().stream()
                .filter(LockSnapshot::isHeld)
                .flatMap(
                        lock -> lock.expiresAt().flatMap(end -> lock.remaining().map(end::minus)).stream())
                .findFirst();
    }
}
