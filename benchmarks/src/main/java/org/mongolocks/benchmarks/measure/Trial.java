package org.mongolocks.benchmarks.measure;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.FloorRatio.Sandwich;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Percentiles;
import org.mongolocks.benchmarks.result.Ratio;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Measures one strategy, part by part. */
final class Trial {
    private final LockStrategy strategy;
    private final Workbench bench;
    private final LockClient client;
    private final LockRequest alone = LockRequest.of("alone-" + UUID.randomUUID(), Workbench.TTL);
    private final Histogram pairs = new Histogram(Block.SIGNIFICANT_DIGITS);
    private final List<Sandwich> sandwiches = new ArrayList<>();
    private final CostProbe probe;
    private @Nullable Block newest;
    private @Nullable CommandCosts costs;
    private @Nullable Contended contended;
    private final SortedMap<Integer, Contended> crowds = new TreeMap<>();

    Trial(LockStrategy strategy, Workbench bench) throws InterruptedException {
        this.strategy = strategy;
        this.bench = bench;
        this.client = bench.client(strategy);
        this.probe = new CostProbe(client, bench.commands());
    }

    /** Acquires and releases a lock that nobody else wants, for some time. */
    void alone(Duration time) throws InterruptedException {
        newest = Block.of(time, this::acquireAndRelease);
    }

    /** Keeps the newest block, with those of the floor around it. */
    void compareWith(Block before, Block after) {
        Block block = requireNonNull(newest);
        pairs.add(block.nanos());
        sandwiches.add(new Sandwich(before.p50Nanos(), block.p50Nanos(), after.p50Nanos()));
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

    /** Gives how long it took alone, against the floor. */
    Measurement latency() {
        double[] ratios = sandwiches.stream().mapToDouble(Sandwich::ratio).toArray();
        double[] medians = sandwiches.stream().mapToDouble(Sandwich::block).toArray();
        return Measurement.of(
                        Subject.of("B1", strategy.name(), Client.SYNC),
                        Metric.LATENCY,
                        Estimate.median(medians),
                        pairs.getTotalCount())
                .with(Percentiles.of(pairs))
                .with(new Ratio(Floor.ID, Estimate.median(ratios)));
    }

    Measured measured() {
        return new Measured(
                strategy,
                Latency.of(pairs),
                FloorRatio.of(sandwiches),
                requireNonNull(costs),
                probe.grantsWhileHeld(),
                requireNonNull(contended),
                crowds);
    }

    private void acquireAndRelease() throws InterruptedException {
        Optional<HeldLock> lock = client.tryAcquire(alone);
        if (lock.isEmpty() || !lock.get().release()) {
            throw new LockException("A lock that nobody else asked for was not granted, or had been lost");
        }
    }
}
