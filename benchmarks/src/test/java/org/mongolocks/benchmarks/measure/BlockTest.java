package org.mongolocks.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

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
    void theFloorOfARunHasTheSamplesOfAllBlocksAndTheDriftOfTheirMedians() {
        FloorFigures floor = FloorFigures.of(List.of(block(1_000, 1_000), block(1_500, 1_500, 1_500)));

        assertThat(floor.latency().samples()).isEqualTo(5);
        assertThat(floor.latency().p50Nanos()).isEqualTo(1_500);
        assertThat(floor.drift()).isEqualTo(0.5);
        assertThat(floor.isNoisy()).isTrue();
    }

    private static Block block(long... nanos) {
        Histogram histogram = new Histogram(Block.SIGNIFICANT_DIGITS);
        for (long value : nanos) {
            histogram.recordValue(value);
        }
        return new Block(histogram);
    }
}
