package org.mongolocks.benchmarks.measure;

import java.util.List;

/**
 * Is everything that one run measured.
 *
 * @param floor the floor
 * @param strategies each strategy, in the order in which they were asked for
 */
public record Measurements(FloorFigures floor, List<StrategyResult> strategies) {
    /** Says nothing. */
    public static final Measurements NONE = new Measurements(FloorFigures.NONE, List.of());

    public Measurements {
        strategies = List.copyOf(strategies);
    }
}
