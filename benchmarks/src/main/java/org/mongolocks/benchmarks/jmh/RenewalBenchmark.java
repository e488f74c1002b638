package org.mongolocks.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient.BenchmarkLock;
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
 * The benchmark of renewal (B4): the time to renew the lease of one lock.
 *
 * <p>One thread renews without a pause. A sample is one renewal; with the reactive client the thread waits for the
 * reply. A lost lock makes the benchmark fail.
 *
 * <pre>{@code
 * ./mvnw -q -pl benchmarks -am package -DskipTests
 * MONGO_LOCKS_URI=mongodb://localhost java -jar benchmarks/target/benchmarks.jar RenewalBenchmark -prof gc
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
public class RenewalBenchmark {
    /** One lock per thread. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH calls the set-up first.
    public static class OwnLock {
        private BenchmarkLock lock;

        @Setup(Level.Trial)
        public void open(LockState state) throws InterruptedException {
            lock = state.ownLock().hold();
        }
    }

    @Benchmark
    public void renew(OwnLock own) throws InterruptedException {
        if (!own.lock.renew()) {
            throw new IllegalStateException("An uncontended lock had been lost when it was renewed");
        }
    }
}
