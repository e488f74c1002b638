package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.measure.Alone;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Comparison;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of an uncontended lock: acquire and release. The results of the synchronous client are also part of the
 * table of strategies.
 */
public final class Uncontended implements Benchmark {
    private static final String ID = "B1";
    private static final int COUNTING_SHARE = 8;
    private static final int WEIGHT = 16;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "acquire and release, and the table";
    }

    @Override
    public int weight() {
        return WEIGHT;
    }

    @Override
    public void run(Session session, Duration time) throws InterruptedException {
        Duration counting = time.dividedBy(COUNTING_SHARE);
        try (Lineup lineup = new Lineup(session, ID)) {
            List<Lane> lanes = lineup.lanes(Uncontended::lanes);
            try (Race race = new Race(session, lanes)) {
                Laps laps = race.run(time.minus(counting));
                Score score = new Score(session, laps);
                race.lanes().forEach(score::latency);
                compare(session, counting, new Table(race, laps));
            }
        }
    }

    private static List<Lane> lanes(Field field, LockStrategy strategy) throws InterruptedException {
        OwnLock lock = field.ownLock(strategy, field.locks(strategy));
        Lane lane = Lane.of(field.subject(strategy.name()), lock::acquireAndRelease);
        return List.of(lane.over(field.floor(RawFloor.of(strategy))), field.floor(RawFloor.TWO_FIND_AND_MODIFY));
    }

    private static void compare(Session session, Duration time, Table table) throws InterruptedException {
        Map<String, Alone> alone = new HashMap<>();
        for (LockStrategy strategy : session.strategies()) {
            table.alone(strategy).ifPresent(figures -> alone.put(strategy.name(), figures));
        }
        new Comparison(session, time, alone).run(table.floor());
    }
}
