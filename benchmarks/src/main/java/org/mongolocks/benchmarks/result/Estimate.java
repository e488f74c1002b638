package org.mongolocks.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.util.ListStatistics;

/**
 * A number with its confidence interval.
 *
 * @param value the number
 * @param interval the 95 % confidence interval; empty if there were too few repetitions
 * @param repetitions the number of repetitions
 */
public record Estimate(double value, @JsonIgnore Optional<Interval> interval, int repetitions) {
    private static final double CONFIDENCE = 0.95;
    private static final int MIN_FOR_A_MEAN = 3;
    private static final int MIN_FOR_RANKS = 6;
    private static final double HALF_WIDTH = 0.98;

    /**
     * A range of values.
     *
     * @param low the lower end
     * @param high the upper end
     */
    public record Interval(double low, double high) {
        public Interval {
            if (!(low <= high)) {
                throw new IllegalArgumentException("low must not exceed high, was " + low + " to " + high);
            }
        }
    }

    @JsonCreator
    static Estimate read(
            @JsonProperty("value") double value,
            @JsonProperty("low") @Nullable Double low,
            @JsonProperty("high") @Nullable Double high,
            @JsonProperty("repetitions") int repetitions) {
        return new Estimate(
                value,
                low == null || high == null ? Optional.empty() : Optional.of(new Interval(low, high)),
                repetitions);
    }

    @JsonProperty
    Optional<Double> low() {
        return interval.map(Interval::low);
    }

    @JsonProperty
    Optional<Double> high() {
        return interval.map(Interval::high);
    }

    /** Returns an estimate from a single measurement. */
    public static Estimate once(double value) {
        return new Estimate(value, Optional.empty(), 1);
    }

    /** Returns the mean of at least one repetition, with Student's interval if there are at least three. */
    public static Estimate mean(double... repetitions) {
        double mean = new ListStatistics(repetitions).getMean();
        return new Estimate(mean, aroundTheMean(repetitions), repetitions.length);
    }

    /**
     * Returns the median of at least one repetition. With at least six, the ends of the interval are two of the
     * repetitions, by rank, which is valid for any distribution.
     */
    public static Estimate median(double... repetitions) {
        double[] sorted = Arrays.stream(repetitions).sorted().toArray();
        int n = sorted.length;
        double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
        if (n < MIN_FOR_RANKS) {
            return new Estimate(median, aroundTheMean(sorted).map(interval -> reach(interval, median)), n);
        }
        int outside = Math.max(0, (int) Math.floor(n / 2.0 - HALF_WIDTH * Math.sqrt(n)));
        return new Estimate(median, Optional.of(new Interval(sorted[outside], sorted[n - 1 - outside])), n);
    }

    private static Optional<Interval> aroundTheMean(double... repetitions) {
        if (repetitions.length < MIN_FOR_A_MEAN) {
            return Optional.empty();
        }
        double[] ends = new ListStatistics(repetitions).getConfidenceIntervalAt(CONFIDENCE);
        return Optional.of(new Interval(ends[0], ends[1]));
    }

    private static Interval reach(Interval interval, double value) {
        return new Interval(Math.min(interval.low(), value), Math.max(interval.high(), value));
    }
}
