package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LEASES_3;
import static org.mongolocks.study.scenario.Scenarios.LEASES_5;

import java.time.Duration;
import java.util.stream.Stream;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;

/** The scenarios with a wrong clock. */
final class ClockScenarios {
    private static final ClockFault BEHIND = ClockFault.ahead(LEASES_3.negated());
    private static final ClockFault FAST = new ClockFault(Duration.ZERO, 1.6, 1);

    private ClockScenarios() {}

    static Stream<Scenario> all() {
        return Stream.concat(ofClients(), ofServer());
    }

    private static Stream<Scenario> ofClients() {
        return Stream.of(
                wrong("client-ahead", "the clock of a client is 3 leases ahead", ClockFault.ahead(LEASES_3)),
                wrong("client-behind", "the clock of a client is 3 leases behind", BEHIND),
                struck("client-steps", "the clock of a client is set a minute ahead", ClockScenarios::stepAnother),
                wrong("client-fast", "the wall clock of a client runs 1.6 times as fast", FAST),
                wrong(
                                "ttl-eats-lock",
                                "the clock of a client is 3 leases behind, and the TTL monitor runs every second",
                                BEHIND)
                        .with(Environment.HEALTHY.ttlMonitorSeconds(1)));
    }

    private static Stream<Scenario> ofServer() {
        return Stream.of(
                struck(
                        "server-ahead",
                        "the clock of the server is set 5 leases ahead while the lock is held",
                        (world, holder) -> world.stepServerClock(LEASES_5)),
                struck(
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

    private static Scenario struck(String name, String about, OneShotFault.Blow blow) {
        return Scenarios.struck(name, about, random -> OneShotFault.anybody(random, FaultPoint.WORKING, blow));
    }

    private static void stepAnother(SimulationRun world, int holder) {
        world.stepClientClock(holder == 1 ? 2 : 1, Duration.ofMinutes(1));
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
