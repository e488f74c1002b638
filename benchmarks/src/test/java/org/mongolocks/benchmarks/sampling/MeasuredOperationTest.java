package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mongolocks.benchmarks.sampling.TestOperations.meet;
import static org.mongolocks.benchmarks.sampling.TestOperations.spin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;
import org.mongolocks.benchmarks.sampling.Samples.Operation;

class MeasuredOperationTest {
    private static final MeasurementKey SUBJECT = MeasurementKey.of("B1", "alpha", Client.SYNC);
    private static final Duration MOMENT = Duration.ofMillis(2);

    @Test
    void operationsOfABatchAreCounted() throws InterruptedException {
        AtomicInteger done = new AtomicInteger();

        try (MeasuredOperation operation = MeasuredOperation.ofBatch(SUBJECT, done::incrementAndGet, 100)) {
            operation.sample(MOMENT, new CostMeter());

            assertThat(done.get()).isEqualTo(100 * (int) operation.nanos().getTotalCount());
        }
    }

    /** A busy machine may delay a batch, so that some samples may be needed. */
    @Test
    void batchIsTimedForEachOfItsOperations() throws InterruptedException {
        long eachNanos = 10_000;
        int batch = 100;
        try (MeasuredOperation operation = MeasuredOperation.ofBatch(SUBJECT, () -> spin(eachNanos), batch)) {
            Sample sample;
            do {
                sample = operation.sample(MOMENT, new CostMeter());
                assertThat(sample.p50Nanos()).isGreaterThanOrEqualTo((double) eachNanos);
            } while (sample.p50Nanos() >= (double) batch * eachNanos);
        }
    }

    @Test
    void theThreadsOfAWorkersWorkAtTheSameTime() throws InterruptedException {
        CyclicBarrier both = new CyclicBarrier(2);
        Operation meeting = () -> meet(both);

        try (MeasuredOperation operation = MeasuredOperation.of(SUBJECT, List.of(meeting, meeting))) {
            operation.sample(Duration.ZERO, new CostMeter());

            assertThat(operation.nanos().getTotalCount()).isEqualTo(2);
        }
    }

    @Test
    void failureOfAThreadFailsTheRun() {
        Operation broken = () -> {
            throw new LockException("Broken");
        };
        try (MeasuredOperation operation = MeasuredOperation.of(SUBJECT, List.of(() -> {}, broken))) {
            assertThatThrownBy(() -> operation.sample(Duration.ZERO, new CostMeter()))
                    .hasMessage("Broken");
        }
    }

    /** Other threads of this JVM allocate too, so that some samples may be needed. */
    @Test
    void allocationsOfAnOperationAreMeasured() throws InterruptedException {
        byte[][] kept = new byte[1][];
        try (MeasuredOperation operation = MeasuredOperation.of(SUBJECT, () -> kept[0] = new byte[1_000_000])) {
            Sample sample;
            do {
                sample = operation.sample(MOMENT, new CostMeter());
                assertThat(sample.bytes()).isGreaterThanOrEqualTo(1e6);
                assertThat(sample.cpuNanos()).isPositive();
            } while (sample.bytes() > 1.2e6);
        }
    }

    /** Other threads of this JVM allocate too, so that some samples may be needed. */
    @Test
    void measurementAllocatesAlmostNothing() throws InterruptedException {
        try (MeasuredOperation operation = MeasuredOperation.of(SUBJECT, () -> {})) {
            operation.warmUp(MOMENT);

            double bytes;
            do {
                bytes = operation.sample(Duration.ZERO, new CostMeter()).bytes();
            } while (bytes >= 100_000);
        }
    }
}
