package org.mongolocks.benchmarks.sampling;

import java.util.LinkedHashMap;
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
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.Rounds.Round;

/** The figures of a benchmark by round: one value for each subject and metric. A round that does not count is ignored. */
public final class RoundFigures {
    private record Figure(MeasurementKey subject, Metric metric) {}

    /** The values of a figure by round, with the number of samples and the distribution of latencies. */
    private static final class Values {
        private final SortedMap<Integer, Double> byRound = new TreeMap<>();
        private final Histogram nanos = new Histogram(Samples.SIGNIFICANT_DIGITS);
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
        if (round.counts()) {
            values(subject, metric).byRound.put(round.number(), value);
            values(subject, metric).samples += samples;
        }
    }

    /** Adds the values of a metric by round to the comparison of the contenders. */
    public void compare(BenchmarkContext context, Metric metric) {
        figures.forEach((figure, values) -> {
            if (figure.metric().equals(metric)) {
                context.compare(new Series(figure.subject(), metric, values.byRound));
            }
        });
    }

    /** Records an estimate of each figure over its rounds; of latencies always the median. */
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
        figures.forEach((figure, values) -> context.record(measurement(figure, values, estimate)
                .with(baseline.apply(figure.subject(), figure.metric()).flatMap(id -> ratio(figure, values, id)))));
    }

    private static Measurement measurement(Figure figure, Values values, Function<double[], Estimate> estimate) {
        double[] all = values.byRound.values().stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        boolean isLatency = values.nanos.getTotalCount() > 0;
        Measurement measurement = Measurement.of(
                figure.subject(),
                figure.metric(),
                isLatency ? Estimate.median(all) : estimate.apply(all),
                values.samples);
        return isLatency ? measurement.with(Percentiles.of(values.nanos)) : measurement;
    }

    private Optional<Ratio> ratio(Figure figure, Values values, String baseline) {
        MeasurementKey key = figure.subject();
        MeasurementKey other = new MeasurementKey(key.benchmark(), baseline, key.client(), key.parameters());
        return Optional.ofNullable(figures.get(new Figure(other, figure.metric())))
                .flatMap(against -> Ratio.of(baseline, Ratio.byRound(values.byRound, against.byRound)));
    }

    private Values values(MeasurementKey subject, Metric metric) {
        return figures.computeIfAbsent(new Figure(subject, metric), unknown -> new Values());
    }
}
