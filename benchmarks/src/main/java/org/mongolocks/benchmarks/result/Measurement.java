package org.mongolocks.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * A measurement: one number found by a benchmark.
 *
 * @param subject the measured object and the parameters
 * @param metric the meaning of the number
 * @param value the number: the median for latency, processor time and allocation, otherwise the mean
 * @param samples the number of operations it is based on
 * @param percentiles the percentiles, for latencies only
 * @param ratio the ratio to the baseline, if there is one
 */
public record Measurement(
        @JsonUnwrapped MeasurementKey subject,
        @JsonProperty("(metric)") @JsonUnwrapped Metric metric,
        @JsonProperty("(value)") @JsonUnwrapped Estimate value,
        long samples,
        Optional<Percentiles> percentiles,
        Optional<Ratio> ratio) {
    public Measurement {
        Objects.requireNonNull(subject, "The subject is null");
        Objects.requireNonNull(metric, "The metric is null");
        Objects.requireNonNull(value, "The value is null");
    }

    /** Returns a measurement without percentiles and ratio. */
    public static Measurement of(MeasurementKey subject, Metric metric, Estimate value, long samples) {
        return new Measurement(subject, metric, value, samples, Optional.empty(), Optional.empty());
    }

    /** Returns a copy with the percentiles of its latencies. */
    public Measurement with(Percentiles distribution) {
        return new Measurement(subject, metric, value, samples, Optional.of(distribution), ratio);
    }

    /** Returns a copy with the ratio to its baseline, if there is one. */
    public Measurement with(Optional<Ratio> comparison) {
        return new Measurement(subject, metric, value, samples, percentiles, comparison);
    }

    /**
     * The percentiles of latencies, in nanoseconds.
     *
     * @param p50 the median
     * @param p90 the 90th percentile
     * @param p99 the 99th percentile
     * @param p999 the 99.9th percentile
     * @param max the maximum
     */
    public record Percentiles(
            @JsonProperty("50") long p50,
            @JsonProperty("90") long p90,
            @JsonProperty("99") long p99,
            @JsonProperty("99.9") long p999,
            long max) {
        /** Returns the percentiles of a histogram of nanoseconds. */
        public static Percentiles of(Histogram nanos) {
            return new Percentiles(
                    nanos.getValueAtPercentile(50),
                    nanos.getValueAtPercentile(90),
                    nanos.getValueAtPercentile(99),
                    nanos.getValueAtPercentile(99.9),
                    nanos.getMaxValue());
        }
    }

    /**
     * The ratio of a measurement to the same measurement of a baseline, taken alternately in one run.
     *
     * @param to the id of the baseline
     * @param times the ratio
     */
    public record Ratio(String to, @JsonUnwrapped Estimate times) {
        /** The turns that a ratio of times needs: the interval of a median by rank exists from six on. */
        private static final int MIN_TURNS = 6;

        /** Returns the median of the ratios of turns; empty if there are fewer than six, which may be far from it. */
        public static Optional<Ratio> of(String to, double... turns) {
            return turns.length < MIN_TURNS ? Optional.empty() : Optional.of(new Ratio(to, Estimate.median(turns)));
        }

        /** Returns the ratios of two series of values by round, for the rounds that both have; a baseline of zero has none. */
        public static double[] byRound(Map<Integer, Double> values, Map<Integer, Double> baseline) {
            return values.entrySet().stream()
                    .flatMap(round -> Stream.ofNullable(baseline.get(round.getKey()))
                            .filter(other -> other > 0)
                            .map(other -> round.getValue() / other))
                    .mapToDouble(Double::doubleValue)
                    .toArray();
        }
    }
}
