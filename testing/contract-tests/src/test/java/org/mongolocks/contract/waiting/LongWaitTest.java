package org.mongolocks.contract.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.CountedAttempts;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.ProbeStrategy;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;
import reactor.core.publisher.Mono;

/** Tests of a wait with very many polls, on a clock that only the test moves. */
@ExtendWith(DroppedDatabase.class)
class LongWaitTest {
    private static final int POLLS = 100_000;
    private static final Duration POLL = Duration.ofMillis(1);
    private static final Duration AMPLE = Duration.ofMinutes(2);

    @Test
    void manyPollsNeitherDeepenTheStackNorEndEarly() {
        FlyingTime time = new FlyingTime();
        CountedAttempts attempts = new CountedAttempts(new ProbeStrategy(List.of()));
        Mono<ReactiveLockClient> client = ClientOptions.of(ReactiveLockClient.builder(
                        DriverClients.shared(ServerFinder.found().uri()).reactive(), LockContract.DATABASE))
                .drainTimeout(Duration.ZERO)
                .strategy(attempts)
                .polling(POLL, POLL)
                .timer(time)
                .time(time)
                .build();
        LockRequest request =
                LockRequest.of("long-wait", Duration.ofSeconds(10)).fixedLease().waitAtMost(POLL.multipliedBy(POLLS));

        Optional<ReactiveHeldLock> outcome =
                client.blockOptional().orElseThrow().tryAcquire(request).blockOptional(AMPLE);

        assertThat(outcome).isEmpty();
        assertThat(attempts.count()).isGreaterThanOrEqualTo(POLLS);
    }

    /** A clock that moves to the end of each poll as soon as it is scheduled. Nothing else becomes due. */
    private static final class FlyingTime implements TimeSource, Timer {
        private final AtomicLong nanos = new AtomicLong();
        private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
            Thread daemon = new Thread(work, "flying-time");
            daemon.setDaemon(true);
            return daemon;
        });

        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public Timeout schedule(Duration delay, Runnable task) {
            if (delay.compareTo(POLL) <= 0) {
                thread.execute(() -> {
                    nanos.addAndGet(delay.toNanos());
                    task.run();
                });
            }
            return () -> {};
        }
    }
}
