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
 * The benchmark of one contended lock: the time to acquire the lock, access the data that it protects, and release the
 * lock.
 *
 * <p>Four or eight threads request the same lock, and request it again immediately after the release. While the lock is
 * held they poll, first after 5 milliseconds and at most 50 milliseconds apart. An access reads a document and writes
 * it back, not atomically: two overlapping accesses are detected and make the benchmark fail. The baseline is the same
 * number of threads that send raw commands, each to its own documents, without mutual exclusion. The number of threads
 * divided by the mean is the throughput.
 *
 * <pre>{@code
 * ./mvnw -q -pl benchmarks -am package -DskipTests
 * MONGO_LOCKS_URI=mongodb://localhost java -jar benchmarks/target/benchmarks.jar ContendedBenchmark -rf json
 * }</pre>
 *
 * Without {@code MONGO_LOCKS_URI} (environment variable or system property) each fork starts an embedded server:
 * suitable for comparing strategies, not for the figures of a real server. With more threads than processors, the
 * figures include scheduling.
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
    public void baselineOfFourThreads(BaselineState.OwnCommands commands) {
        commands.send();
    }

    @Benchmark
    @Threads(8)
    public void baselineOfEightThreads(BaselineState.OwnCommands commands) {
        commands.send();
    }
}
