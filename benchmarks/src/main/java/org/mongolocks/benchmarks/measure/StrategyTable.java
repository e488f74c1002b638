package org.mongolocks.benchmarks.measure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.spi.LockStrategy;

/** The table of strategies, filled by several benchmarks. Used by one thread. */
final class StrategyTable {
    private final Map<String, Unmeasured> dropped = new HashMap<>();
    private final Map<String, SortedMap<Integer, ContentionResult>> crowds = new HashMap<>();
    private Measurements alone = Measurements.NONE;

    /** Sets the uncontended results. */
    void alone(Measurements found) {
        alone = found;
    }

    /** Adds the contention result for a number of waiters, if the table shows that number. */
    void contended(String contender, int waiters, ContentionResult found) {
        if (Measured.CROWDS.contains(waiters)) {
            crowds.computeIfAbsent(contender, unknown -> new TreeMap<>()).put(waiters, found);
        }
    }

    /** Adds the reason why a strategy was excluded; the first reason counts. */
    void dropped(Unmeasured strategy) {
        dropped.putIfAbsent(strategy.name(), strategy);
    }

    /** Returns the strategies that were measured without contention, and those that were excluded for a reason. */
    Measurements of(List<LockStrategy> strategies) {
        return new Measurements(
                alone.floor(), strategies.stream().flatMap(this::result).toList());
    }

    private Stream<StrategyResult> result(LockStrategy strategy) {
        Optional<StrategyResult> measured = alone.strategies().stream()
                .filter(result -> result.name().equals(strategy.name()))
                .findFirst();
        return measured.map(this::complete).or(() -> Optional.ofNullable(dropped.get(strategy.name()))).stream();
    }

    private StrategyResult complete(StrategyResult result) {
        return result instanceof Measured measured
                ? measured.with(crowds.getOrDefault(result.name(), new TreeMap<>()))
                : result;
    }
}
