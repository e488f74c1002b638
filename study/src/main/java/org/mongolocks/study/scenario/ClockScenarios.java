package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LEASES_3;
import static org.mongolocks.study.scenario.Scenarios.LEASES_5;

import java.time.Duration;
import java.util.stream.Stream;
import org.mongolocks.study.simulation.ClockFault;
import org.mongolocks.study.simulation.Environment;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Nemesis;
import org.mongolocks.study.simulation.Scenario;
import org.mongolocks.study.simulation.World;

/** Has the scenarios in which a clock is wrong. */
final class ClockScenarios {
    private static final double FAST = 1.6;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private ClockScenarios() {}

    static Stream<Scenario> all() {
        return Stream.of(
                Scenarios.with(
                        ClockFault.ahead(LEASES_3),
                        Scenarios.quiet(
                                "client-ahead", "the clock of a client is 3 leases ahead", Scenarios.SHORT_WORK)),
                Scenarios.with(
                        ClockFault.ahead(LEASES_3.negated()),
                        Scenarios.quiet(
                                "client-behind", "the clock of a client is 3 leases behind", Scenarios.SHORT_WORK)),
                Scenarios.struck(
                        "client-steps",
                        "the clock of a client is set a minute ahead while another holds the lock",
                        random -> Strike.anybody(
                                random,
                                Moment.WORKING,
                                (world, holder) -> world.stepClientClock(holder == 1 ? 2 : 1, MINUTE))),
                Scenarios.with(
                        new ClockFault(Duration.ZERO, FAST, 1),
                        Scenarios.quiet(
                                "client-fast",
                                "the wall clock of a client runs 1.6 times as fast",
                                Scenarios.SHORT_WORK)),
                Scenarios.struck(
                        "server-ahead",
                        "the clock of the server is set 5 leases ahead while the lock is held",
                        random -> Strike.anybody(
                                random, Moment.WORKING, (world, holder) -> world.stepServerClock(LEASES_5))),
                Scenarios.struck(
                        "server-behind",
                        "the clock of the server is set 5 leases back, and the holder crashes",
                        random -> Strike.anybody(random, Moment.WORKING, (world, holder) -> {
                            world.stepServerClock(LEASES_5.negated());
                            world.crash(holder);
                        })),
                Scenarios.doing(
                        Scenarios.LONG_WORK,
                        Scenarios.struck(
                                "server-to-and-fro",
                                "the clock of the server is 5 leases behind for a moment while the lock is held",
                                random -> new ToAndFro())),
                Scenarios.in(
                        Environment.HEALTHY.ttlMonitorSeconds(1),
                        Scenarios.with(
                                ClockFault.ahead(LEASES_3.negated()),
                                Scenarios.quiet(
                                        "ttl-eats-lock",
                                        "the TTL monitor comes each second, and the clock of a client is 3 leases behind",
                                        Scenarios.SHORT_WORK))));
    }

    /** The moment is shorter than what is left of a lease when it is renewed, and long enough for a renewal. */
    private record ToAndFro() implements Nemesis {
        private static final Duration SOON = Duration.ofSeconds(1);
        private static final Duration MOMENT = Duration.ofSeconds(4);

        @Override
        public void at(Moment moment, World world, int client) {
            if (moment == Moment.WORKING) {
                world.later(SOON, () -> {
                    world.stepServerClock(LEASES_5.negated());
                    world.later(MOMENT, () -> world.stepServerClock(LEASES_5));
                });
            }
        }
    }
}
