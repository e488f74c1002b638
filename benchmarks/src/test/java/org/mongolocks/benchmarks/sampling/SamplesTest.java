package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.sampling.BaselineRatio.Quartiles;

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
    void theDriftIsTheDistanceOfTheQuartiles() {
        assertThat(Quartiles.of(DoubleStream.of(1_000, 1_010, 1_020, 1_030, 9_000))
                        .drift())
                .isLessThan(RunSummary.NOISY);
        assertThat(Quartiles.of(DoubleStream.of(900, 1_000, 1_100, 1_200, 1_300))
                        .drift())
                .isEqualTo(0.2, within(1e-9));
    }
}
