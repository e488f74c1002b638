package org.mongolocks.benchmarks.race;

import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.mongolocks.benchmarks.measure.FloorRatio;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Percentiles;
import org.mongolocks.benchmarks.result.Ratio;

/** A recorder of the measurements of an interleaved run. */
final class Score {
    private final Session session;
    private final Laps laps;

    Score(Session session, Laps laps) {
        this.session = session;
        this.laps = laps;
    }

    /** Records latency, processor time and allocation of an operation, if it has samples. */
    void latency(Lane lane) {
        if (hasRun(lane)) {
            session.record(measurement(lane, Metric.LATENCY, Turn::p50Nanos, Estimate.median(medians(lane)))
                    .with(Percentiles.of(lane.nanos())));
            cost(lane);
        }
    }

    /** Records throughput, latency, processor time and allocation of an operation of several threads. */
    void throughput(Lane lane) {
        if (hasRun(lane)) {
            double[] rates = laps.values(lane, Turn::perSecond);
            session.record(measurement(lane, Metric.THROUGHPUT, Turn::perSecond, Estimate.mean(rates)));
            latency(lane);
        }
    }

    private void cost(Lane lane) {
        session.record(
                measurement(lane, Metric.CPU, Turn::cpuNanos, Estimate.median(laps.values(lane, Turn::cpuNanos))));
        session.record(
                measurement(lane, Metric.ALLOCATION, Turn::bytes, Estimate.median(laps.values(lane, Turn::bytes))));
    }

    private Measurement measurement(Lane lane, Metric metric, ToDoubleFunction<Turn> quantity, Estimate value) {
        Measurement plain =
                Measurement.of(lane.subject(), metric, value, lane.nanos().getTotalCount());
        return lane.floor()
                .flatMap(floor -> ratio(lane, floor, quantity))
                .map(plain::with)
                .orElse(plain);
    }

    /**
     * Returns the ratio to a baseline; empty if the baseline never ran, or its value is below one nanosecond or byte.
     */
    private Optional<Ratio> ratio(Lane lane, Lane floor, ToDoubleFunction<Turn> quantity) {
        double[] ratios = laps.sandwiches(lane, floor).stream()
                .map(sandwich -> sandwich.of(quantity))
                .filter(figures -> figures.floor() >= 1)
                .mapToDouble(FloorRatio.Sandwich::ratio)
                .toArray();
        return ratios.length == 0
                ? Optional.empty()
                : Optional.of(new Ratio(floor.subject().contender(), Estimate.median(ratios)));
    }

    private boolean hasRun(Lane lane) {
        return medians(lane).length > 0;
    }

    private double[] medians(Lane lane) {
        return laps.values(lane, Turn::p50Nanos);
    }
}
