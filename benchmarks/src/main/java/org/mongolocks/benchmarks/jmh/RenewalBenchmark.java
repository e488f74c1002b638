package org.mongolocks.benchmarks.jmh;

import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The benchmark of renewal: the time to renew the lease of one lock.
 *
 * <p>One thread renews without a pause. A lost lock makes the benchmark fail.
 */
public class RenewalBenchmark extends SampledBenchmark {
    /** One lock per thread. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH calls the set-up first.
    public static class OwnLock {
        private BlockingLock lock;

        @Setup(Level.Trial)
        public void open(LockState state) throws InterruptedException {
            lock = state.acquire(state.ownLock().request());
        }
    }

    @Benchmark
    public void renew(OwnLock own) throws InterruptedException {
        if (!own.lock.renew()) {
            throw new IllegalStateException("An uncontended lock had been lost when it was renewed");
        }
    }
}
