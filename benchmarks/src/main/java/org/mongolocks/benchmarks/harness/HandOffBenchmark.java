package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.BenchmarkContext;
import org.mongolocks.benchmarks.peer.OtherLibraries;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.rival.LockImplementation;

/**
 * The benchmark of the hand-off: the time from the release of a lock to the grant to a waiter in another process. The
 * two processes are simulated by two clients that share the connections of one driver and hand the lock back and forth.
 * The first round is a warm-up, at a faster pace.
 *
 * @param peers the locks of other libraries
 */
public record HandOffBenchmark(OtherLibraries peers) implements Benchmark {
    static final String ID = "B5";

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "hand-off to a waiter";
    }

    @Override
    public int weight() {
        return 12;
    }

    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        session.enter(HandOffBaseline.CONTENDER);
        session.enter(NotificationBaseline.CONTENDER);
        try (LocksUnderTest lineup = LocksUnderTest.ofAll(session, peers).after(floors(session))) {
            new HandOffRounds(session, lineup).run(time);
        }
    }

    private static List<LockImplementation> floors(BenchmarkContext session) {
        return Stream.of(Client.values())
                .<LockImplementation>map(client -> new HandOffBaseline(session.bench(), client))
                .toList();
    }
}
