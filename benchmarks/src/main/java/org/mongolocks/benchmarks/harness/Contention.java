package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.peer.Peers;

/**
 * The benchmark of a contended lock, for a growing number of waiters: grants per second, commands per grant, fairness,
 * and the longest wait. All waiters share one client. The number of workers is one more than the number of waiters;
 * under the lock they read data and write it back.
 *
 * @param peers the locks of other libraries
 */
public record Contention(Peers peers) implements Benchmark {
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
    public void run(Session session, Duration time) throws InterruptedException {
        try (Lineup lineup = Lineup.ofAll(session, peers)) {
            new ContentionRun(session, lineup).run(time);
        }
    }
}
