package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.peer.Peers;

/**
 * Measures what a lock is worth that more and more want: how often it is granted, what each grant costs in commands, how
 * evenly it is shared, and how long the unluckiest waits. All wait in one client; one more than wait work under the lock,
 * one after the other, on data that is read and written back.
 *
 * @param peers the locks of others
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
