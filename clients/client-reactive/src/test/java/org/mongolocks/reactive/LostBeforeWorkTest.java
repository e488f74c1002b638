package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.time.Timer.Timeout;
import reactor.core.publisher.Mono;

/** Tests of locks that are lost after the grant and before the work begins. */
@ExtendWith(DroppedDatabase.class)
class LostBeforeWorkTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockRequest request =
            LockRequest.of("lost-" + UUID.randomUUID(), TTL).fixedLease();
    private final AtomicLong passedNanos = new AtomicLong();
    private final AtomicBoolean worked = new AtomicBoolean();

    static Stream<Work> work() {
        return Stream.of(
                (locks, request, work) -> locks.tryWithLock(request, lock -> work),
                (locks, request, work) -> locks.tryCallWithLock(request, lock -> work),
                (locks, request, work) -> locks.callWithLock(request, lock -> work),
                (locks, request, work) -> locks.reentrant("owner").tryWithLock(request, lock -> work),
                (locks, request, work) -> locks.reentrant("owner").tryCallWithLock(request, lock -> work));
    }

    /** A call that runs reactive work under a lock. */
    @FunctionalInterface
    private interface Work {
        Mono<Boolean> run(ReactiveLockClient locks, LockRequest request, Mono<Boolean> work);
    }

    @ParameterizedTest
    @MethodSource("work")
    @Tag("finds:lost-before-work")
    void aLeaseThatEndsBeforeWorkRefusesIt(Work work) {
        try (ReactiveLockClient locks = client()) {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> work.run(locks, request, Mono.fromSupplier(() -> worked.getAndSet(true)))
                            .block(SOON))
                    .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.EXPIRED));

            assertThat(worked).isFalse();
        }
    }

    private ReactiveLockClient client() {
        return ClientOptions.of(ReactiveLockClient.builder(connection.reactive(), ContractServer.DATABASE))
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .timer(this::endTheLease)
                .time(() -> System.nanoTime() + passedNanos.get())
                .build()
                .blockOptional(SOON)
                .orElseThrow();
    }

    /** A timer without tasks. A client schedules one between a grant and the work, on the thread that acquires. */
    private Timeout endTheLease(Duration delay, Runnable task) {
        passedNanos.set(TTL.multipliedBy(2).toNanos());
        return () -> {};
    }
}
