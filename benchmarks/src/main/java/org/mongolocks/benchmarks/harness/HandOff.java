package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.peer.Peers;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.rival.Rival;

/**
 * The benchmark of the hand-off: the time from the release of a lock to the grant to a waiter in another process. The
 * two processes are simulated by two clients that share the connections of one driver and hand the lock back and forth.
 * The first round is a warm-up, at a faster pace.
 *
 * @param peers the locks of other libraries
 */
public record HandOff(Peers peers) implements Benchmark {
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
    public void run(Session session, Duration time) throws InterruptedException {
        session.enter(HandOffFloor.CONTENDER);
        session.enter(NotificationFloor.CONTENDER);
        try (Lineup lineup = Lineup.ofAll(session, peers).after(floors(session))) {
            new HandOffRun(session, lineup).run(time);
        }
    }

    private static List<Rival> floors(Session session) {
        return Stream.of(Client.values())
                .<Rival>map(client -> new HandOffFloor(session.bench(), client))
                .toList();
    }
}
