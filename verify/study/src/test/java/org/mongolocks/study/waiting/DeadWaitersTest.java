package org.mongolocks.study.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.study.sim.Environment;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.sim.Simulation.Measurement;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.Workload;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/**
 * Tests of clients that die while they wait. The first client holds the lock until its release, the others begin to wait
 * one after the other, some die, and no client asks again. The release is the turn of the second client.
 */
class DeadWaitersTest {
    private static final long SEED = 1;
    private static final LockName NAME = LockName.of("lock");
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration BETWEEN = Duration.ofMillis(100);
    private static final Duration DEATH = Duration.ofSeconds(4);
    private static final Duration RELEASE = Duration.ofSeconds(5);
    private static final Duration WORK = Duration.ofMillis(10);
    /** The longest time without an attempt of a client that gets no event. */
    private static final Duration MISSED = Duration.ofSeconds(9);

    private static final Duration CLAIM = Duration.ofMillis(250);
    private static final Duration NETWORK = Duration.ofMillis(50);

    /** Each dead client costs a quarter of a second, besides the one whose turn it was, which costs one too. */
    @Test
    void clientBehindFewDeadOnesIsNear() {
        List<Duration> waits = waitsAfterRelease(2, 5, 8);

        assertThat(waits).hasSize(3);
        assertThat(waits.get(0))
                .isBetween(CLAIM.multipliedBy(4), CLAIM.multipliedBy(4).plus(NETWORK));
    }

    @Test
    void clientBehindManyDeadOnesNeedsNoEvent() {
        List<Duration> waits = waitsAfterRelease(2, 12, 13);

        assertThat(waits).hasSize(1);
        assertThat(waits.get(0)).isLessThan(MISSED.plus(CLAIM.multipliedBy(11)).plus(NETWORK));
    }

    @Test
    void allClientsBehindDeadOnesGetTheLock() {
        List<Duration> waits = waitsAfterRelease(8, 20, 30);

        assertThat(waits).hasSize(16);
        assertThat(waits.get(5)).isLessThan(Duration.ofSeconds(1));
        assertThat(waits.get(15)).isLessThan(MISSED.plus(CLAIM.multipliedBy(29)).plus(NETWORK));
    }

    /** Returns how long after the release each client but the first is granted the lock, in ascending order. */
    private static List<Duration> waitsAfterRelease(int firstDead, int lastDead, int clients) {
        List<Duration> waits = new ArrayList<>();
        Workload workload =
                new Workload(clients, 1, DurationRange.millis(1, 2), DurationRange.millis(1, 2), Duration.ofMinutes(2));
        Scenario scenario = new Scenario(
                "dead", "", workload, Environment.HEALTHY, client -> ClockFault.NONE, random -> new Nemesis() {});
        Simulation.measure(scenario, counter(), SEED, world -> {
            world.later(DEATH, () -> IntStream.rangeClosed(firstDead, lastDead).forEach(world::crash));
            return new Waiting(world, waits);
        });
        return waits;
    }

    private static Technique counter() {
        return Techniques.shipped().stream()
                .filter(technique -> technique.name().equals("findandmodify-counter"))
                .findFirst()
                .orElseThrow();
    }

    /** Clients that acquire the lock once. */
    private record Waiting(SimulationRun world, List<Duration> waits) implements Measurement {
        @Override
        public WireTrace trace() {
            return WireTrace.NOBODY;
        }

        @Override
        public void work(SimulatedClient client, RandomGenerator random) {
            boolean isFirst = client.id() == 1;
            long begin = BETWEEN.multipliedBy(client.id()).toNanos();
            client.process()
                    .after(
                            begin,
                            () -> client.acquire(new LockRequest(NAME, LONG, LONG), granted -> {
                                long work = isFirst ? RELEASE.toNanos() - world.nowNanos() : WORK.toNanos();
                                if (!isFirst) {
                                    waits.add(Duration.ofNanos(world.nowNanos()).minus(RELEASE));
                                }
                                client.process().after(work, () -> client.release(granted.orElseThrow(), () -> {}));
                            }));
        }
    }
}
