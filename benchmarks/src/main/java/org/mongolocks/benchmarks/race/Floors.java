package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Session;

/**
 * The benchmark of durability: the raw commands of all baselines, with the durability of a lock and with w:1. Their
 * ratio is the cost of durability.
 */
public final class Floors implements Benchmark {
    private static final String ID = "B13";
    private static final int WEIGHT = 8;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "the price of durability";
    }

    @Override
    public int weight() {
        return WEIGHT;
    }

    @Override
    public void run(Session session, Duration time) throws InterruptedException {
        try (Lineup lineup = new Lineup(session, ID);
                Race race = new Race(
                        session, lineup.fields().stream().flatMap(Floors::lanes).toList())) {
            Score score = new Score(session, race.run(time));
            race.lanes().forEach(score::latency);
        }
    }

    private static Stream<Lane> lanes(Field field) {
        return Stream.of(RawFloor.values())
                .map(floor -> field.floor(floor, RawFloor.DURABLE).over(field.floor(floor, RawFloor.FAST)));
    }
}
