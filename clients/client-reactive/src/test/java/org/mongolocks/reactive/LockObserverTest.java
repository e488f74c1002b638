package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockEvent;
import org.mongolocks.LockEvent.Kind;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;

/** The events that an observer of either client gets. */
@ExtendWith(DroppedDatabase.class)
class LockObserverTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofSeconds(60);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockName name = LockName.of("lock-" + UUID.randomUUID());
    private final LockRequest request = LockRequest.of(name, TTL).fixedLease();
    private final BlockingQueue<LockEvent> events = new LinkedBlockingQueue<>();

    @Test
    void reactiveClientReportsTheLifeOfALock() throws Exception {
        ReactiveLockClient locks = observed(ReactiveLockClient.builder(connection.reactive(), ContractServer.DATABASE)
                        .drainTimeout(Duration.ZERO))
                .build()
                .blockOptional()
                .orElseThrow();
        try {
            ReactiveHeldLock held = locks.acquire(request).blockOptional().orElseThrow();
            held.renew().block();
            assertThat(locks.tryAcquire(request).blockOptional()).isEmpty();
            assertFirstHold();
            CompletableFuture<ReactiveHeldLock> waiter =
                    locks.acquire(request.waitAtMost(LONG)).toFuture();
            assertThat(next().kind()).isEqualTo(Kind.WAITING);
            held.release().block();
            waiter.get(LONG.toSeconds(), TimeUnit.SECONDS);
        } finally {
            locks.close();
        }

        assertSecondHold();
    }

    private <C> LockClientBuilder<C> observed(LockClientBuilder<C> builder) {
        return builder.strategy("findandmodify-counter").observer(events::add);
    }

    private void assertFirstHold() throws InterruptedException {
        LockEvent granted = next();
        assertThat(granted.kind()).isEqualTo(Kind.ACQUIRED);
        assertThat(granted.name()).isEqualTo(name);
        assertThat(granted.strategy()).isEqualTo("findandmodify-counter");
        assertThat(granted.fencingToken().orElseThrow()).isPositive();
        assertThat(granted.waited()).isPresent();
        assertThat(granted.held()).isEmpty();
        LockEvent renewed = next();
        assertThat(renewed.kind()).isEqualTo(Kind.RENEWED);
        assertThat(renewed.held()).isPresent();
        LockEvent contended = next();
        assertThat(contended.kind()).isEqualTo(Kind.CONTENDED);
        assertThat(contended.waited()).isPresent();
    }

    /** The next holder may be granted the lock before the first one knows that its release was executed. */
    private void assertSecondHold() throws InterruptedException {
        assertThat(List.of(next(), next()))
                .extracting(LockEvent::kind)
                .containsExactlyInAnyOrder(Kind.RELEASED, Kind.ACQUIRED);
        LockEvent lost = next();
        assertThat(lost.kind()).isEqualTo(Kind.LOST);
        assertThat(lost.lossReason()).contains(LossReason.CLIENT_CLOSED);
        assertThat(lost.fencingToken()).isPresent();
        assertThat(events).isEmpty();
    }

    private LockEvent next() throws InterruptedException {
        LockEvent event = events.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }
}
