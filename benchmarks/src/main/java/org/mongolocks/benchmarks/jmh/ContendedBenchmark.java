package org.mongolocks.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.mongolocks.LockRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures how long threads wait for one lock, visit the data that it protects, and release the lock.
 *
 * <p>Four or eight threads ask for the same lock, and ask again as soon as they have released it. While another holds
 * the lock they poll, first after 5 milliseconds and at most 50 milliseconds apart. A visit reads a document and writes
 * it back, not atomically: two visits at once are noticed and make the benchmark fail. The baseline is as many threads
 * that send raw commands, each to documents of its own, and exclude nobody. Threads divided by the mean is the
 * throughput.
 *
 * <pre>{@code
 * ./mvnw -q -pl benchmarks -am package -DskipTests
 * MONGO_LOCKS_URI=mongodb://localhost java -jar benchmarks/target/benchmarks.jar ContendedBenchmark -rf json
 * }</pre>
 *
 * Without {@code MONGO_LOCKS_URI} (environment variable or system property) each fork starts an embedded server: good
 * for comparing strategies, not for knowing a real server. With more threads than processors the scheduler is measured
 * too.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 5)
@Fork(3)
public class ContendedBenchmark {
    private static final LockRequest SHARED = LockState.request("contended");

    @Benchmark
    @Threads(4)
    public void fourThreads(LockState lock) throws InterruptedException {
        lock.visitUnderLock(SHARED);
    }

    @Benchmark
    @Threads(8)
    public void eightThreads(LockState lock) throws InterruptedException {
        lock.visitUnderLock(SHARED);
    }

    @Benchmark
    @Threads(4)
    public void floorOfFourThreads(FloorState.OwnCommands commands) {
        commands.send();
    }

    @Benchmark
    @Threads(8)
    public void floorOfEightThreads(FloorState.OwnCommands commands) {
        commands.send();
    }
}
