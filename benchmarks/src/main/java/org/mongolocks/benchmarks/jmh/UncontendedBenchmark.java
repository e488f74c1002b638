package org.mongolocks.benchmarks.jmh;

import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The benchmark of an uncontended lock (B1): the time to acquire and release it, and the time of the raw commands that
 * are its baseline.
 *
 * <p>One thread acquires and releases without a pause. It uses one lock the whole time, so that each acquisition finds
 * a released lock document and not a missing one. A sample is one pair of acquire and release; with the reactive client
 * the thread waits for each reply. All writes use majority and journalled write concern. Fencing tokens must grow;
 * otherwise the benchmark fails.
 */
public class UncontendedBenchmark extends SampledBenchmark {
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
