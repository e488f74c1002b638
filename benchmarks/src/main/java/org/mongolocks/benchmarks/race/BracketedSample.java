package org.mongolocks.benchmarks.race;

import java.util.function.ToDoubleFunction;
import org.mongolocks.benchmarks.measure.BaselineRatio;

/**
 * A sample with the nearest samples of its baseline before and after it.
 *
 * @param before the baseline before
 * @param turn the sample
 * @param after the baseline after
 */
record BracketedSample(Sample before, Sample turn, Sample after) {
    /** Returns one quantity of the three samples. */
    BaselineRatio.Sandwich of(ToDoubleFunction<Sample> quantity) {
        return new BaselineRatio.Sandwich(
                quantity.applyAsDouble(before), quantity.applyAsDouble(turn), quantity.applyAsDouble(after));
    }
}
