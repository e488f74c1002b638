package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.scenario.NetworkScenarios.LateMessages;
import org.mongolocks.study.scenario.NetworkScenarios.LostMessages;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios with a fault in a guarded transaction; all other scenarios use guarded transactions too. */
final class GuardedScenarios {
    private static final double OFTEN = 0.1;
    /** The server aborts a transaction after a minute. */
    private static final Workload LONG_ENOUGH = new Workload(
            4, 1, DurationRange.millis(50, 1_000), DurationRange.millis(200, 1_500), Duration.ofSeconds(95));

    private GuardedScenarios() {}

    static Stream<Scenario> all() {
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
                                random,
                                GuardedScenarios::isGuard,
                                OFTEN,
                                Duration.ofMillis(5),
                                Duration.ofSeconds(3))));
    }

    private static boolean isGuard(Message message) {
        return message.purpose() == Purpose.GUARD;
    }

    private static Scenario struck(String name, String about, Function<RandomGenerator, Nemesis> nemesis) {
        return Scenarios.struck(name, about, nemesis).with(LockUsage.of(LockUsage.Use.ALONE));
    }
}
