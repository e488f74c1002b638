package org.mongolocks.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BlockTest {
    @Test
    void anOperationThatIsSlowerThanItsTimeStillRunsOnce() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();

        Block block = Block.of(Duration.ZERO, runs::incrementAndGet);

        assertThat(runs).hasValue(1);
        assertThat(block.nanos().getTotalCount()).isEqualTo(1);
    }

    @Test
    void everyRepetitionIsASample() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();

        Block block = Block.of(Duration.ofMillis(5), runs::incrementAndGet);

        assertThat(block.nanos().getTotalCount()).isEqualTo(runs.get()).isGreaterThan(1);
    }

    @Test
    void theFloorOfARunHasTheSamplesOfAllBlocks() {
        FloorFigures floor = FloorFigures.of(List.of(block(1_000, 1_000), block(1_500, 1_500, 1_500)));

        assertThat(floor.latency().samples()).isEqualTo(5);
        assertThat(floor.latency().p50Nanos()).isEqualTo(1_500);
    }

    @Test
    void theFloorOfARunDriftsAsFarAsItsQuartilesLieApart() {
        FloorFigures calm =
                FloorFigures.of(List.of(block(1_000), block(1_010), block(1_020), block(1_030), block(9_000)));
        FloorFigures noisy =
                FloorFigures.of(List.of(block(900), block(1_000), block(1_100), block(1_200), block(1_300)));

        assertThat(calm.isNoisy()).isFalse();
        assertThat(noisy.drift()).isEqualTo(0.2, within(1e-9));
        assertThat(noisy.isNoisy()).isTrue();
    }

    private static Block block(long... nanos) {
        Histogram histogram = new Histogram(Block.SIGNIFICANT_DIGITS);
        for (long value : nanos) {
            histogram.recordValue(value);
        }
        return new Block(histogram);
    }
}
