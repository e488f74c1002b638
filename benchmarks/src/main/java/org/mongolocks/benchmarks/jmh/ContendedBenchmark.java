package org.mongolocks.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.mongolocks.LockRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;

/**
 * The benchmark of one contended lock: the time to acquire the lock, access the data that it protects, and release the
 * lock.
 *
 * <p>Four or eight threads request the same lock, and request it again immediately after the release. While the lock is
 * held they poll, first after 5 milliseconds and at most 50 milliseconds apart. An access reads a document and writes
 * it back, not atomically: two overlapping accesses are detected and make the benchmark fail. The baseline is the same
 * number of threads that send raw commands, each to its own documents, without mutual exclusion. The number of threads
 * divided by the mean is the throughput.
 */
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 5)
public class ContendedBenchmark extends SampledBenchmark {
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
