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
 * Has those that take part in one benchmark, who take turns, again and again.
 *
 * @param session the run
 * @param rivals those that take part
 */
record Lineup(Session session, List<Rival> rivals) implements AutoCloseable {
    /** Is what each has to do in its turn. */
    @FunctionalInterface
    interface Turn {
        void take(Rival rival) throws InterruptedException;
    }

    Lineup {
        rivals = List.copyOf(rivals);
    }

    /** Lines up each strategy with each client. */
    static Lineup ofStrategies(Session session) {
        List<Rival> rivals = new ArrayList<>();
        for (LockStrategy strategy : session.strategies()) {
            for (Client client : Client.values()) {
                rivals.add(new StrategyRival(session.bench(), strategy, client));
            }
        }
        return new Lineup(session, rivals);
    }

    /** Lines up each strategy with each client, and the locks of others. */
    static Lineup ofAll(Session session, Peers peers) {
        return ofStrategies(session).with(peers.enter(session));
    }

    /** Gives the same with others before them. */
    Lineup after(List<Rival> first) {
        return new Lineup(
                session, Stream.concat(first.stream(), rivals.stream()).toList());
    }

    private Lineup with(List<Rival> others) {
        return new Lineup(
                session, Stream.concat(rivals.stream(), others.stream()).toList());
    }

    /** Gives those who have not dropped out and for whom one can wait. */
    List<Rival> thatWait() {
        return stillIn().filter(rival -> rival.waiting().isOffered()).toList();
    }

    /** Has some of them take a turn each. Who fails is out of this benchmark. */
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
