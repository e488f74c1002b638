package org.mongolocks.benchmarks.race;

import java.util.function.ToDoubleFunction;
import org.mongolocks.benchmarks.measure.FloorRatio;

/**
 * A sample with the nearest samples of its baseline before and after it.
 *
 * @param before the baseline before
 * @param turn the sample
 * @param after the baseline after
 */
record Sandwich(Turn before, Turn turn, Turn after) {
    /** Returns one quantity of the three samples. */
    FloorRatio.Sandwich of(ToDoubleFunction<Turn> quantity) {
        return new FloorRatio.Sandwich(
                quantity.applyAsDouble(before), quantity.applyAsDouble(turn), quantity.applyAsDouble(after));
    }
}
