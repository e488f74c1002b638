package org.mongolocks.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The benchmark of a denied attempt (B2): the time of one {@code tryAcquire} of a lock that another owner holds.
 *
 * <p>One thread makes attempts without a pause. A sample is one attempt; with the reactive client the thread waits for
 * the reply. A grant makes the benchmark fail.
 *
 * <pre>{@code
 * ./mvnw -q -pl benchmarks -am package -DskipTests
 * MONGO_LOCKS_URI=mongodb://localhost java -jar benchmarks/target/benchmarks.jar DeniedBenchmark -prof gc
 * }</pre>
 *
 * Without {@code MONGO_LOCKS_URI} (environment variable or system property) each fork starts an embedded server:
 * suitable for comparing strategies, not for the figures of a real server.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 4)
@Fork(3)
public class DeniedBenchmark {
    /** A lock that is held during the whole trial. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init") // JMH calls the set-up first.
    public static class HeldByOther {
        private BenchmarkClient locks;
        private LockRequest request;

        @Setup(Level.Trial)
        public void open(LockState state) throws InterruptedException {
            UncontendedLock lock = state.ownLock();
            lock.hold();
            locks = state.locks();
            request = lock.request();
        }
    }

    @Benchmark
    public void tryAcquireHeldLock(HeldByOther held) throws InterruptedException {
        if (held.locks.tryAcquire(held.request).isPresent()) {
            throw new IllegalStateException("A lock was granted while another owner held it");
        }
    }
}
