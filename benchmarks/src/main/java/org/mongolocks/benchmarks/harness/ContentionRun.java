package org.mongolocks.benchmarks.harness;

import static org.mongolocks.benchmarks.measure.StrategyResult.Measured.CROWDS;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Mode;
import org.mongolocks.benchmarks.rival.Rival;

/**
 * The rounds of the contention benchmark: in each round, every lock under test runs with every number of waiters. The
 * results of the synchronous client are also part of the table of strategies.
 */
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
        results.forEach(this::record);
    }

    private static List<Crowd> crowds(Mode mode) {
        return switch (mode) {
            case QUICK -> CROWDS.stream().map(waiters -> Crowd.of(waiters, 0)).toList();
            case NORMAL -> waiters(0).toList();
            case FULL -> Stream.of(0, 1, 10).flatMap(ContentionRun::waiters).toList();
        };
    }

    private static Stream<Crowd> waiters(int sectionMillis) {
        return Stream.concat(CROWDS.stream(), Stream.of(256)).map(waiters -> Crowd.of(waiters, sectionMillis));
    }

    private void contend(Cell cell, Duration time, boolean counts) throws InterruptedException {
        Rival rival = cell.rival();
        ProtectedData data = session.bench().protectedData(rival.id());
        try {
            Contended turn = cell.crowd().contend(rival, data, time);
            if (counts) {
                results.computeIfAbsent(cell, unknown -> new Shares()).add(turn);
            }
        } finally {
            session.judge(rival.id(), data.violations());
        }
    }

    private void record(Cell cell, Shares shares) {
        shares.record(session, cell.rival(), cell.crowd());
        if (cell.rival().client() == Client.SYNC && cell.crowd().section().isZero()) {
            session.contended(cell.rival().id(), cell.crowd().waiters(), shares.total());
        }
    }
}
