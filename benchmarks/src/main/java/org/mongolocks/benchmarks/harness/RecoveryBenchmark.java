package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.BenchmarkContext;
import org.mongolocks.benchmarks.result.RunLength;

/**
 * The benchmark of recovery: how long a lock stays held when its holder does not release it, from the end of the holder
 * to the grant to a waiter. The locks of all strategies and clients are acquired at once, so that all waiters wait at
 * the same time. A holder ends in one of these ways:
 *
 * <ul>
 *   <li>abandoned: it holds the lock for one lease, does not renew it, and never releases it. The time is measured from
 *       its grant;
 *   <li>killed: its process renews the lock, and is killed;
 *   <li>stopped: its process renews the lock, is suspended until another owner has acquired the lock, and must detect
 *       the loss afterwards.
 * </ul>
 */
public final class RecoveryBenchmark implements Benchmark {
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
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        boolean isQuick = session.mode() == RunLength.QUICK;
        Duration ttl = isQuick ? SHORT_TTL : TTL;
        try (LocksUnderTest lineup = LocksUnderTest.ofStrategies(session)) {
            RecoveryRounds run = new RecoveryRounds(session, lineup, ttl);
            long endNanos = System.nanoTime() + time.toNanos();
            int number = 0;
            do {
                number++;
                round(run, "round " + number, isQuick);
            } while (System.nanoTime() < endNanos && !lineup.thatWait().isEmpty());
            run.record();
        }
    }

    /** Runs one round. A quick run has no time to start processes. */
    private static void round(RecoveryRounds run, String round, boolean isQuick) throws InterruptedException {
        run.abandon(round);
        if (!isQuick) {
            run.kill(round);
            run.stop(round);
        }
    }
}
