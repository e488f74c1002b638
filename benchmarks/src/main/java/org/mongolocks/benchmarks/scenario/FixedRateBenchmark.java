package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.sampling.RoundFigures;
import org.mongolocks.benchmarks.sampling.Rounds;
import org.mongolocks.benchmarks.workload.OpenLoopGenerator;

/**
 * The benchmark of acquire and release at a fixed rate, independent of the duration of earlier operations. Each latency
 * is measured from the scheduled start, so that a pause shows in every operation that it delayed.
 */
record FixedRateBenchmark(OtherLibraries peers) implements Scenario {
    private static final Duration TURN = Duration.ofMillis(500);

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        RoundFigures figures = new RoundFigures();
        List<Integer> rates = rates(context.mode());
        try (LocksUnderTest contenders = LocksUnderTest.ofAll(context, peers)) {
            Rounds rounds = Rounds.within(context, time, contenders.contenders().size() * rates.size(), TURN);
            rounds.each(round -> {
                for (int rate : rates) {
                    contenders.each(round.inOrder(contenders.contenders()), contender -> {
                        OpenLoopGenerator arrivals = arrive(contender, rate, rounds.sampleTime());
                        context.judge(contender.id(), arrivals.violations());
                        figures.add(
                                round,
                                context.subject(contender.id(), contender.client())
                                        .with("ratePerSecond", rate),
                                arrivals.nanos());
                    });
                }
            });
        }
        figures.record(context, Estimate::median);
    }

    private static List<Integer> rates(RunLength mode) {
        return switch (mode) {
            case QUICK -> List.of(200);
            case NORMAL -> List.of(100, 400, 1_600);
            case FULL -> List.of(50, 100, 200, 400, 800, 1_600, 3_200);
        };
    }

    private static OpenLoopGenerator arrive(LockImplementation contender, int rate, Duration time)
            throws InterruptedException {
        try (BenchmarkParticipant locks = contender.open()) {
            OpenLoopGenerator arrivals = new OpenLoopGenerator(locks, rate, time);
            arrivals.run();
            return arrivals;
        }
    }
}
