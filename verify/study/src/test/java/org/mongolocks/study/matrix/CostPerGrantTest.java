package org.mongolocks.study.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.study.sim.Environment;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.Workload;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests that the cost of a grant does not grow with the number of waiters in one client. */
class CostPerGrantTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    @BeforeAll
    static void silenceLogOfSimulatedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    static Stream<Technique> shipped() {
        return Techniques.shipped().stream();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void costOfAGrantDoesNotGrowWithTheNumberOfWaiters(Technique technique) {
        assertThat(costWith(48, technique)).isLessThan(1.25 * costWith(6, technique));
    }

    private static double costWith(int workers, Technique technique) {
        Workload contended = new Workload(
                4, workers, DurationRange.millis(1, 100), DurationRange.millis(5, 20), Duration.ofSeconds(5));
        Scenario scenario = new Scenario(
                "contended", "", contended, Environment.HEALTHY, client -> ClockFault.NONE, random -> new Nemesis() {});
        return Matrix.run(List.of(scenario), List.of(technique), 2)
                .cells()
                .get(0)
                .commandsPerGrant();
    }
}
