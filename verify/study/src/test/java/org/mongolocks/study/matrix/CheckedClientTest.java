package org.mongolocks.study.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests that a row with a required refusal does not refuse every client: on a correct collection a client is built. */
class CheckedClientTest {
    static Stream<Technique> shipped() {
        return Techniques.shipped().stream();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void onASoundCollectionAClientIsBuiltAndGranted(Technique technique) {
        Workload two =
                new Workload(2, 1, DurationRange.millis(1, 100), DurationRange.millis(5, 20), Duration.ofSeconds(2));
        Scenario sound = new Scenario(
                "sound",
                "",
                two,
                Environment.HEALTHY,
                client -> ClockFault.NONE,
                random -> new Nemesis() {},
                LockUsage.of(LockUsage.Use.ALONE).checked(),
                HandoverLimits.NONE.refusal());

        Cell cell = Matrix.run(List.of(sound), List.of(technique), 1).cells().get(0);

        assertThat(cell.totals().grants()).isPositive();
        assertThat(cell.findings().keySet()).containsExactly(Finding.NOT_REFUSED);
    }
}
