package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.measure.BenchmarkContext;
import org.mongolocks.benchmarks.measure.ContentionResult;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.RunLength;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.rival.LockImplementation;

/**
 * The rounds of the contention benchmark: in each round, every lock under test runs with every number of waiters. The
 * results of the synchronous client are also part of the summary of the strategies.
 */
final class ContentionRounds {
    private static final Duration TURN = Duration.ofMillis(400);

    private record Cell(LockImplementation rival, ContentionScenario crowd) {}

    private final BenchmarkContext session;
    private final LocksUnderTest lineup;
    private final Map<Cell, FairnessMeter> results = new LinkedHashMap<>();

    ContentionRounds(BenchmarkContext session, LocksUnderTest lineup) {
        this.session = session;
        this.lineup = lineup;
    }

    void run(Duration time) throws InterruptedException {
        List<LockImplementation> rivals = lineup.thatWait();
        List<ContentionScenario> crowds = crowds(session.mode());
        Rounds rounds = Rounds.within(session, time, rivals.size() * crowds.size(), TURN);
        rounds.each(counts -> {
            for (ContentionScenario crowd : crowds) {
                lineup.each(rivals, rival -> contend(new Cell(rival, crowd), rounds.turn(), counts));
            }
        });
        results.forEach(this::record);
    }

    private static List<ContentionScenario> crowds(RunLength mode) {
        return switch (mode) {
            case QUICK ->
                StrategySummary.WAITERS.stream()
                        .map(waiters -> ContentionScenario.of(waiters, 0))
                        .toList();
            case NORMAL -> waiters(0).toList();
            case FULL -> Stream.of(0, 1, 10).flatMap(ContentionRounds::waiters).toList();
        };
    }

    private static Stream<ContentionScenario> waiters(int sectionMillis) {
        return Stream.concat(StrategySummary.WAITERS.stream(), Stream.of(256))
                .map(waiters -> ContentionScenario.of(waiters, sectionMillis));
    }

    private void contend(Cell cell, Duration time, boolean counts) throws InterruptedException {
        LockImplementation rival = cell.rival();
        ProtectedData data = session.bench().protectedData(rival.id());
        try {
            ContentionResult turn = cell.crowd().contend(rival, data, time);
            if (counts) {
                results.computeIfAbsent(cell, unknown -> new FairnessMeter()).add(turn);
            }
        } finally {
            session.judge(rival.id(), data.violations());
        }
    }

    private void record(Cell cell, FairnessMeter shares) {
        shares.record(session, cell.rival(), cell.crowd());
        boolean isInSummary = cell.rival().client() == Client.SYNC
                && cell.crowd().section().isZero()
                && StrategySummary.WAITERS.contains(cell.crowd().waiters());
        if (isInSummary) {
            shares.summarize(session, cell.rival(), cell.crowd());
        }
    }
}
