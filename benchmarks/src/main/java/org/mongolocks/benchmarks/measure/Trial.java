package org.mongolocks.benchmarks.measure;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.LockClient;

/** Measures one strategy for the table, part by part. */
final class Trial {
    private final LockStrategy strategy;
    private final Workbench bench;
    private final LockClient client;
    private final CostProbe probe;
    private @Nullable CommandCosts costs;
    private @Nullable Contended contended;
    private final SortedMap<Integer, Contended> crowds = new TreeMap<>();

    Trial(LockStrategy strategy, Workbench bench) throws InterruptedException {
        this.strategy = strategy;
        this.bench = bench;
        this.client = bench.client(strategy);
        this.probe = new CostProbe(client, bench.commands());
    }

    void countCommands(Duration time) throws InterruptedException {
        costs = probe.run(time);
    }

    void contend(Duration time) throws InterruptedException {
        contended = contend(Contention.THREADS, time);
    }

    /** Has one of them work, and more and more wait. */
    void gatherCrowds(Duration time) throws InterruptedException {
        for (int waiters : Measured.CROWDS) {
            crowds.put(waiters, contend(waiters + 1, time));
        }
    }

    private Contended contend(int threads, Duration time) throws InterruptedException {
        return new Contention(List.of(client), bench.protectedData(strategy), bench.commands(), threads).run(time);
    }

    Measured measured(Alone alone) {
        return new Measured(
                strategy,
                alone.acquireRelease(),
                alone.ratio(),
                requireNonNull(costs),
                probe.grantsWhileHeld(),
                requireNonNull(contended),
                crowds);
    }
}
