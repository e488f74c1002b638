package org.mongolocks.benchmarks.report.html;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.mongolocks.benchmarks.report.chart.ChartData;
import org.mongolocks.benchmarks.report.chart.ChartHeading;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;

/**
 * The figure by which strategies are compared for a use case.
 *
 * @param benchmark the benchmark
 * @param metric its metric
 * @param wanted the required values of parameters; without a match, the first chart counts
 */
record UseCaseMetric(String benchmark, String metric, Map<String, Object> wanted) {
    private static final Set<String> TIMED = Set.of("latency", "throughput", "recovery");

    static UseCaseMetric of(String benchmark, String metric) {
        return new UseCaseMetric(benchmark, metric, Map.of());
    }

    boolean isMoreBetter() {
        return ChartHeading.isMoreBetter(metric);
    }

    boolean isTimed() {
        return TIMED.contains(metric);
    }

    /**
     * Returns the figure of each contender with a client. All have the same parameters, with the maximum on the axis.
     */
    List<Measurement> figures(Results results, Client client) {
        Optional<ChartData> data = ChartData.of(results.measurements()).stream()
                .filter(one ->
                        one.benchmark().equals(benchmark) && one.metric().name().equals(metric))
                .findFirst();
        return data.stream()
                .map(this::part)
                .flatMap(part -> largest(part).stream())
                .filter(one -> one.subject().client() == client)
                .toList();
    }

    private ChartData part(ChartData data) {
        return data.facets().entrySet().stream()
                .filter(facet -> facet.getKey().entrySet().containsAll(wanted.entrySet()))
                .map(Map.Entry::getValue)
                .findFirst()
                .or(() -> data.facets().values().stream().findFirst())
                .orElse(data);
    }

    private static List<Measurement> largest(ChartData part) {
        return part.axis()
                .map(axis -> part.filtered(one -> setting(one, axis) == most(part, axis)))
                .orElse(part)
                .measurements();
    }

    private static double most(ChartData part, String axis) {
        return part.measurements().stream()
                .map(one -> setting(one, axis))
                .max(Comparator.naturalOrder())
                .orElse(0.0);
    }

    private static double setting(Measurement one, String axis) {
        return one.subject().parameters().get(axis) instanceof Number number
                ? number.doubleValue()
                : Double.NEGATIVE_INFINITY;
    }
}
