package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.technique.RealTechniques;

class RunPlanTest {
    private final RunPlan plan =
            RunPlan.soak(List.of(RealTechniques.named("insert-unique")), 3, Duration.ofMinutes(1), 1);

    @Test
    void probeHasANumberOfItsOwn() {
        assertThat(plan.probe()).isEqualTo(4);
        assertThat(IntStream.range(0, 6).map(plan::numberOf)).containsExactly(1, 2, 3, 5, 6, 7);
    }
}
