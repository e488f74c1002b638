package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.BenchmarkContext;
import org.mongolocks.benchmarks.peer.OtherLibraries;

/**
 * The benchmark of a contended lock, for a growing number of waiters: grants per second, commands per grant, fairness,
 * and the longest wait. All waiters share one client. The number of workers is one more than the number of waiters;
 * under the lock they read data and write it back.
 *
 * @param peers the locks of other libraries
 */
public record ContentionBenchmark(OtherLibraries peers) implements Benchmark {
    static final String ID = "B6";

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "contention";
    }

    @Override
    public int weight() {
        return 34;
    }

    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        try (LocksUnderTest lineup = LocksUnderTest.ofAll(session, peers)) {
            new ContentionRounds(session, lineup).run(time);
        }
    }
}
