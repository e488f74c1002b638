package org.mongolocks.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.result.Estimate.Interval;

class EstimateTest {
    @Test
    void oneOrTwoSamplesHaveNoInterval() {
        assertThat(Estimate.once(7).interval()).isEmpty();
        assertThat(Estimate.mean(7, 8).interval()).isEmpty();
        assertThat(Estimate.median(7, 8).interval()).isEmpty();
    }

    @Test
    void theIntervalOfAMeanIsStudents() {
        Estimate mean = Estimate.mean(1, 2, 3);

        assertThat(mean.value()).isEqualTo(2);
        assertThat(mean.repetitions()).isEqualTo(3);
        Interval interval = mean.interval().orElseThrow();
        assertThat(interval.low()).isEqualTo(2 - 4.302653 / Math.sqrt(3), within(1e-4));
        assertThat(interval.high()).isEqualTo(2 + 4.302653 / Math.sqrt(3), within(1e-4));
    }

    @Test
    void theIntervalOfAMedianIsMadeOfTheRepetitionsThemselves() {
        double[] hundred = IntStream.rangeClosed(1, 100).asDoubleStream().toArray();

        Estimate median = Estimate.median(hundred);

        assertThat(median.value()).isEqualTo(50.5);
        assertThat(median.interval()).contains(new Interval(41, 60));
    }

    @Test
    void oneWildRepetitionMovesTheMedianOfManyLittle() {
        Estimate median = Estimate.median(10, 10, 11, 11, 12, 12, 13, 900);

        assertThat(median.value()).isEqualTo(11.5);
        assertThat(median.interval().orElseThrow().high()).isEqualTo(13);
    }

    @Test
    void medianOfFewSamplesIsWithinItsInterval() {
        Estimate median = Estimate.median(1, 1, 1, 1, 10);

        Interval interval = median.interval().orElseThrow();
        assertThat(median.value()).isBetween(interval.low(), interval.high());
    }

    @Test
    void intervalEndsAboveItsBeginning() {
        assertThatThrownBy(() -> new Interval(2, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
