package org.mongolocks.benchmarks.report.choice;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.benchmarks.report.chart.ChartData;
import org.mongolocks.benchmarks.report.chart.ChartHeading;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.PairedDifference;

/**
 * The figure by which strategies are compared for a use case.
 *
 * @param benchmark the benchmark
 * @param metric its metric
 * @param wanted the required values of parameters; without a match, the first chart counts
 */
public record UseCaseMetric(String benchmark, String metric, Map<String, Object> wanted) {
    /** Acquire and release without contention. */
    public static final UseCaseMetric ALONE = of("B1", "latency");
    /** Grants per second to the most waiters. */
    public static final UseCaseMetric CONTENDED = of("B6", "throughput");

    public static UseCaseMetric of(String benchmark, String metric) {
        return new UseCaseMetric(benchmark, metric, Map.of());
    }

    /**
     * Returns the best of some contenders with a client.
     *
     * @param able the ids of the contenders
     */
    public BestChoice choice(Figures run, Client client, Collection<String> able) {
        List<Measurement> figures = figures(run.measurements(), client).stream()
                .filter(one -> able.contains(one.subject().contender()))
                .toList();
        return BestChoice.among(figures, run.differences(), ChartHeading.isMoreBetter(metric));
    }

    /**
     * Returns the figure of each contender with a client. All have the same parameters, with the maximum on the axis.
     */
    public List<Measurement> figures(List<Measurement> measurements, Client client) {
        Optional<ChartData> data = ChartData.of(measurements).stream()
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

    /**
     * The figures of a run.
     *
     * @param measurements the measurements
     * @param differences the differences of pairs of strategies
     */
    public record Figures(List<Measurement> measurements, List<PairedDifference> differences) {}
}
