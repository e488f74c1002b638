package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import reactor.core.publisher.Mono;

/** Tests of several locks. */
@ExtendWith(DroppedDatabase.class)
class SeveralLocksTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String prefix = UUID.randomUUID().toString();
    private final String from = prefix + "-1";
    private final String to = prefix + "-2";
    private final MultiLockRequest request =
            MultiLockRequest.of(List.of(to, from), TTL).fixedLease();
    private final ReactiveLockClient locks = PlainClient.on(connection);

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void theWorkIsDoneUnderAllLocksWhichAreReleased() {
        assertThat(locks.tryWithLocks(
                                request,
                                held -> Mono.fromRunnable(
                                        () -> assertThat(held.isHeld()).isTrue()))
                        .block())
                .isTrue();

        assertFree();
    }

    @Test
    void theWorkIsCancelledWhenOneLockIsLost() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.tryWithLocks(request, held -> lose(held).then(Mono.never()))
                        .block(Duration.ofSeconds(20)))
                .withMessageContaining(from);

        assertFree();
    }

    @Test
    void releaseReleasesTheOthersWhenOneWasLost() {
        ReactiveHeldLocks held = locks.tryAcquireAll(request).blockOptional().orElseThrow();
        lose(held).block();

        assertThat(held.release().block()).isFalse();

        assertFree();
    }

    private Mono<Boolean> lose(ReactiveHeldLocks held) {
        return locks.inspect(LockName.of(from))
                .flatMap(locks::forceRelease)
                .then(Mono.defer(() -> held.get(from).renew()));
    }

    private void assertFree() {
        for (String name : List.of(from, to)) {
            assertThat(locks.tryAcquire(LockRequest.of(name, TTL).fixedLease()).blockOptional())
                    .isPresent();
        }
    }
}
