package org.mongolocks.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.peer.Peers;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.rival.Rival;
import org.mongolocks.benchmarks.rival.StrategyRival;
import org.mongolocks.spi.LockStrategy;

/**
 * The locks under test in one benchmark. They run in turns, repeatedly.
 *
 * @param session the run
 * @param rivals the locks under test
 */
record Lineup(Session session, List<Rival> rivals) implements AutoCloseable {
    /** The work of one lock under test in one turn. */
    @FunctionalInterface
    interface Turn {
        void take(Rival rival) throws InterruptedException;
    }

    Lineup {
        rivals = List.copyOf(rivals);
    }

    /** Returns each strategy with each client. */
    static Lineup ofStrategies(Session session) {
        List<Rival> rivals = new ArrayList<>();
        for (LockStrategy strategy : session.strategies()) {
            for (Client client : Client.values()) {
                rivals.add(new StrategyRival(session.bench(), strategy, client));
            }
        }
        return new Lineup(session, rivals);
    }

    /** Returns each strategy with each client, and the locks of other libraries. */
    static Lineup ofAll(Session session, Peers peers) {
        return ofStrategies(session).with(peers.enter(session));
    }

    /** Returns a copy with other entries, such as baselines, in front. */
    Lineup after(List<Rival> first) {
        return new Lineup(
                session, Stream.concat(first.stream(), rivals.stream()).toList());
    }

    private Lineup with(List<Rival> others) {
        return new Lineup(
                session, Stream.concat(rivals.stream(), others.stream()).toList());
    }

    /** Returns the locks that have not failed in this benchmark and that support waiting. */
    List<Rival> thatWait() {
        return stillIn().filter(rival -> rival.waiting().isOffered()).toList();
    }

    /** Runs one turn of each of these locks. A lock that fails is excluded from the rest of this benchmark. */
    void each(List<Rival> some, Turn turn) throws InterruptedException {
        for (Rival rival : some) {
            session.attempt(rival.id(), () -> turn.take(rival));
        }
    }

    Stream<Rival> stillIn() {
        return rivals.stream().filter(rival -> session.isIn(rival.id()));
    }

    @Override
    public void close() {
        rivals.forEach(Rival::close);
    }
}
