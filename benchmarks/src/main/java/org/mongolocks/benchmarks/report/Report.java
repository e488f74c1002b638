package org.mongolocks.benchmarks.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.mongolocks.benchmarks.measure.Measurements;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.server.ServerDescription;

/**
 * The results of one run and its conditions.
 *
 * @param startedAt the start time
 * @param elapsed the duration
 * @param inquiry the parameters of the run
 * @param server the server
 * @param machine the machine of the client
 * @param measurements the table of strategies; empty if its benchmark did not run
 * @param findings the results of all benchmarks
 */
public record Report(
        Instant startedAt,
        Duration elapsed,
        RunParameters inquiry,
        ServerDescription server,
        Machine machine,
        Measurements measurements,
        RunResults findings) {

    private static final String TABLE = "B1";
    private static final String CONTENTION = "B6";

    /** Returns the strategies that were measured to the end. */
    List<Measured> measured() {
        return only(Measured.class);
    }

    /** Returns the strategies that were not measured to the end. */
    List<Unmeasured> unmeasured() {
        return only(Unmeasured.class);
    }

    /** Returns whether the table of strategies was measured, on which the recommendation is based. */
    boolean hasTable() {
        return inquiry.only().contains(TABLE);
    }

    /** Returns whether the table includes results under contention. */
    boolean hasContention() {
        return hasTable() && inquiry.only().contains(CONTENTION);
    }

    /** Returns whether no contender violated mutual exclusion and no strategy failed. */
    public boolean isSound() {
        return findings.contenders().stream().noneMatch(contender -> isVoid(contender) || hasFailed(contender));
    }

    /** Returns whether a strategy neither violated mutual exclusion nor failed. */
    boolean isSound(StrategyResult strategy) {
        return findings.contenders().stream()
                .filter(contender -> contender.id().equals(strategy.name()))
                .noneMatch(contender -> isVoid(contender) || hasFailed(contender));
    }

    /** Returns the names of the strategies that violated mutual exclusion. */
    List<String> voided() {
        return findings.contenders().stream()
                .filter(contender -> contender.kind() == Kind.STRATEGY)
                .filter(Report::isVoid)
                .map(LockUnderTest::id)
                .toList();
    }

    private static boolean isVoid(LockUnderTest contender) {
        return contender.verdict().status() == Status.VOID;
    }

    /** Returns whether a strategy failed. Failures of another library or of a baseline are not failures of the run. */
    private static boolean hasFailed(LockUnderTest contender) {
        return contender.kind() == Kind.STRATEGY
                && !contender.verdict().failures().isEmpty();
    }

    private <T extends StrategyResult> List<T> only(Class<T> kind) {
        return measurements.strategies().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }
}
