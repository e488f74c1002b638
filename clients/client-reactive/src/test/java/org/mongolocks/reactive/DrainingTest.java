package org.mongolocks.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tests of {@code close(Duration)}: the work under held locks ends first. */
@ExtendWith(DroppedDatabase.class)
class DrainingTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SOON = Duration.ofSeconds(20);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockRequest request =
            LockRequest.of("drain-" + UUID.randomUUID(), Duration.ofSeconds(30)).fixedLease();
    private final CountDownLatch working = new CountDownLatch(1);
    private final ReactiveLockClient locks = PlainClient.on(connection);
    private final ReactiveLockClient others = PlainClient.on(connection);

    @AfterEach
    void close() {
        locks.close();
        others.close();
    }

    @Test
    void workEndsBeforeTheClientCloses() throws Exception {
        Sinks.One<Boolean> end = Sinks.one();
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> locks.tryWithLock(request, lock -> {
                    working.countDown();
                    return end.asMono().then(lock.renew());
                })
                .block(SOON));
        work.runUntil(working);

        BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
            locks.close(LONG);
            return true;
        });
        Eventually.isTrue("new acquisitions are refused", this::isRefused);

        assertThat(closing.isDone()).isFalse();
        end.tryEmitValue(true).orThrow();
        assertThat(work.result()).isTrue();
        assertThat(closing.result()).isTrue();
        assertThat(others.tryAcquire(request).blockOptional(SOON)).isPresent();
    }

    @Test
    void workThatIsAwaitedEntersItsLockAgain() throws Exception {
        Sinks.One<Boolean> end = Sinks.one();
        ReactiveReentrantLocks mine = locks.reentrant("owner");
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> mine.tryWithLock(request, outer -> {
                    working.countDown();
                    return end.asMono().then(mine.withLock(request, inner -> inner.renew()));
                })
                .block(SOON));
        work.runUntil(working);
        BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
            locks.close(LONG);
            return true;
        });
        Eventually.isTrue("new acquisitions are refused", this::isRefused);

        end.tryEmitValue(true).orThrow();

        assertThat(work.result()).isTrue();
        assertThat(closing.result()).isTrue();
    }

    @Test
    void workThatLastsTooLongIsCancelled() throws Exception {
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> locks.tryWithLock(request, lock -> {
                    working.countDown();
                    return Mono.never();
                })
                .block(SOON));
        work.runUntil(working);

        locks.close(Duration.ofMillis(1));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(work::result)
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.CLIENT_CLOSED));
        assertThat(others.tryAcquire(request).blockOptional(SOON)).isPresent();
    }

    private boolean isRefused() {
        try {
            locks.tryAcquire(request).block(SOON);
            return false;
        } catch (ClientClosedException e) {
            return true;
        }
    }
}
