package org.mongolocks.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.Measurement.Ratio;

/**
 * The difference of two strategies in a metric: the ratio of their values, from the rounds in which both ran. A load on
 * the machine or the server that changes between rounds affects both values of a round alike, and cancels in their
 * ratio.
 *
 * <p>The ratio is the geometric mean of the ratios of the rounds, so that the ratios of A to B and of B to C give that
 * of A to C, and because the interval of a mean of few rounds is narrower than that of a median. The ends of its
 * interval are those of a bootstrap of the mean of the logarithms, studentized: the plain percentiles of so few rounds
 * are too close to each other. With fewer than six rounds the interval is Student's, and with fewer than three there is
 * no difference. A round that is far off widens the interval instead of moving it.
 *
 * @param first the first strategy, with the benchmark, the client and the parameters of both
 * @param second the id of the second strategy
 * @param metric the name of the metric
 * @param ratio the value of the first divided by that of the second, with the number of rounds
 */
public record PairedDifference(
        @JsonUnwrapped MeasurementKey first,
        String second,
        String metric,
        @JsonUnwrapped Estimate ratio) {
    /** The logarithm of the largest ratio that makes no difference: 2 %. */
    private static final double NEGLIGIBLE = Math.log(1.02);

    /** How many times as wide as 95 % an interval may be, and still exclude 1. */
    private static final double CAUTION = 2;

    /** The rounds that an interval needs. */
    private static final int MIN_ROUNDS = 3;

    private static final int MIN_FOR_A_BOOTSTRAP = 6;
    private static final int RESAMPLES = 2_000;
    private static final double OUTSIDE = 0.025;
    private static final long SEED = 20_261_123;
    /**
     * The values of a strategy by round.
     *
     * @param subject the strategy, with the benchmark, the client and the parameters
     * @param metric the metric
     * @param byRound the values by the number of the round
     */
    public record Series(MeasurementKey subject, Metric metric, SortedMap<Integer, Double> byRound) {
        public Series {
            byRound = Collections.unmodifiableSortedMap(new TreeMap<>(byRound));
        }

        private boolean isComparableWith(Series other) {
            MeasurementKey key = other.subject();
            return metric.equals(other.metric())
                    && subject.benchmark().equals(key.benchmark())
                    && subject.client() == key.client()
                    && subject.parameters().equals(key.parameters());
        }
    }

    /** Returns the differences of all pairs with the same benchmark, metric, client and parameters. */
    public static List<PairedDifference> among(List<Series> all) {
        List<PairedDifference> differences = new ArrayList<>();
        for (int first = 0; first < all.size(); first++) {
            for (Series second : all.subList(first + 1, all.size())) {
                of(all.get(first), second).ifPresent(differences::add);
            }
        }
        return differences;
    }

    /** Returns the difference; empty if they share fewer than three rounds, or a value has no logarithm. */
    static Optional<PairedDifference> of(Series first, Series second) {
        if (!first.isComparableWith(second)) {
            return Optional.empty();
        }
        double[] logs = Arrays.stream(Ratio.byRound(first.byRound(), second.byRound()))
                .map(Math::log)
                .toArray();
        return logs.length >= MIN_ROUNDS && Arrays.stream(logs).allMatch(Double::isFinite)
                ? Optional.of(new PairedDifference(
                        first.subject(),
                        second.subject().contender(),
                        first.metric().name(),
                        ratio(logs)))
                : Optional.empty();
    }

    /** Returns whether this is the difference of two strategies by one metric and setting, in either order. */
    public boolean isBetween(Measurement one, Measurement other) {
        MeasurementKey key = one.subject();
        boolean isThis = first.contender().equals(key.contender())
                && second.equals(other.subject().contender());
        boolean isReverse = first.contender().equals(other.subject().contender()) && second.equals(key.contender());
        return (isThis || isReverse)
                && metric.equals(one.metric().name())
                && first.benchmark().equals(key.benchmark())
                && first.client() == key.client()
                && first.parameters().equals(key.parameters());
    }

    /**
     * Returns whether the strategies differ clearly: the ratio exceeds 2 % in either direction, and even an interval
     * twice as wide excludes 1. A run compares dozens of pairs, and by its intervals alone one in twenty would differ by
     * chance.
     */
    public boolean isClear() {
        double distance = Math.abs(Math.log(ratio.value()));
        return distance > NEGLIGIBLE
                && ratio.interval()
                        .filter(ends -> distance > CAUTION * reach(ends))
                        .isPresent();
    }

    /** Returns how far the end of the interval that is nearer to 1 is away from the ratio, as a logarithm. */
    private double reach(Interval ends) {
        return ratio.value() > 1 ? Math.log(ratio.value() / ends.low()) : Math.log(ends.high() / ratio.value());
    }

    private static Estimate ratio(double[] logs) {
        Estimate student = Estimate.mean(logs);
        Optional<Interval> interval =
                logs.length < MIN_FOR_A_BOOTSTRAP ? student.interval() : Optional.of(bootstrap(logs));
        return new Estimate(
                Math.exp(student.value()),
                interval.map(ends -> new Interval(Math.exp(ends.low()), Math.exp(ends.high()))),
                logs.length);
    }

    /** Returns the interval of the mean from resamples, always the same for the same values. */
    private static Interval bootstrap(double[] values) {
        SplittableRandom random = new SplittableRandom(SEED);
        Moments all = Moments.of(values);
        if (all.error() == 0) {
            return new Interval(all.mean(), all.mean());
        }
        double[] distances = new double[RESAMPLES];
        for (int done = 0; done < RESAMPLES; done++) {
            distances[done] = distance(values, all.mean(), random);
        }
        Arrays.sort(distances);
        int cut = (int) (OUTSIDE * RESAMPLES);
        return new Interval(
                all.mean() - Math.max(0, distances[RESAMPLES - 1 - cut]) * all.error(),
                all.mean() - Math.min(0, distances[cut]) * all.error());
    }

    /**
     * Returns by how many standard errors the mean of a resample exceeds the mean. A resample of equal values, which
     * has no standard error, is drawn again.
     */
    private static double distance(double[] values, double mean, SplittableRandom random) {
        double[] resample = new double[values.length];
        Moments moments;
        do {
            Arrays.setAll(resample, place -> values[random.nextInt(values.length)]);
            moments = Moments.of(resample);
        } while (moments.error() == 0);
        return (moments.mean() - mean) / moments.error();
    }

    private record Moments(double mean, double error) {
        static Moments of(double[] values) {
            double mean = Arrays.stream(values).average().orElseThrow();
            boolean areEqual = Arrays.stream(values).allMatch(value -> value == values[0]);
            double squares = Arrays.stream(values)
                    .map(value -> (value - mean) * (value - mean))
                    .sum();
            return new Moments(mean, areEqual ? 0 : Math.sqrt(squares / (values.length - 1) / values.length));
        }
    }
}
