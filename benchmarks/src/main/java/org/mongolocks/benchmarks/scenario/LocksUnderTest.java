package org.mongolocks.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.lock.StrategyLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.spi.LockStrategy;

/**
 * The locks under test in one benchmark. They run in turns, repeatedly.
 *
 * @param session the run
 * @param rivals the locks under test
 */
record LocksUnderTest(BenchmarkContext session, List<LockImplementation> rivals) implements AutoCloseable {
    /** The work of one lock under test in one turn. */
    @FunctionalInterface
    interface Turn {
        void take(LockImplementation rival) throws InterruptedException;
    }

    LocksUnderTest {
        rivals = List.copyOf(rivals);
    }

    /** Returns each strategy with each client. */
    static LocksUnderTest ofStrategies(BenchmarkContext session) {
        List<LockImplementation> rivals = new ArrayList<>();
        for (LockStrategy strategy : session.strategies()) {
            for (Client client : Client.values()) {
                rivals.add(new StrategyLock(session.bench(), strategy, client));
            }
        }
        return new LocksUnderTest(session, rivals);
    }

    /** Returns each strategy with each client, and the locks of other libraries. */
    static LocksUnderTest ofAll(BenchmarkContext session, OtherLibraries peers) {
        return ofStrategies(session).with(peers.enter(session));
    }

    /** Returns a copy with other entries, such as baselines, in front. */
    LocksUnderTest after(List<LockImplementation> first) {
        return new LocksUnderTest(
                session, Stream.concat(first.stream(), rivals.stream()).toList());
    }

    private LocksUnderTest with(List<LockImplementation> others) {
        return new LocksUnderTest(
                session, Stream.concat(rivals.stream(), others.stream()).toList());
    }

    /** Returns the locks that have not failed in this benchmark and that support waiting. */
    List<LockImplementation> thatWait() {
        return stillIn().filter(rival -> rival.waiting().isOffered()).toList();
    }

    /** Runs one turn of each of these locks. A lock that fails is excluded from the rest of this benchmark. */
    void each(List<LockImplementation> some, Turn turn) throws InterruptedException {
        for (LockImplementation rival : some) {
            session.attempt(rival.id(), () -> turn.take(rival));
        }
    }

    Stream<LockImplementation> stillIn() {
        return rivals.stream().filter(rival -> session.isIn(rival.id()));
    }

    @Override
    public void close() {
        rivals.forEach(LockImplementation::close);
    }
}
