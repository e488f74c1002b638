package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.BenchmarkContext;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.RunLength;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of idle waiters: the commands that their client sends, its threads, and its memory. All waiters share
 * one client, and another client holds the lock.
 */
public final class IdleWaitersBenchmark implements Benchmark {
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
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        List<Integer> counts = waiters(session.mode());
        long turns = (long) counts.size() * session.strategies().size() * Client.values().length;
        Duration turn = time.dividedBy(Math.max(1, turns));
        for (int waiters : counts) {
            session.step(waiters + " waiters");
            for (LockStrategy strategy : session.strategies()) {
                session.attempt(strategy.name(), () -> {
                    for (Client client : Client.values()) {
                        new IdleWaiterRun(session, strategy, client, waiters).run(strategy, turn);
                    }
                });
            }
        }
    }

    private static List<Integer> waiters(RunLength mode) {
        return mode == RunLength.QUICK ? List.of(100) : List.of(1, 10, 100, 1_000);
    }
}
