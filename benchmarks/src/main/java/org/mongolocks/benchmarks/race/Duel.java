package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Session;

/**
 * Is a benchmark that has an operation of each strategy, through each client, race with its floor.
 *
 * @param id the name by which it is chosen
 * @param title what is measured
 * @param weight its share of the time
 * @param maker makes the lanes of a strategy
 */
record Duel(String id, String title, int weight, Lineup.Maker maker) implements Benchmark {
    @Override
    public void run(Session session, Duration time) throws InterruptedException {
        try (Lineup lineup = new Lineup(session, id)) {
            List<Lane> lanes = lineup.lanes(maker);
            try (Race race = new Race(session, lanes)) {
                Score score = new Score(session, race.run(time));
                race.lanes().forEach(score::latency);
            }
        }
    }
}
