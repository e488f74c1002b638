package org.mongolocks.benchmarks.report.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;

/**
 * The data of a chart: all measurements of one metric in one benchmark. They are split into several charts if more
 * parameters vary than one chart can show.
 *
 * @param benchmark the id of the benchmark
 */
public record ChartData(String benchmark, Metric metric, List<Measurement> measurements) {
    private static final String TAIL = "latency99";
    private static final String TO_BASELINE = "ToFloor";
    private static final int ENOUGH_FOR_A_LINE = 2;

    /** The parameters that are shown as the axis of a line chart, in order of preference. */
    private static final List<String> AXES = List.of("waiters", "clients", "ratePerSecond", "locks", "threads");

    public static List<ChartData> of(List<Measurement> all) {
        Map<List<String>, List<Measurement>> groups = new LinkedHashMap<>();
        for (Measurement one : all) {
            groups.computeIfAbsent(
                            List.of(
                                    one.subject().benchmark(),
                                    one.metric().name(),
                                    one.metric().unit()),
                            key -> new ArrayList<>())
                    .add(one);
        }
        return groups.values().stream()
                .map(group -> new ChartData(
                        group.get(0).subject().benchmark(), group.get(0).metric(), List.copyOf(group)))
                .toList();
    }

    /** Returns the 99th percentiles of latencies that have an axis, because their line chart shows only medians. */
    public ChartData tails() {
        Metric tail = new Metric(TAIL, metric.unit());
        List<Measurement> tails = measurements.stream()
                .filter(one -> axis().isPresent())
                .flatMap(one -> one.percentiles().stream()
                        .map(all ->
                                Measurement.of(one.subject(), tail, Estimate.once((double) all.p99()), one.samples())))
                .toList();
        return new ChartData(benchmark, tail, tails);
    }

    /** Returns the ratios of the same measurements to their baselines; empty if there are none. */
    public ChartData ratios() {
        String name = metric.equals(Metric.LATENCY) ? "ratio" : metric.name();
        Metric toBaseline = new Metric(name + TO_BASELINE, "ratio");
        List<Measurement> ratios = measurements.stream()
                .flatMap(one -> one.ratio().stream()
                        .map(ratio -> Measurement.of(one.subject(), toBaseline, ratio.times(), one.samples())))
                .toList();
        return new ChartData(benchmark, toBaseline, ratios);
    }

    public ChartData filtered(Predicate<Measurement> kept) {
        return new ChartData(
                benchmark, metric, measurements.stream().filter(kept).toList());
    }

    public boolean isEmpty() {
        return measurements.isEmpty();
    }

    public boolean isAgainstBaseline() {
        return metric.name().endsWith(TO_BASELINE);
    }

    /** Returns the parameter for the axis, if one varies. */
    public Optional<String> axis() {
        return AXES.stream().filter(this::isVaried).findFirst();
    }

    private boolean isVaried(String parameter) {
        return measurements.stream()
                        .map(one -> one.subject().parameters().get(parameter))
                        .filter(Number.class::isInstance)
                        .distinct()
                        .count()
                >= ENOUGH_FOR_A_LINE;
    }

    /**
     * Splits the data by the parameters other than the axis. A measurement without such a parameter is part of every
     * chart.
     */
    public Map<Map<String, Object>, ChartData> facets() {
        Map<Map<String, Object>, ChartData> facets = new LinkedHashMap<>();
        for (Map<String, Object> setting : settings()) {
            List<Measurement> part = measurements.stream()
                    .filter(one ->
                            setting.entrySet().containsAll(besidesAxis(one).entrySet()))
                    .toList();
            facets.put(setting, new ChartData(benchmark, metric, part));
        }
        return facets;
    }

    private List<Map<String, Object>> settings() {
        List<Map<String, Object>> all =
                measurements.stream().map(this::besidesAxis).distinct().toList();
        return all.stream()
                .filter(one -> all.stream()
                        .noneMatch(other ->
                                other.size() > one.size() && other.entrySet().containsAll(one.entrySet())))
                .toList();
    }

    private Map<String, Object> besidesAxis(Measurement one) {
        Map<String, Object> rest = new TreeMap<>(one.subject().parameters());
        axis().ifPresent(rest::remove);
        return rest;
    }
}
