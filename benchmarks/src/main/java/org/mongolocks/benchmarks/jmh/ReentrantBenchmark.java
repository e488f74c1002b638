package org.mongolocks.benchmarks.jmh;

import java.util.concurrent.locks.ReentrantLock;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The benchmark of reentrant acquisition: the time to acquire a lock that the same owner holds already, and to
 * release that acquisition, compared with a {@link java.util.concurrent.locks.ReentrantLock}. Neither sends a command
 * to the server.
 *
 * <p>One thread; a sample is one pair of acquire and release.
 */
public class ReentrantBenchmark extends SampledBenchmark {
    /** A lock that one owner holds during the whole trial. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH calls the set-up first.
    public static class Entered {
        private BlockingLocks locks;
        private LockRequest request;

        @Setup(Level.Trial)
        public void open(LockState state) throws InterruptedException {
            locks = state.locks();
            request = state.ownLock().request();
            enter();
        }

        BlockingLock enter() throws InterruptedException {
            return locks.enter(this, request)
                    .orElseThrow(() -> new LockException("A reentrant acquire by the holder was not granted"));
        }
    }

    /** A lock of this JVM that the measuring thread holds. */
    @State(Scope.Thread)
    public static class Local {
        private final ReentrantLock lock = new ReentrantLock();

        @Setup(Level.Iteration)
        public void hold() {
            if (!lock.isHeldByCurrentThread()) {
                lock.lock();
            }
        }
    }

    @Benchmark
    public boolean enterAndRelease(Entered entered) throws InterruptedException {
        return entered.enter().release();
    }

    @Benchmark
    public int localLock(Local local) {
        local.lock.lock();
        try {
            return local.lock.getHoldCount();
        } finally {
            local.lock.unlock();
        }
    }
}
