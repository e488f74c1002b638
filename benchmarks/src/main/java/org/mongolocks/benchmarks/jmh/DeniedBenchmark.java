package org.mongolocks.benchmarks.jmh;

import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.mongolocks.blocking.BlockingLocks;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The benchmark of a denied attempt: the time of one {@code tryAcquire} of a lock that another owner holds.
 *
 * <p>One thread makes attempts without a pause. A grant makes the benchmark fail.
 */
public class DeniedBenchmark extends SampledBenchmark {
    /** A lock that is held during the whole trial. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init") // JMH calls the set-up first.
    public static class HeldByOther {
        private BlockingLocks locks;
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
