package org.mongolocks.spring.boot;

import java.time.Duration;
import java.util.Locale;
import org.mongolocks.ClientStatus;
import org.mongolocks.LockQuery;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the lock client: it lists at most one lock, which is one read. Up if the server replied, down otherwise,
 * and out of service if the client is closed. Held locks do not matter, nor does a client that polls.
 */
final class LocksHealthIndicator extends AbstractHealthIndicator {
    private static final LockQuery ONE_LOCK = LockQuery.all().limit(1);

    private final LockOperations locks;

    LocksHealthIndicator(LockOperations locks) {
        super("The lock client could not read its collection");
        this.locks = locks;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.withDetail(
                "strategy", locks.strategyName()); // builds a lazy client, which is no part of the round trip
        if (locks.status().isClosed()) {
            builder.outOfService().withDetail("reason", "The lock client is closed");
            return;
        }
        long startNanos = System.nanoTime();
        locks.list(ONE_LOCK);
        Duration roundTrip = Duration.ofNanos(System.nanoTime() - startNanos);
        builder.up().withDetail("roundTripMillis", roundTrip.toMillis());
        show(locks.status(), builder);
    }

    private static void show(ClientStatus status, Health.Builder builder) {
        builder.withDetail("changeStream", status.changeStream().state().name().toLowerCase(Locale.ROOT));
        status.changeStream().reason().ifPresent(reason -> builder.withDetail("changeStreamReason", reason));
    }
}
