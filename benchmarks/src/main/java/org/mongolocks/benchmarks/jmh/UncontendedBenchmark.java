package org.mongolocks.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.mongolocks.benchmarks.race.OwnLock;
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
 * Measures (B1) how long it takes to acquire and release a lock that nobody else wants, and the raw commands that no lock can
 * be faster than.
 *
 * <p>One thread asks, and asks again as soon as it has been answered; it uses one lock all the time, which is released
 * (not new) whenever it is acquired. Samples are single pairs of acquire and release; with the reactive client the
 * thread waits for each reply. Majority and journalled write concern throughout. Fencing tokens have to grow; if they do
 * not, the benchmark fails.
 *
 * <pre>{@code
 * ./mvnw -q -pl benchmarks -am package -DskipTests
 * MONGO_LOCKS_URI=mongodb://localhost java -jar benchmarks/target/benchmarks.jar UncontendedBenchmark -prof gc
 * }</pre>
 *
 * Without {@code MONGO_LOCKS_URI} (environment variable or system property) each fork starts an embedded server: good
 * for comparing strategies, not for knowing a real server.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 4)
@Fork(3)
public class UncontendedBenchmark {
    /** Has a lock for each thread, so that more threads would still not contend. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH calls the set-up before anything else.
    public static class Own {
        private OwnLock lock;

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
    public void rawCommands(FloorState.OwnCommands commands) {
        commands.send();
    }
}
