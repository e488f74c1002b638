package org.mongolocks.benchmarks.race;

import java.util.List;
import java.util.Optional;
import org.mongolocks.benchmarks.client.Baseline;
import org.mongolocks.benchmarks.measure.BaselineRatio;
import org.mongolocks.benchmarks.measure.BaselineResult;
import org.mongolocks.benchmarks.measure.Latency;
import org.mongolocks.benchmarks.measure.UncontendedResult;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.spi.LockStrategy;

/**
 * The figures of the synchronous client for the table of strategies: all strategies against the same baseline.
 *
 * @param race the run
 * @param laps its samples
 */
record Table(InterleavedRunner race, InterleavedSamples laps) {
    private static final String FLOOR =
            Baseline.TWO_FIND_AND_MODIFY.contender(Baseline.DURABLE).id();

    BaselineResult floor() {
        return lane(FLOOR)
                .filter(this::hasRun)
                .map(lane -> BaselineResult.of(lane.nanos(), laps.values(lane, Sample::p50Nanos)))
                .orElse(BaselineResult.NONE);
    }

    Optional<UncontendedResult> alone(LockStrategy strategy) {
        return lane(strategy.name())
                .flatMap(lane -> lane(FLOOR).map(floor -> alone(lane, laps.sandwiches(lane, floor))));
    }

    private static UncontendedResult alone(MeasuredOperation lane, List<BracketedSample> turns) {
        return new UncontendedResult(
                Latency.of(lane.nanos()),
                BaselineRatio.of(
                        turns.stream().map(turn -> turn.of(Sample::p50Nanos)).toList()));
    }

    private Optional<MeasuredOperation> lane(String contender) {
        return race.lanes().stream()
                .filter(lane -> lane.subject().contender().equals(contender))
                .filter(lane -> lane.subject().client() == Client.SYNC)
                .findFirst();
    }

    private boolean hasRun(MeasuredOperation lane) {
        return lane.nanos().getTotalCount() > 0;
    }
}
