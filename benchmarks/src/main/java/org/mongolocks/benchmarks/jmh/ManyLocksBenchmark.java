package org.mongolocks.benchmarks.jmh;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/**
 * The benchmark of many locks: the time to acquire and release locks that are not shared between threads. The
 * threads share only the server and the connections.
 *
 * <p>Each thread uses 128 locks in turn. A sample is one pair of acquire and release; the number of threads divided by
 * the mean is the throughput. With more threads than processors, the figures include scheduling.
 */
public class ManyLocksBenchmark extends SampledBenchmark {
    private static final int LOCKS = 128;

    /** The locks of one thread. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init") // JMH calls the set-up first.
    public static class Own {
        private List<UncontendedLock> locks;
        private int next;

        @Setup(Level.Trial)
        public void open(LockState state) {
            locks = Stream.generate(state::ownLock).limit(LOCKS).toList();
        }

        UncontendedLock next() {
            next = (next + 1) % LOCKS;
            return locks.get(next);
        }
    }

    @Benchmark
    @Threads(2)
    public void twoThreads(Own own) throws InterruptedException {
        own.next().acquireAndRelease();
    }

    @Benchmark
    @Threads(8)
    public void eightThreads(Own own) throws InterruptedException {
        own.next().acquireAndRelease();
    }

    @Benchmark
    @Threads(2)
    public void rawCommandsOfTwoThreads(BaselineState.OwnCommands commands) {
        commands.send();
    }

    @Benchmark
    @Threads(8)
    public void rawCommandsOfEightThreads(BaselineState.OwnCommands commands) {
        commands.send();
    }
}
