package org.mongolocks.study.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.sim.Simulation.Measurement;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Technique;

/**
 * Tests that clients do not add to a storm: a server refuses four of five commands for half a minute, while each client
 * keeps one lock alive and waits for another, which all want.
 */
class OverloadedServerTest {
    private static final Duration BEGIN = Duration.ofSeconds(20);
    private static final Duration STORM = Duration.ofSeconds(30);
    private static final Duration END = BEGIN.plus(STORM);
    private static final Duration LENGTH = END.plusSeconds(20);
    private static final double REFUSED = 0.8;
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofHours(1);
    private static final LockName SHARED = LockName.of("shared");

    @BeforeAll
    static void silenceLog() {
        Logger.getLogger("org.mongolocks").setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16})
    void clientsDoNotAddToAStorm(int clients) {
        assertCalm(run(WaitingWorkersTest.counter(), clients));
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {256})
    void manyClientsDoNotAddToAStorm(int clients) {
        assertCalm(run(WaitingWorkersTest.counter(), clients));
    }

    private static void assertCalm(Clients clients) {
        double perSecond = (double) clients.duringStorm / clients.count / STORM.toSeconds();
        assertThat(clients.own).hasSize(clients.count);
        assertThat(clients.own).allMatch(lock -> lock.hold().isHeld());
        assertThat(perSecond).isLessThanOrEqualTo(2);
        assertThat(Duration.ofNanos(clients.firstGrantNanos - END.toNanos())).isLessThan(Duration.ofSeconds(5));
    }

    private static Clients run(Technique technique, int count) {
        Workload workload = new Workload(count, 2, DurationRange.millis(1, 100), DurationRange.millis(5, 20), LENGTH);
        Scenario scenario = new Scenario(
                "overloaded",
                "",
                workload,
                Environment.HEALTHY,
                client -> ClockFault.NONE,
                random -> new Nemesis() {},
                LockUsage.ALONE,
                HandoverLimits.NONE);
        Clients[] clients = new Clients[1];
        Simulation.measure(scenario, technique, 1, run -> {
            clients[0] = new Clients(run, count);
            return clients[0];
        });
        return clients[0];
    }

    private static final class Clients implements Measurement {
        private final SimulationRun run;
        private final int count;
        private final List<WorkerLock> own = new ArrayList<>();
        private final Set<Integer> begun = new HashSet<>();
        private int duringStorm;
        private long firstGrantNanos = Long.MAX_VALUE;
        private boolean isPlanned;

        Clients(SimulationRun run, int count) {
            this.run = run;
            this.count = count;
        }

        @Override
        public WireTrace trace() {
            return (client, grant, order, sending) -> {
                long now = run.world().nowNanos();
                duringStorm += now >= BEGIN.toNanos() && now < END.toNanos() ? 1 : 0;
                return WireTrace.UNHEARD;
            };
        }

        @Override
        public void work(SimulatedClient client, RandomGenerator random) {
            if (!isPlanned) {
                isPlanned = true;
                run.later(BEGIN, () -> run.shedLoad(REFUSED, STORM));
            }
            if (begun.add(client.id())) {
                client.acquire(
                        LockRequest.of("own-" + client.id(), TTL).waitAtMost(LONG),
                        granted -> own.add(granted.orElseThrow()));
            } else {
                contend(client, random);
            }
        }

        private void contend(SimulatedClient client, RandomGenerator random) {
            client.acquire(LockRequest.of(SHARED, TTL).waitAtMost(LONG), granted -> {
                WorkerLock lock = granted.orElseThrow();
                long now = run.world().nowNanos();
                firstGrantNanos = now >= END.toNanos() ? Math.min(firstGrantNanos, now) : firstGrantNanos;
                long work = run.world().workload().work().draw(random);
                client.process().after(work, () -> client.release(lock, () -> contend(client, random)));
            });
        }
    }
}
