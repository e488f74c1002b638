package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Mode;

/**
 * Measures how long a lock stays taken when its holder does not give it back: from the end of the holder to the grant of the
 * one who waits. The locks of all strategies and clients are taken at once, so that all wait at the same time. A holder ends
 *
 * <ul>
 *   <li>abandoned: it has the lock for one lease, does not renew it, and never gives it back. The time is that from its grant;
 *   <li>killed: its process renews the lock, and is killed;
 *   <li>stopped: its process renews the lock, is stopped until another has the lock, and has to notice that.
 * </ul>
 */
public final class Recovery implements Benchmark {
    static final String ID = "B9";

    private static final Duration SHORT_TTL = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(2);

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "recovery";
    }

    @Override
    public int weight() {
        return 10;
    }

    @Override
    public void run(Session session, Duration time) throws InterruptedException {
        boolean isQuick = session.mode() == Mode.QUICK;
        Duration ttl = isQuick ? SHORT_TTL : TTL;
        try (Lineup lineup = Lineup.ofStrategies(session)) {
            RecoveryRun run = new RecoveryRun(session, lineup, ttl);
            long endNanos = System.nanoTime() + time.toNanos();
            int number = 0;
            do {
                number++;
                round(run, "round " + number, isQuick);
            } while (System.nanoTime() < endNanos && !lineup.thatWait().isEmpty());
            run.record();
        }
    }

    /** There is no time to start processes in a quick run. */
    private static void round(RecoveryRun run, String round, boolean isQuick) throws InterruptedException {
        run.abandon(round);
        if (!isQuick) {
            run.kill(round);
            run.stop(round);
        }
    }
}
