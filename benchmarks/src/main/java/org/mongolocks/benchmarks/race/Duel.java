package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Session;

/**
 * A paired benchmark: measures an operation of each strategy, with each client, in alternation with its baseline.
 *
 * @param id the id for {@code --only}
 * @param title what is measured
 * @param weight the share of the run time
 * @param maker creates the measured operations of a strategy
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
