package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LEASES_3;
import static org.mongolocks.study.scenario.Scenarios.LEASES_5;
import static org.mongolocks.study.scenario.Scenarios.LONG_WORK;

import java.time.Duration;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.scenario.NetworkScenarios.LateMessages;
import org.mongolocks.study.scenario.NetworkScenarios.LostMessages;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios with a fault of a holder, in its work or in a guarded transaction, and those with a wrong clock. */
final class HolderScenarios {
    private static final Duration MAX_WAY = Duration.ofSeconds(4);
    private static final double OFTEN = 0.1;
    /** The server aborts a transaction after a minute. */
    private static final Workload LONG_ENOUGH = new Workload(
            4, 1, DurationRange.millis(50, 1_000), DurationRange.millis(200, 1_500), Duration.ofSeconds(95));

    private static final ClockFault BEHIND = ClockFault.ahead(LEASES_3.negated());
    private static final ClockFault FAST = new ClockFault(Duration.ZERO, 1.6, 1);

    private HolderScenarios() {}

    static Stream<Scenario> holders() {
        return Stream.of(
                Scenarios.struck(
                        "holder-crash",
                        "a holder crashes in its critical section",
                        random -> OneShotFault.crash(random, FaultPoint.WORKING)),
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
                Scenarios.quiet("long-work", "every critical section takes longer than a lease", LONG_WORK));
    }

    static Stream<Scenario> guarded() {
        return Stream.of(
                struck(
                        "guarded-pause",
                        "a holder is paused in a guarded transaction",
                        random -> OneShotFault.pause(random, FaultPoint.GUARDED)),
                struck(
                                "guarded-crash",
                                "a holder crashes in a guarded transaction",
                                random -> OneShotFault.crash(random, FaultPoint.GUARDED))
                        .with(LONG_ENOUGH),
                struck(
                        "guarded-lost",
                        "connections break while a command of a guarded transaction is in flight",
                        random -> new LostMessages(random, Purpose.GUARD, OFTEN)),
                struck(
                        "guarded-late",
                        "commands of guarded transactions arrive twice, the second time late",
                        random -> new LateMessages(
                                random, HolderScenarios::isGuard, OFTEN, Duration.ofMillis(5), Duration.ofSeconds(3))));
    }

    private static boolean isGuard(Message message) {
        return message.purpose() == Purpose.GUARD;
    }

    private static Scenario struck(String name, String about, Function<RandomGenerator, Nemesis> nemesis) {
        return Scenarios.struck(name, about, nemesis).with(LockUsage.of(LockUsage.Use.ALONE));
    }

    static Stream<Scenario> clocks() {
        return Stream.concat(ofClients(), ofServer());
    }

    private static Stream<Scenario> ofClients() {
        return Stream.of(
                wrong("client-ahead", "the clock of a client is 3 leases ahead", ClockFault.ahead(LEASES_3)),
                wrong("client-behind", "the clock of a client is 3 leases behind", BEHIND),
                atWork("client-steps", "the clock of a client is set a minute ahead", HolderScenarios::stepAnother),
                wrong("client-fast", "the wall clock of a client runs 1.6 times as fast", FAST),
                wrong(
                                "ttl-eats-lock",
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

    private static void stepAnother(SimulationRun world, int holder) {
        world.stepClientClock(holder == 1 ? 2 : 1, Duration.ofMinutes(1));
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
