package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.sampling.MeasuredOperation.Sample;

class MeasuredOperationTest {
    private static final MeasurementKey SUBJECT = MeasurementKey.of("B1", "alpha", Client.SYNC);
    private static final Duration MOMENT = Duration.ofMillis(2);

    /** Other threads of this JVM allocate too, so that some samples may be needed. */
    @Test
    void allocationsOfAnOperationAreMeasured() throws InterruptedException {
        byte[][] kept = new byte[1][];
        MeasuredOperation operation = MeasuredOperation.of(SUBJECT, () -> kept[0] = new byte[1_000_000]);
        Sample sample;

        do {
            sample = operation.sample(MOMENT, new CostMeter());
            assertThat(sample.bytes()).isGreaterThanOrEqualTo(1e6);
            assertThat(sample.cpuNanos()).isPositive();
        } while (sample.bytes() > 1.2e6);
    }

    /** Other threads of this JVM allocate too, so that some samples may be needed. */
    @Test
    void measurementAllocatesAlmostNothing() throws InterruptedException {
        MeasuredOperation operation = MeasuredOperation.of(SUBJECT, () -> {});
        operation.warmUp(MOMENT);
        double bytes;

        do {
            bytes = operation.sample(Duration.ZERO, new CostMeter()).bytes();
        } while (bytes >= 100_000);
    }
}
