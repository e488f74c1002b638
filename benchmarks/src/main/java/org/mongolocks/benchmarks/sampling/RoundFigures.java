package org.mongolocks.benchmarks.sampling;

import static java.util.Comparator.comparingDouble;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.PairedDifference.Series;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.Rounds.Round;

/**
 * The figures of a benchmark by round. A round that does not count, and a value that is no number, are ignored. A subject that is
 * measured several times in a round is compared by its last value; its estimate has all.
 */
public final class RoundFigures {
    /** The drift of a baseline above which the machine or the server was probably busy with other work. */
    private static final double NOISY = 0.10;

    private record Figure(MeasurementKey subject, Metric metric) {}

    /** The values of a figure by round, with the number of samples and the distribution of latencies. */
    private static final class Values {
        private final SortedMap<Integer, Double> byRound = new TreeMap<>();
        private final List<Double> all = new ArrayList<>();
        private final Histogram nanos = new Histogram(Repetition.SIGNIFICANT_DIGITS);
        private final List<Double> ratios = new ArrayList<>();
        private boolean isCompared;
        private long samples;
    }

    private final Map<Figure, Values> figures = new LinkedHashMap<>();

    /** Adds the median of the latencies of a round, and all of them to the percentiles. */
    public void add(Round round, MeasurementKey subject, Histogram nanos) {
        add(round, subject, Metric.LATENCY, (double) nanos.getValueAtPercentile(50), nanos.getTotalCount());
        if (round.counts()) {
            values(subject, Metric.LATENCY).nanos.add(nanos);
        }
    }

    /** Adds a value that is based on a number of samples. */
    public void add(Round round, MeasurementKey subject, Metric metric, double value, long samples) {
        if (round.counts() && Double.isFinite(value)) {
            Values values = values(subject, metric);
            values.byRound.put(round.number(), value);
            values.all.add(value);
            values.samples += samples;
        }
    }

    /** Adds the ratio of a value to a baseline; a baseline below one nanosecond or byte gives none. */
    void compare(Round round, MeasurementKey subject, Metric metric, double value, double baseline) {
        if (round.counts()) {
            Values values = values(subject, metric);
            values.isCompared = true;
            if (baseline >= 1) {
                values.ratios.add(value / baseline);
            }
        }
    }

    /**
     * Returns the baseline with the highest drift, if that is too high for small differences to be significant: by how much
     * the upper quartile of its values exceeds the lower. Quartiles are robust against outliers.
     */
    Optional<BaselineDrift> drift(Collection<MeasurementKey> baselines) {
        return baselines.stream()
                .distinct()
                .filter(baseline -> figures.containsKey(new Figure(baseline, Metric.LATENCY)))
                .map(baseline -> new BaselineDrift(
                        baseline.benchmark(),
                        baseline.contender(),
                        baseline.client(),
                        drift(values(baseline, Metric.LATENCY).all.stream()
                                .mapToDouble(Double::doubleValue)
                                .sorted()
                                .toArray())))
                .max(comparingDouble(BaselineDrift::value))
                .filter(drift -> drift.value() > NOISY);
    }

    private static double drift(double... sorted) {
        return sorted.length == 0 ? 0 : quantile(0.75, sorted) / quantile(0.25, sorted) - 1;
    }

    /** Interpolates linearly between two values. */
    private static double quantile(double fraction, double... sorted) {
        double position = fraction * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    /** Adds the values of a metric by round to the comparison of the contenders. */
    public void compare(BenchmarkContext context, Metric metric) {
        figures.forEach((figure, values) -> {
            if (figure.metric().equals(metric)) {
                context.results().compare(new Series(figure.subject(), metric, values.byRound));
            }
        });
    }

    /** Records an estimate of each figure over its values; of latencies always the median. */
    public void record(BenchmarkContext context, Function<double[], Estimate> estimate) {
        record(context, estimate, (subject, metric) -> Optional.empty());
    }

    /**
     * Does the same with ratios, round by round.
     *
     * @param baseline returns the id of the baseline of a figure, if it has one
     */
    public void record(
            BenchmarkContext context,
            Function<double[], Estimate> estimate,
            BiFunction<MeasurementKey, Metric, Optional<String>> baseline) {
        figures.forEach((figure, values) -> context.results()
                .record(measurement(figure, values, estimate)
                        .with(baseline.apply(figure.subject(), figure.metric())
                                .flatMap(id -> ratio(figure, values, id)))));
    }

    private static Measurement measurement(Figure figure, Values values, Function<double[], Estimate> estimate) {
        double[] all = values.all.stream().mapToDouble(Double::doubleValue).toArray();
        boolean isLatency = values.nanos.getTotalCount() > 0;
        Measurement measurement = Measurement.of(
                figure.subject(),
                figure.metric(),
                isLatency ? Estimate.median(all) : estimate.apply(all),
                values.samples);
        return isLatency ? measurement.with(Percentiles.of(values.nanos)) : measurement;
    }

    /** Returns the ratio by those that were added if the figure was compared, or else by the values of the same rounds. */
    private Optional<Ratio> ratio(Figure figure, Values values, String baseline) {
        if (values.isCompared) {
            return Ratio.of(
                    baseline,
                    values.ratios.stream().mapToDouble(Double::doubleValue).toArray());
        }
        MeasurementKey key = figure.subject();
        MeasurementKey other = new MeasurementKey(key.benchmark(), baseline, key.client(), key.parameters());
        return Optional.ofNullable(figures.get(new Figure(other, figure.metric())))
                .flatMap(against -> Ratio.of(baseline, Ratio.byRound(values.byRound, against.byRound)));
    }

    private Values values(MeasurementKey subject, Metric metric) {
        return figures.computeIfAbsent(new Figure(subject, metric), unknown -> new Values());
    }
}
