package org.mongolocks.benchmarks.measure;

import java.util.List;

/**
 * The results of the table of strategies.
 *
 * @param floor the baseline
 * @param strategies the results of each strategy, in the order of the request
 */
public record Measurements(BaselineResult floor, List<StrategyResult> strategies) {
    /** The absence of results. */
    public static final Measurements NONE = new Measurements(BaselineResult.NONE, List.of());

    public Measurements {
        strategies = List.copyOf(strategies);
    }
}
