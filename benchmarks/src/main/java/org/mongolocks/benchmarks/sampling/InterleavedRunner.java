package org.mongolocks.benchmarks.sampling;

import static java.util.Comparator.comparingDouble;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.BaselineRatio.Quartiles;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;

/**
 * An interleaved run of operations: each is measured for a short time between two turns of its baseline, in every round
 * until the time is over. All compared figures are therefore measured close together, in one JVM and through one pool.
 */
public final class InterleavedRunner implements AutoCloseable {
    private static final int WARM_UP_SHARE = 6;
    private static final int LAPS = 12;
    private static final Duration MIN_TURN = Duration.ofMillis(5);
    private static final Duration MAX_TURN = Duration.ofMillis(150);

    private final BenchmarkContext session;
    private final List<MeasuredOperation> order;
    private final Set<MeasuredOperation> lanes;
    private final InterleavedSamples laps = new InterleavedSamples();
    private final CostMeter meter = new CostMeter();

    public InterleavedRunner(BenchmarkContext session, List<MeasuredOperation> lanes) {
        this.session = session;
        this.order = InterleavedSamples.order(lanes);
        this.lanes = new LinkedHashSet<>(order);
    }

    /** Runs a warm-up and then the rounds. A contender that fails is excluded. */
    public InterleavedSamples run(Duration time) throws InterruptedException {
        Duration warmUp = time.dividedBy(WARM_UP_SHARE);
        session.step("warm-up");
        for (MeasuredOperation lane : lanes) {
            attempt(lane, () -> lane.warmUp(warmUp.dividedBy(lanes.size())));
        }
        session.step("laps");
        Duration rest = time.minus(warmUp);
        Duration turn = turn(rest);
        long started = System.nanoTime();
        do {
            lap(turn);
        } while (isOpen() && System.nanoTime() - started < rest.toNanos());
        DriftCheck.of(lanes, laps).ifPresent(session::drifted);
        return laps;
    }

    /** Returns the operations, baselines included, without duplicates. */
    public Set<MeasuredOperation> lanes() {
        return lanes;
    }

    @Override
    public void close() {
        lanes.forEach(MeasuredOperation::close);
    }

    /** Returns the time of a turn, within bounds. All contenders may have been excluded. */
    private Duration turn(Duration time) {
        Duration share = time.dividedBy((long) LAPS * Math.max(1, order.size()));
        Duration bounded = share.compareTo(MAX_TURN) > 0 ? MAX_TURN : share;
        return bounded.compareTo(MIN_TURN) < 0 ? MIN_TURN : bounded;
    }

    /** Returns whether any operation with a baseline is left. */
    private boolean isOpen() {
        return lanes.stream()
                .filter(lane -> lane.floor().isPresent())
                .anyMatch(lane -> session.isIn(lane.subject().contender()));
    }

    private void lap(Duration turn) throws InterruptedException {
        List<InterleavedSamples.Entry> lap = new ArrayList<>();
        for (MeasuredOperation lane : order) {
            attempt(lane, () -> lap.add(new InterleavedSamples.Entry(lane, lane.turn(turn, meter))));
        }
        laps.add(lap);
    }

    private void attempt(MeasuredOperation lane, BenchmarkContext.Part part) throws InterruptedException {
        session.attempt(lane.subject().contender(), part);
    }

    /** The check whether the baselines of a run drifted so far that small differences are not significant. */
    static final class DriftCheck {
        private DriftCheck() {}

        /** Returns the baseline with the highest drift, if that is too high. */
        static Optional<BaselineDrift> of(Collection<MeasuredOperation> lanes, InterleavedSamples laps) {
            return lanes.stream()
                    .flatMap(lane -> lane.floor().stream())
                    .distinct()
                    .map(floor -> drift(floor.subject(), drift(floor, laps)))
                    .max(comparingDouble(BaselineDrift::value))
                    .filter(drift -> drift.value() > RunSummary.NOISY);
        }

        private static BaselineDrift drift(MeasurementKey floor, double value) {
            return new BaselineDrift(floor.benchmark(), floor.contender(), floor.client(), value);
        }

        /** Returns the drift of a baseline, or zero if it never ran. */
        private static double drift(MeasuredOperation floor, InterleavedSamples laps) {
            double[] medians = laps.values(floor, Sample::p50Nanos);
            return medians.length == 0 ? 0 : Quartiles.of(Arrays.stream(medians)).drift();
        }
    }
}
