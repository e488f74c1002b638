package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.sampling.BaselineRatio.Bracket;

class BaselineRatioTest {
    @Test
    void aBlockIsComparedWithTheMeanOfItsNeighbours() {
        BaselineRatio ratio = BaselineRatio.of(List.of(new Bracket(100, 330, 120)));

        assertThat(ratio.median()).isEqualTo(3.0);
    }

    @Test
    void aMachineThatSlowsDownEvenlyLeavesTheRatioAlone() {
        BaselineRatio ratio = BaselineRatio.of(
                List.of(new Bracket(100, 200, 100), new Bracket(200, 400, 200), new Bracket(400, 800, 400)));

        assertThat(ratio).isEqualTo(new BaselineRatio(2, 2, 2, 0));
    }

    @Test
    void oneWildBlockMovesNeitherTheMedianNorTheQuartiles() {
        BaselineRatio ratio = BaselineRatio.of(List.of(
                new Bracket(100, 110, 100),
                new Bracket(100, 130, 100),
                new Bracket(100, 900, 100),
                new Bracket(100, 120, 100),
                new Bracket(100, 110, 100)));

        assertThat(ratio).isEqualTo(new BaselineRatio(1.2, 1.1, 1.3, 0));
    }

    @Test
    void ofAnEvenNumberOfBlocksTheTwoInTheMiddleCount() {
        BaselineRatio ratio = BaselineRatio.of(List.of(new Bracket(100, 100, 100), new Bracket(100, 200, 100)));

        assertThat(ratio.median()).isEqualTo(1.5, within(1e-12));
    }

    @Test
    void theDriftIsThatBetweenTheNeighboursOfMostBlocks() {
        BaselineRatio calm = BaselineRatio.of(
                List.of(new Bracket(100, 100, 109), new Bracket(109, 100, 100), new Bracket(100, 100, 300)));
        BaselineRatio noisy = BaselineRatio.of(
                List.of(new Bracket(100, 100, 100), new Bracket(112, 100, 100), new Bracket(100, 100, 112)));

        assertThat(calm.drift()).isEqualTo(0.09, within(1e-9));
        assertThat(noisy.drift()).isEqualTo(0.12, within(1e-9));
    }
}
