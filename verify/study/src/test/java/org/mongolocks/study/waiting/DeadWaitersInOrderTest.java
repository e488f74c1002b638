package org.mongolocks.study.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/**
 * Tests of clients that die while they wait with fair requests. The first client holds the lock until its release, the
 * others begin to wait one after the other, and some die. A ticket lasts much longer than the waits that are expected.
 */
class DeadWaitersInOrderTest {
    private static final long SEED = 1;
    private static final int HOLDER = 1;
    private static final LockName NAME = LockName.of("lock");
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration BETWEEN = Duration.ofMillis(100);
    private static final Duration DEATH = Duration.ofSeconds(4);
    private static final Duration RELEASE = Duration.ofSeconds(5);
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration WORK = Duration.ofMillis(10);

    private static final Duration GRACE = Duration.ofMillis(250);
    private static final Duration NETWORK = Duration.ofMillis(80);

    private final List<Grant> grants = new ArrayList<>();
    private Duration holderTtl = LONG;

    /** A grant: to the waiter with this number, and how long after the release of the first client. */
    private record Grant(int waiter, Duration at) {}

    @Test
    void deadFirstTicketCostsOneGracePeriod() {
        run(waiters(2, 3, 4), 2);

        assertServed(3, 4);
        assertFirstAfter(GRACE);
    }

    @Test
    void deadTicketBehindALiveOneCostsOneGracePeriod() {
        run(waiters(2, 3, 4), 3);

        assertServed(2, 4);
        assertThat(grants.get(0).at()).isLessThan(NETWORK);
        assertThat(grants.get(1).at()).isBetween(GRACE, GRACE.plus(WORK).plus(NETWORK.multipliedBy(2)));
    }

    @Test
    void eachOfSeveralDeadTicketsCostsOneGracePeriodAndOnlyOnce() {
        run(waiters(2, 3, 4, 5, 6, 7, 8, 9, 10), 2, 3, 4, 5);

        assertServed(6, 7, 8, 9, 10);
        assertFirstAfter(GRACE.multipliedBy(4));
        assertHandOversArePrompt();
    }

    @Test
    void tenDeadClientsCostTenGracePeriods() {
        int[] dead = IntStream.rangeClosed(2, 11).toArray();

        run(waiters(IntStream.rangeClosed(2, 16).toArray()), dead);

        assertServed(12, 13, 14, 15, 16);
        assertFirstAfter(GRACE.multipliedBy(10));
        assertHandOversArePrompt();
    }

    @Test
    void waitersOfOneDeadClientCostOneGracePeriodTogether() {
        run(waiters(2, 2, 2, 2, 3, 4, 5), 2);

        assertServed(3, 4, 5);
        assertFirstAfter(GRACE);
        assertHandOversArePrompt();
    }

    @Test
    void waitersOfOneDeadClientCostOneGracePeriodAlsoIfOthersAreBetween() {
        run(waiters(2, 3, 2, 4, 2, 5), 2);

        assertServed(3, 4, 5);
        assertFirstAfter(GRACE);
        assertHandOversArePrompt();
    }

    /** No event shows that the lock is free. */
    @Test
    void deadFirstTicketCostsOneGracePeriodAfterTheLeaseOfADeadHolder() {
        holderTtl = LEASE;

        run(waiters(2, 3, 4), HOLDER, 2);

        assertServed(3, 4);
        assertFirstAfter(LEASE.minus(RELEASE).plus(GRACE));
    }

    @Test
    void clientsThatBeginToWaitLaterAreNotDelayedBySkippedTickets() {
        List<Integer> clients = new ArrayList<>(waiters(2, 3, 4, 5));
        clients.addAll(IntStream.range(0, 60).mapToObj(number -> 6).toList());

        run(clients, 2, 3);

        assertThat(grants).hasSize(62);
        assertFirstAfter(GRACE.multipliedBy(2));
        assertHandOversArePrompt();
    }

    private static List<Integer> waiters(int... clients) {
        return IntStream.of(clients).boxed().toList();
    }

    private void assertServed(Integer... clients) {
        assertThat(grants).extracting(Grant::waiter).containsExactly(clients);
    }

    private void assertFirstAfter(Duration wait) {
        assertThat(grants.get(0).at()).isBetween(wait, wait.plus(NETWORK));
    }

    private void assertHandOversArePrompt() {
        Stream<Duration> gaps = IntStream.range(1, grants.size())
                .mapToObj(number ->
                        grants.get(number).at().minus(grants.get(number - 1).at()));
        assertThat(gaps).allMatch(gap -> gap.compareTo(WORK.plus(NETWORK)) < 0);
    }

    /** Runs a waiter of each of these clients, which begin to wait in this order. */
    private void run(List<Integer> clients, int... dead) {
        Workload workload =
                new Workload(16, 1, DurationRange.millis(1, 2), DurationRange.millis(1, 2), Duration.ofMinutes(2));
        Scenario scenario = new Scenario(
                "dead", "", workload, Environment.HEALTHY, client -> ClockFault.NONE, random -> new Nemesis() {});
        Simulation.measure(scenario, counter(), SEED, world -> {
            world.later(DEATH, () -> IntStream.of(dead).forEach(world::crash));
            return new Waiting(world, clients, holderTtl, grants);
        });
    }

    private static Technique counter() {
        return Techniques.shipped().stream()
                .filter(technique -> technique.name().equals("findandmodify-counter"))
                .findFirst()
                .orElseThrow();
    }

    /** Waiters that acquire the lock once. */
    private record Waiting(SimulationRun world, List<Integer> clients, Duration holderTtl, List<Grant> grants)
            implements Measurement {
        @Override
        public WireTrace trace() {
            return WireTrace.NOBODY;
        }

        @Override
        public void work(SimulatedClient client, RandomGenerator random) {
            if (client.id() == HOLDER) {
                client.acquire(new LockRequest(NAME, holderTtl, LONG), granted -> {
                    long work = RELEASE.toNanos() - world.nowNanos();
                    client.process().after(work, () -> client.release(granted.orElseThrow(), () -> {}));
                });
            }
            IntStream.range(0, clients.size())
                    .filter(number -> clients.get(number) == client.id())
                    .forEach(number -> beginLater(client, BETWEEN.multipliedBy(number + 1L)));
        }

        private void beginLater(SimulatedClient client, Duration wait) {
            LockRequest request = new LockRequest(NAME, TTL, LONG).fair();
            client.process()
                    .after(
                            wait.toNanos(),
                            () -> client.acquire(request, granted -> work(client, granted.orElseThrow())));
        }

        private void work(SimulatedClient client, WorkerLock lock) {
            grants.add(new Grant(client.id(), Duration.ofNanos(world.nowNanos()).minus(RELEASE)));
            client.process().after(WORK.toNanos(), () -> client.release(lock, () -> {}));
        }
    }
}
