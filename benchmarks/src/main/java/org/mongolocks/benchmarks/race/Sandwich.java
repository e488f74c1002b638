package org.mongolocks.benchmarks.race;

import java.util.function.ToDoubleFunction;
import org.mongolocks.benchmarks.measure.FloorRatio;

/**
 * Is a turn with the nearest ones of a floor before and after it.
 *
 * @param before the floor before
 * @param turn the turn
 * @param after the floor after
 */
record Sandwich(Turn before, Turn turn, Turn after) {
    /** Looks at one quantity of the three. */
    FloorRatio.Sandwich of(ToDoubleFunction<Turn> quantity) {
        return new FloorRatio.Sandwich(
                quantity.applyAsDouble(before), quantity.applyAsDouble(turn), quantity.applyAsDouble(after));
    }
}
