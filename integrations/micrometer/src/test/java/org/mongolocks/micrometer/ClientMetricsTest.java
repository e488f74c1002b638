package org.mongolocks.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** The meters of either client on a server. */
class ClientMetricsTest {
    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String database = "metered-" + UUID.randomUUID();
    private final LockRequest request =
            LockRequest.of("lock", Duration.ofSeconds(30)).fixedLease();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LockMetrics metrics = LockMetrics.of(registry, "orders");

    @AfterEach
    void drop() {
        connection.sync().getDatabase(database).drop();
    }

    @Test
    void synchronousClientIsMetered() throws Exception {
        try (LockClient locks = metrics.observe(LockClient.builder(connection.sync(), database)
                        .drainTimeout(Duration.ZERO)
                        .strategy("findandmodify-counter"))
                .build()) {
            HeldLock lock = locks.acquire(request);
            assertThat(locks.tryAcquire(request)).isEmpty();
            eventually("mongo.locks.wait", "contended");
            assertThat(held()).isEqualTo(1);
            assertThat(lock.release()).isTrue();
            eventually("mongo.locks.hold", "released");
            locks.acquire(request);
        }

        assertClosedClientHoldsNothing();
    }

    @Test
    void reactiveClientIsMetered() throws Exception {
        try (ReactiveLockClient locks = metrics.observe(ReactiveLockClient.builder(connection.reactive(), database)
                        .drainTimeout(Duration.ZERO)
                        .strategy("findandmodify-counter"))
                .build()
                .blockOptional()
                .orElseThrow()) {
            ReactiveHeldLock lock = locks.acquire(request).blockOptional().orElseThrow();
            assertThat(locks.tryAcquire(request).blockOptional()).isEmpty();
            eventually("mongo.locks.wait", "contended");
            assertThat(held()).isEqualTo(1);
            assertThat(lock.release().blockOptional()).contains(true);
            eventually("mongo.locks.hold", "released");
            locks.acquire(request).block();
        }

        assertClosedClientHoldsNothing();
    }

    private void assertClosedClientHoldsNothing() throws Exception {
        eventually("mongo.locks.hold", "lost");
        assertThat(held()).isZero();
        assertThat(registry.get("mongo.locks.lost")
                        .tag("reason", "client_closed")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(count("mongo.locks.wait", "acquired")).isEqualTo(2);
    }

    /** Events come on a thread of their own. */
    private void eventually(String timer, String outcome) throws Exception {
        Eventually.isTrue(timer + " has " + outcome, () -> count(timer, outcome) == 1);
    }

    private long count(String timer, String outcome) {
        return registry.find(timer).tag("outcome", outcome).timers().stream()
                .mapToLong(io.micrometer.core.instrument.Timer::count)
                .sum();
    }

    private double held() {
        return registry.get("mongo.locks.held").gauge().value();
    }
}
