package org.mongolocks.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void anOperationThatIsSlowerThanItsTimeStillRunsOnce() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();

        Samples block = Samples.of(Duration.ZERO, runs::incrementAndGet);

        assertThat(runs).hasValue(1);
        assertThat(block.nanos().getTotalCount()).isEqualTo(1);
    }

    @Test
    void everyRepetitionIsASample() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();

        Samples block = Samples.of(Duration.ofMillis(5), runs::incrementAndGet);

        assertThat(block.nanos().getTotalCount()).isEqualTo(runs.get()).isGreaterThan(1);
    }

    @Test
    void theFloorOfARunHasAllSamples() {
        BaselineResult floor = BaselineResult.of(histogram(1_000, 1_000, 1_500, 1_500, 1_500), 1_000, 1_500);

        assertThat(floor.latency().samples()).isEqualTo(5);
        assertThat(floor.latency().p50Nanos()).isEqualTo(1_500);
    }

    @Test
    void theFloorOfARunDriftsAsFarAsItsQuartilesLieApart() {
        BaselineResult calm = BaselineResult.of(histogram(1_000), 1_000, 1_010, 1_020, 1_030, 9_000);
        BaselineResult noisy = BaselineResult.of(histogram(1_000), 900, 1_000, 1_100, 1_200, 1_300);

        assertThat(calm.isNoisy()).isFalse();
        assertThat(noisy.drift()).isEqualTo(0.2, within(1e-9));
        assertThat(noisy.isNoisy()).isTrue();
    }

    private static Histogram histogram(long... nanos) {
        Histogram histogram = new Histogram(Samples.SIGNIFICANT_DIGITS);
        for (long value : nanos) {
            histogram.recordValue(value);
        }
        return histogram;
    }
}
