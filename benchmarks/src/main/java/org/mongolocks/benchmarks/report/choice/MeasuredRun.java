package org.mongolocks.benchmarks.report.choice;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.choice.UseCaseMetric.Figures;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;

/**
 * A run, as far as strategies are chosen by it.
 *
 * @param contenders the contenders
 * @param figures their figures
 * @param isStandalone whether the server is neither a replica set nor a sharded cluster
 * @param benchmarks the ids of the benchmarks that ran; empty means all
 * @param minutes the planned time of all benchmarks together
 */
public record MeasuredRun(
        List<LockUnderTest> contenders,
        Figures figures,
        boolean isStandalone,
        List<String> benchmarks,
        double minutes) {
    public MeasuredRun {
        contenders = List.copyOf(contenders);
        benchmarks = List.copyOf(benchmarks);
    }

    Stream<LockUnderTest> strategies() {
        return contenders.stream().filter(contender -> contender.kind() == Kind.STRATEGY);
    }

    /** Returns the strategies that were measured and did not violate mutual exclusion. */
    Stream<LockUnderTest> sound() {
        return strategies().filter(contender -> contender.verdict().status() == Status.MEASURED);
    }
}
