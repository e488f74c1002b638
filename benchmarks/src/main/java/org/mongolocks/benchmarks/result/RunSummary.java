package org.mongolocks.benchmarks.result;

import java.util.List;
import java.util.Optional;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;

/**
 * The summary of a run, derived from its measurements: all strategies with the synchronous client, against one
 * baseline.
 *
 * @param baseline the latency of the baseline, if it was measured
 * @param drift by how much the upper quartile of the baseline's samples exceeded the lower, as a fraction
 * @param strategies the strategies that were measured, or could not be, in the order of the request
 */
public record RunSummary(Optional<Measurement> baseline, double drift, List<StrategySummary> strategies) {
    /** The id of the baseline: a lock with one command to acquire and one to release. */
    public static final String BASELINE = "floor-two-find-and-modify";

    /** The drift of the baseline over the whole run. */
    public static final Metric BASELINE_DRIFT = new Metric("drift", "ratio");

    /** The drift above which the machine or the server was probably busy with other work. */
    public static final double NOISY = 0.10;

    private static final String UNCONTENDED = "B1";

    public RunSummary {
        strategies = List.copyOf(strategies);
    }

    /** Summarizes the results of a run. */
    public static RunSummary of(RunResults results) {
        return new RunSummary(
                latency(results, BASELINE),
                results.summary().stream()
                        .filter(figure -> figure.metric().equals(BASELINE_DRIFT))
                        .mapToDouble(figure -> figure.value().value())
                        .findFirst()
                        .orElse(0),
                results.contenders().stream()
                        .filter(contender -> contender.kind() == Kind.STRATEGY)
                        .map(strategy -> of(results, strategy))
                        .filter(strategy ->
                                strategy.isMeasured() || strategy.obstacle().isPresent())
                        .toList());
    }

    /** Returns whether small differences between the strategies are not significant. */
    public boolean isNoisy() {
        return drift > NOISY;
    }

    private static StrategySummary of(RunResults results, LockUnderTest strategy) {
        List<Measurement> figures = results.summary().stream()
                .filter(figure -> figure.subject().contender().equals(strategy.id()))
                .toList();
        return StrategySummary.of(strategy, latency(results, strategy.id()), figures);
    }

    private static Optional<Measurement> latency(RunResults results, String contender) {
        MeasurementKey key = MeasurementKey.of(UNCONTENDED, contender, Client.SYNC);
        return results.measurements().stream()
                .filter(figure ->
                        figure.subject().equals(key) && figure.metric().equals(Metric.LATENCY))
                .findFirst();
    }
}
