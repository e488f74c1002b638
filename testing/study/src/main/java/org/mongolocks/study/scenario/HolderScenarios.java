package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LEASES_3;
import static org.mongolocks.study.scenario.Scenarios.LEASES_5;
import static org.mongolocks.study.scenario.Scenarios.LONG_WORK;

import java.time.Duration;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;

/** The scenarios with a fault of a holder, and those with a wrong clock. */
final class HolderScenarios {
    private static final Duration MAX_WAY = Duration.ofSeconds(4);
    private static final int LATE_MONITOR_SECONDS = 600;

    private static final ClockFault BEHIND = ClockFault.ahead(LEASES_3.negated());

    private HolderScenarios() {}

    static Stream<Scenario> holders() {
        return Stream.of(
                Scenarios.struck(
                        "holder-crash",
                        "a holder crashes in its critical section",
                        random -> OneShotFault.crash(random, FaultPoint.WORKING)),
                Scenarios.struck(
                                "ttl-late",
                                "a holder crashes, and the TTL monitor runs every ten minutes",
                                random -> OneShotFault.crash(random, FaultPoint.WORKING))
                        .with(Environment.HEALTHY.ttlMonitorSeconds(LATE_MONITOR_SECONDS)),
                Scenarios.struck(
                        "holder-pause",
                        "a holder is paused for 1.5 to 3.5 leases, in half of the cases between its check and its"
                                + " write",
                        random -> OneShotFault.pause(
                                random, random.nextBoolean() ? FaultPoint.CHECKED : FaultPoint.WORKING)),
                Scenarios.struck(
                        "late-write",
                        "writes of a holder are delayed until after its release",
                        random -> new LateWrites(random, MAX_WAY)),
                Scenarios.quiet("long-work", "every critical section takes longer than a lease", LONG_WORK)
                        .with(HandoverLimits.NONE.lossesOnlyOf(Set.of())));
    }

    static Stream<Scenario> clocks() {
        return Stream.concat(ofClients(), ofServer());
    }

    private static Stream<Scenario> ofClients() {
        return Stream.of(
                wrong("client-ahead", "the clock of a client is 3 leases ahead", ClockFault.ahead(LEASES_3)),
                wrong(
                                "client-behind",
                                "the clock of a client is 3 leases behind, and the TTL monitor runs every second",
                                BEHIND)
                        .with(Environment.HEALTHY.ttlMonitorSeconds(1)));
    }

    private static Stream<Scenario> ofServer() {
        return Stream.of(
                atWork(
                        "server-ahead",
                        "the clock of the server is set 5 leases ahead while the lock is held",
                        (world, holder) -> world.stepServerClock(LEASES_5)),
                atWork(
                        "server-behind",
                        "the server's clock is set 5 leases back, and the holder crashes",
                        (world, holder) -> {
                            world.stepServerClock(LEASES_5.negated());
                            world.crash(holder);
                        }),
                Scenarios.struck(
                                "server-to-and-fro",
                                "the clock of the server is 5 leases behind for a short time while the lock is held",
                                random -> new ToAndFro())
                        .with(Scenarios.LONG_WORK));
    }

    private static Scenario wrong(String name, String about, ClockFault fault) {
        return Scenarios.quiet(name, about, Scenarios.SHORT_WORK).with(fault);
    }

    private static Scenario atWork(String name, String about, OneShotFault.Blow blow) {
        return Scenarios.struck(name, about, random -> OneShotFault.anybody(random, FaultPoint.WORKING, blow));
    }

    /** Delays one write in five. */
    private record LateWrites(RandomGenerator random, Duration most) implements Nemesis {
        @Override
        public Duration delayOfWrite(int client) {
            return random.nextInt(5) == 0 ? Duration.ofMillis(random.nextLong(most.toMillis())) : Duration.ZERO;
        }
    }

    /**
     * Moves the clock away and back again, for a time shorter than the rest of a lease when it is renewed, but long
     * enough for a renewal.
     */
    private record ToAndFro() implements Nemesis {
        private static final Duration SOON = Duration.ofSeconds(1);
        private static final Duration MOMENT = Duration.ofSeconds(4);

        @Override
        public void at(FaultPoint moment, SimulationRun world, int client) {
            if (moment == FaultPoint.WORKING) {
                world.later(SOON, () -> {
                    world.stepServerClock(LEASES_5.negated());
                    world.later(MOMENT, () -> world.stepServerClock(LEASES_5));
                });
            }
        }
    }
}
