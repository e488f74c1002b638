package org.mongolocks.benchmarks.race;

import java.util.function.ToDoubleFunction;

/**
 * Is a turn with the nearest ones of a floor before and after it.
 *
 * @param before the floor before
 * @param turn the turn
 * @param after the floor after
 */
record Sandwich(Turn before, Turn turn, Turn after) {
    /** Compares a quantity with the mean of the two around it. */
    double ratio(ToDoubleFunction<Turn> quantity) {
        return quantity.applyAsDouble(turn) / floor(quantity);
    }

    /** Gives the mean of the two around it. */
    double floor(ToDoubleFunction<Turn> quantity) {
        return (quantity.applyAsDouble(before) + quantity.applyAsDouble(after)) / 2;
    }
}
