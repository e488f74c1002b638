package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.DriverClients;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Tests of a wait with very many polls, on a clock that only the test moves. */
@ExtendWith(DroppedDatabase.class)
class LongWaitTest {
    private static final int POLLS = 100_000;
    private static final Duration POLL = Duration.ofMillis(1);

    @Test
    void manyPollsNeitherDeepenTheStackNorEndEarly() {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        CountedAttempts attempts = new CountedAttempts(new ProbeStrategy(List.of()));
        Mono<ReactiveLockClient> client = ReactiveLockClient.builder(
                        DriverClients.shared(ServerFinder.found().uri()).reactive(), LockContract.DATABASE)
                .strategy(attempts)
                .polling(POLL, POLL)
                .scheduler(time)
                .timeSource(() -> time.now(TimeUnit.NANOSECONDS))
                .build();
        LockRequest request =
                LockRequest.of("long-wait", Duration.ofSeconds(10)).waitAtMost(POLL.multipliedBy(POLLS));
        List<Optional<ReactiveHeldLock>> outcomes = new CopyOnWriteArrayList<>();

        client.blockOptional().orElseThrow().acquire(request).singleOptional().subscribe(outcomes::add);
        assertThat(outcomes).isEmpty();
        time.advanceTimeBy(POLL.multipliedBy(POLLS));

        assertThat(outcomes).containsExactly(Optional.empty());
        assertThat(attempts.count()).isGreaterThanOrEqualTo(POLLS);
    }
}
