package org.mongolocks.benchmarks.jmh;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures how long it takes to acquire and release a lock that nobody else wants, against two raw
 * {@code findAndModify}.
 *
 * <p>One thread asks, and asks again as soon as it has been answered; it uses one lock all the time, which is released
 * (not new) whenever it is acquired. Samples are single pairs of acquire and release; with the reactive client the
 * thread waits for each reply. Majority and journalled write concern throughout.
 *
 * <pre>{@code
 * ./mvnw -q -pl benchmarks -am package -DskipTests
 * MONGO_LOCKS_URI=mongodb://localhost java -jar benchmarks/target/benchmarks.jar UncontendedBenchmark -rf json
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
    public static class OwnLock {
        private final LockRequest request = LockState.request("uncontended-" + UUID.randomUUID());
    }

    @Benchmark
    public void acquireAndRelease(LockState lock, OwnLock own, Blackhole blackhole) throws InterruptedException {
        lock.underLock(own.request, blackhole::consume);
    }

    @Benchmark
    public void twoRawFindAndModify(FloorState floor) {
        floor.sendTwoFindAndModify();
    }
}
