package org.mongolocks.benchmarks.race;

import java.util.List;
import java.util.Optional;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.measure.Alone;
import org.mongolocks.benchmarks.measure.FloorFigures;
import org.mongolocks.benchmarks.measure.FloorRatio;
import org.mongolocks.benchmarks.measure.Latency;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.spi.LockStrategy;

/**
 * The figures of the synchronous client for the table of strategies: all strategies against the same baseline.
 *
 * @param race the run
 * @param laps its samples
 */
record Table(Race race, Laps laps) {
    private static final String FLOOR =
            RawFloor.TWO_FIND_AND_MODIFY.contender(RawFloor.DURABLE).id();

    FloorFigures floor() {
        return lane(FLOOR)
                .filter(this::hasRun)
                .map(lane -> FloorFigures.of(lane.nanos(), laps.values(lane, Turn::p50Nanos)))
                .orElse(FloorFigures.NONE);
    }

    Optional<Alone> alone(LockStrategy strategy) {
        return lane(strategy.name())
                .flatMap(lane -> lane(FLOOR).map(floor -> alone(lane, laps.sandwiches(lane, floor))));
    }

    private static Alone alone(Lane lane, List<Sandwich> turns) {
        return new Alone(
                Latency.of(lane.nanos()),
                FloorRatio.of(
                        turns.stream().map(turn -> turn.of(Turn::p50Nanos)).toList()));
    }

    private Optional<Lane> lane(String contender) {
        return race.lanes().stream()
                .filter(lane -> lane.subject().contender().equals(contender))
                .filter(lane -> lane.subject().client() == Client.SYNC)
                .findFirst();
    }

    private boolean hasRun(Lane lane) {
        return lane.nanos().getTotalCount() > 0;
    }
}
