package org.mongolocks.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.PairedDifference.Series;

class PairedDifferenceTest {
    private static final long SEED = 42;
    private static final int RUNS = 500;
    private static final double NOISE = 0.05;

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void driftCommonToBothCancels() {
        int rounds = 12;
        IntToDoubleFunction doubling = round -> 400_000 * (1 + (double) round / rounds);

        PairedDifference difference = difference(
                series("alpha", rounds, round -> 1.1 * doubling.applyAsDouble(round) * noise(0.01)),
                series("beta", rounds, round -> doubling.applyAsDouble(round) * noise(0.01)));

        Interval interval = difference.ratio().interval().orElseThrow();
        assertThat(difference.ratio().value()).isEqualTo(1.1, within(0.02));
        assertThat(interval.low()).isBetween(1.07, 1.1);
        assertThat(interval.high()).isBetween(1.1, 1.13);
        assertThat(difference.isClear()).isTrue();
    }

    @Test
    void equalStrategiesHaveAnIntervalAroundOne() {
        PairedDifference difference = difference(
                series("alpha", 12, round -> 400_000 * noise(0.01)),
                series("beta", 12, round -> 400_000 * noise(0.01)));

        Interval interval = difference.ratio().interval().orElseThrow();
        assertThat(interval.low()).isBetween(0.97, 1.0);
        assertThat(interval.high()).isBetween(1.0, 1.03);
        assertThat(difference.isClear()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 6, 12, 30})
    void aboutNineteenOfTwentyIntervalsContainTheTruth(int rounds) {
        double truth = 1.25;
        long contained = IntStream.range(0, RUNS)
                .mapToObj(run -> difference(
                        series("alpha", rounds, round -> truth * noise(NOISE)),
                        series("beta", rounds, round -> noise(NOISE))))
                .map(difference -> difference.ratio().interval().orElseThrow())
                .filter(interval -> interval.low() <= truth && truth <= interval.high())
                .count();

        assertThat(contained / (double) RUNS).as("seed %d", SEED).isBetween(0.90, 0.99);
    }

    @Test
    void sameValuesGiveTheSameInterval() {
        Series alpha = series("alpha", 9, round -> noise(NOISE));
        Series beta = series("beta", 9, round -> noise(NOISE));

        assertThat(difference(alpha, beta)).isEqualTo(difference(alpha, beta));
    }

    @Test
    void equalRatiosGiveThatRatio() {
        PairedDifference difference =
                difference(series("alpha", 7, round -> 3.0 * round), series("beta", 7, round -> 2.0 * round));

        assertThat(difference.ratio().interval().orElseThrow().low()).isEqualTo(1.5, within(1e-9));
        assertThat(difference.ratio().interval().orElseThrow().high()).isEqualTo(1.5, within(1e-9));
    }

    @Test
    void onlyRoundsInWhichBothRanCount() {
        Series alpha = series("alpha", 4, round -> 2.0);
        Series beta = new Series(key("beta"), Metric.LATENCY, new TreeMap<>(Map.of(1, 1.0, 2, 1.0, 4, 1.0, 7, 50.0)));

        PairedDifference difference = difference(alpha, beta);

        assertThat(difference.ratio().repetitions()).isEqualTo(3);
        assertThat(difference.ratio().value()).isEqualTo(2, within(1e-9));
    }

    @Test
    void fewerThanThreeRoundsAreNoDifference() {
        assertThat(PairedDifference.of(series("alpha", 2, round -> 2.0), series("beta", 2, round -> 1.0)))
                .isEmpty();
        assertThat(PairedDifference.of(series("alpha", 3, round -> 2.0), series("beta", 3, round -> 1.0)))
                .isPresent();
    }

    @Test
    void strategyWithoutGrantsHasNoRatio() {
        assertThat(PairedDifference.of(series("alpha", 3, round -> 0.0), series("beta", 3, round -> 1.0)))
                .isEmpty();
        assertThat(PairedDifference.of(series("alpha", 3, round -> 1.0), series("beta", 3, round -> 0.0)))
                .isEmpty();
    }

    @Test
    void onlyTheSameBenchmarkMetricClientAndParametersAreCompared() {
        List<Series> all = List.of(
                series("alpha", 3, round -> 1.0),
                series("beta", 3, round -> 1.0),
                new Series(MeasurementKey.of("B1", "gamma", Client.REACTIVE), Metric.LATENCY, values(3, round -> 1.0)),
                new Series(key("gamma").with("waiters", 8), Metric.LATENCY, values(3, round -> 1.0)),
                new Series(key("gamma"), Metric.THROUGHPUT, values(3, round -> 1.0)),
                series("delta", 3, round -> 1.0));

        assertThat(PairedDifference.among(all))
                .extracting(difference -> difference.first().contender() + " " + difference.second())
                .containsExactly("alpha beta", "alpha delta", "beta delta");
    }

    @Test
    void clearDifferenceExceedsTwoPercentAndTwiceItsInterval() {
        assertThat(difference(1.015, 1.012, 1.018, 12).isClear()).isFalse();
        assertThat(difference(1.03, 1.02, 1.04, 12).isClear()).isTrue();
        assertThat(difference(0.97, 0.96, 0.98, 12).isClear()).isTrue();
        assertThat(difference(1.03, 1.01, 1.05, 12).isClear()).isFalse();
        assertThat(difference(0.97, 0.95, 0.99, 12).isClear()).isFalse();
        assertThat(difference(1.03, 0.99, 1.07, 12).isClear()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6, 12})
    void equalStrategiesRarelyDifferClearly(int rounds) {
        long clear = IntStream.range(0, RUNS)
                .mapToObj(run -> difference(
                        series("alpha", rounds, round -> noise(NOISE)), series("beta", rounds, round -> noise(NOISE))))
                .filter(PairedDifference::isClear)
                .count();

        assertThat(clear / (double) RUNS).as("seed %d", SEED).isLessThan(0.03);
    }

    private static PairedDifference difference(double ratio, double low, double high, int rounds) {
        return new PairedDifference(
                key("alpha"), "beta", "latency", new Estimate(ratio, Optional.of(new Interval(low, high)), rounds));
    }

    private static PairedDifference difference(Series first, Series second) {
        return PairedDifference.of(first, second).orElseThrow();
    }

    private static Series series(String strategy, int rounds, IntToDoubleFunction value) {
        return new Series(key(strategy), Metric.LATENCY, values(rounds, value));
    }

    private static SortedMap<Integer, Double> values(int rounds, IntToDoubleFunction value) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        for (int round = 1; round <= rounds; round++) {
            values.put(round, value.applyAsDouble(round));
        }
        return values;
    }

    private static MeasurementKey key(String strategy) {
        return MeasurementKey.of("B1", strategy, Client.SYNC);
    }

    /** Returns a log-normal factor; the sum of twelve uniform numbers is nearly normal. */
    private double noise(double deviation) {
        return Math.exp(deviation * (random.doubles(12).sum() - 6));
    }
}
