package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
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
}
