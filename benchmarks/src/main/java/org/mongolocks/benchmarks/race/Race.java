package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.mongolocks.benchmarks.measure.Session;

/**
 * An interleaved run of operations: each is measured for a short time between two turns of its baseline, in every round
 * until the time is over. All compared figures are therefore measured close together, in one JVM and through one pool.
 */
final class Race implements AutoCloseable {
    private static final int WARM_UP_SHARE = 6;
    private static final int LAPS = 12;
    private static final Duration SHORTEST_TURN = Duration.ofMillis(5);
    private static final Duration LONGEST_TURN = Duration.ofMillis(150);

    private final Session session;
    private final List<Lane> order;
    private final Set<Lane> lanes;
    private final Laps laps = new Laps();
    private final CostMeter meter = new CostMeter();

    Race(Session session, List<Lane> lanes) {
        this.session = session;
        this.order = Laps.order(lanes);
        this.lanes = new LinkedHashSet<>(order);
    }

    /** Runs a warm-up and then the rounds. A contender that fails is excluded. */
    Laps run(Duration time) throws InterruptedException {
        Duration warmUp = time.dividedBy(WARM_UP_SHARE);
        session.step("warm-up");
        for (Lane lane : lanes) {
            attempt(lane, () -> lane.warmUp(warmUp.dividedBy(lanes.size())));
        }
        session.step("laps");
        Duration rest = time.minus(warmUp);
        Duration turn = turn(rest);
        long started = System.nanoTime();
        do {
            lap(turn);
        } while (isOpen() && System.nanoTime() - started < rest.toNanos());
        Noise.of(lanes, laps).ifPresent(session::drifted);
        return laps;
    }

    /** Returns the operations, baselines included, without duplicates. */
    Set<Lane> lanes() {
        return lanes;
    }

    @Override
    public void close() {
        lanes.forEach(Lane::close);
    }

    /** Returns the time of a turn, within bounds. All contenders may have been excluded. */
    private Duration turn(Duration time) {
        Duration share = time.dividedBy((long) LAPS * Math.max(1, order.size()));
        Duration bounded = share.compareTo(LONGEST_TURN) > 0 ? LONGEST_TURN : share;
        return bounded.compareTo(SHORTEST_TURN) < 0 ? SHORTEST_TURN : bounded;
    }

    /** Returns whether any operation with a baseline is left. */
    private boolean isOpen() {
        return lanes.stream()
                .filter(lane -> lane.floor().isPresent())
                .anyMatch(lane -> session.isIn(lane.subject().contender()));
    }

    private void lap(Duration turn) throws InterruptedException {
        List<Laps.Entry> lap = new ArrayList<>();
        for (Lane lane : order) {
            attempt(lane, () -> lap.add(new Laps.Entry(lane, lane.turn(turn, meter))));
        }
        laps.add(lap);
    }

    private void attempt(Lane lane, Session.Part part) throws InterruptedException {
        session.attempt(lane.subject().contender(), part);
    }
}
