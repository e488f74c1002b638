package org.mongolocks.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LocksInMemory;

class OpenLoopGeneratorTest {
    @Test
    void arrivalsMatchTheRate() throws InterruptedException {
        OpenLoopGenerator arrivals = new OpenLoopGenerator(new LocksInMemory(1), 1_000, Duration.ofMillis(200));

        arrivals.run();

        assertThat(arrivals.nanos().getTotalCount()).isEqualTo(200);
        assertThat(arrivals.violations().total()).isZero();
    }

    @Test
    void delayedArrivalIsMeasuredFromItsScheduledTime() throws InterruptedException {
        long eachMillis = 20;
        OpenLoopGenerator arrivals =
                new OpenLoopGenerator(new OneAfterTheOther(eachMillis), 1_000, Duration.ofMillis(10));

        arrivals.run();

        assertThat(arrivals.nanos().getTotalCount()).isEqualTo(10);
        assertThat(TimeUnit.NANOSECONDS.toMillis(arrivals.nanos().getMaxValue()))
                .isGreaterThanOrEqualTo(10 * eachMillis - 10);
    }

    @Test
    void aTokenThatDoesNotGrowIsNoticed() throws InterruptedException {
        OpenLoopGenerator arrivals = new OpenLoopGenerator(new OneAfterTheOther(0), 100_000, Duration.ofMillis(5));

        arrivals.run();

        assertThat(arrivals.violations().unorderedTokens()).isEqualTo(500 - 256);
    }

    /** A lock service that handles one request at a time, with a fixed delay, and always returns the same token. */
    private record OneAfterTheOther(long millis) implements BenchmarkParticipant {
        @Override
        public synchronized Optional<AcquiredLock> acquire(LockRequest request) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(millis);
            return Optional.of(AcquiredLock.of(OptionalLong.of(1), () -> {}));
        }

        @Override
        public void close() {
            // No resources to close.
        }
    }
}
