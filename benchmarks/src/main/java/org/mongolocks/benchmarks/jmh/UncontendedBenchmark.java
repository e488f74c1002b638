package org.mongolocks.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
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
 * The benchmark of an uncontended lock (B1): the time to acquire and release it, and the time of the raw commands that
 * are its baseline.
 *
 * <p>One thread acquires and releases without a pause. It uses one lock the whole time, so that each acquisition finds
 * a released lock document and not a missing one. A sample is one pair of acquire and release; with the reactive client
 * the thread waits for each reply. All writes use majority and journalled write concern. Fencing tokens must grow;
 * otherwise the benchmark fails.
 *
 * <pre>{@code
 * ./mvnw -q -pl benchmarks -am package -DskipTests
 * MONGO_LOCKS_URI=mongodb://localhost java -jar benchmarks/target/benchmarks.jar UncontendedBenchmark -prof gc
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
public class UncontendedBenchmark {
    /** One lock per thread, so that more threads would not contend either. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH calls the set-up first.
    public static class Own {
        private UncontendedLock lock;

        @Setup(Level.Trial)
        public void open(LockState state) {
            lock = state.ownLock();
        }
    }

    @Benchmark
    public void acquireAndRelease(Own own) throws InterruptedException {
        own.lock.acquireAndRelease();
    }

    @Benchmark
    public void rawCommands(BaselineState.OwnCommands commands) {
        commands.send();
    }
}
