package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LONG_WORK;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.config.FaultPoint;

/** The scenarios with a fault of a holder. */
final class HolderScenarios {
    private static final Duration MAX_WAY = Duration.ofSeconds(4);

    private HolderScenarios() {}

    static Stream<Scenario> all() {
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

    /** Delays one write in five. */
    private record LateWrites(RandomGenerator random, Duration most) implements Nemesis {
        @Override
        public Duration delayOfWrite(int client) {
            return random.nextInt(5) == 0 ? Duration.ofMillis(random.nextLong(most.toMillis())) : Duration.ZERO;
        }
    }
}
