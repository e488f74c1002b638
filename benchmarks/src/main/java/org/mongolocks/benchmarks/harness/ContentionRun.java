package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.harness.Visitor.Log;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Mode;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/** Has all take turns at being wanted by more and more. */
final class ContentionRun {
    private static final Duration TURN = Duration.ofMillis(400);

    private record Cell(Rival rival, Crowd crowd) {}

    private final Session session;
    private final Lineup lineup;
    private final Map<Cell, Shares> results = new LinkedHashMap<>();

    ContentionRun(Session session, Lineup lineup) {
        this.session = session;
        this.lineup = lineup;
    }

    void run(Duration time) throws InterruptedException {
        List<Rival> rivals = lineup.thatWait();
        List<Crowd> crowds = crowds(session.mode());
        Rounds rounds = Rounds.within(session, time, rivals.size() * crowds.size(), TURN);
        rounds.each(counts -> {
            for (Crowd crowd : crowds) {
                lineup.each(rivals, rival -> contend(new Cell(rival, crowd), rounds.turn(), counts));
            }
        });
        results.forEach((cell, shares) -> shares.record(session, cell.rival(), cell.crowd()));
    }

    private static List<Crowd> crowds(Mode mode) {
        return switch (mode) {
            case QUICK -> List.of(Crowd.of(1, 0), Crowd.of(64, 0));
            case NORMAL -> waiters(0).toList();
            case FULL -> Stream.of(0, 1, 10).flatMap(ContentionRun::waiters).toList();
        };
    }

    private static Stream<Crowd> waiters(int sectionMillis) {
        return Stream.of(1, 4, 16, 64, 256).map(waiters -> Crowd.of(waiters, sectionMillis));
    }

    private void contend(Cell cell, Duration time, boolean counts) throws InterruptedException {
        Rival rival = cell.rival();
        ProtectedData data = session.bench().protectedData(rival.id());
        try (Party locks = rival.open()) {
            long sentBefore = rival.commands().orElse(0);
            long started = System.nanoTime();
            List<Log> logs = visit(locks, data, cell.crowd(), started + time.toNanos());
            double seconds = (System.nanoTime() - started) / 1e9;
            if (counts) {
                results.computeIfAbsent(cell, unknown -> new Shares())
                        .add(logs, seconds, rival.commands().orElse(0) - sentBefore);
            }
        } finally {
            session.judge(rival.id(), data.violations());
        }
    }

    private static List<Log> visit(Party locks, ProtectedData data, Crowd crowd, long endNanos)
            throws InterruptedException {
        LockRequest request = LockRequest.of("contended-" + UUID.randomUUID(), Workbench.TTL);
        return Together.run(Stream.generate(() -> new Visitor(locks, request, data, crowd.section(), endNanos))
                .limit(crowd.waiters() + 1L)
                .toList());
    }
}
