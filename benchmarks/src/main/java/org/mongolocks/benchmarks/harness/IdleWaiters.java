package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Mode;

/**
 * Measures what waiters cost while nothing happens: the commands that their client sends, its threads, and its memory.
 * All wait in one client for a lock that another holds.
 */
public final class IdleWaiters implements Benchmark {
    static final String ID = "B8";

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "idle waiters";
    }

    @Override
    public int weight() {
        return 8;
    }

    @Override
    public void run(Session session, Duration time) throws InterruptedException {
        List<Integer> counts = waiters(session.mode());
        try (Lineup lineup = Lineup.ofStrategies(session)) {
            Duration turn = time.dividedBy(Math.max(1L, (long) lineup.rivals().size() * counts.size()));
            for (int waiters : counts) {
                session.step(waiters + " waiters");
                lineup.each(lineup.thatWait(), rival -> new IdleTurn(rival, waiters).run(session, turn));
            }
        }
    }

    private static List<Integer> waiters(Mode mode) {
        return mode == Mode.QUICK ? List.of(100) : List.of(1, 10, 100, 1_000);
    }
}
