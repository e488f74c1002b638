package org.mongolocks.benchmarks.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.mongolocks.benchmarks.measure.Measurements;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Findings;
import org.mongolocks.benchmarks.result.Verdict.Status;
import org.mongolocks.benchmarks.server.ServerDescription;

/**
 * Is what one run found out, where and when.
 *
 * @param startedAt when it began
 * @param elapsed how long it took
 * @param inquiry what it was asked for
 * @param server the server
 * @param machine the machine that the program ran on
 * @param measurements the table of the strategies, empty if it was not asked for
 * @param findings what all benchmarks found
 */
public record Report(
        Instant startedAt,
        Duration elapsed,
        Inquiry inquiry,
        ServerDescription server,
        Machine machine,
        Measurements measurements,
        Findings findings) {

    private static final String TABLE = "B1";
    private static final String CONTENTION = "B6";

    /** Gives the strategies that were measured to the end. */
    List<Measured> measured() {
        return only(Measured.class);
    }

    /** Gives the strategies that were not. */
    List<Unmeasured> unmeasured() {
        return only(Unmeasured.class);
    }

    /** Tells whether the strategies were compared in a table, which the advice is made of. */
    boolean hasTable() {
        return inquiry.only().contains(TABLE);
    }

    /** Tells whether the table says how the strategies did under contention. */
    boolean hasContention() {
        return hasTable() && inquiry.only().contains(CONTENTION);
    }

    /** Tells whether no lock was found broken: no violation was seen, and no strategy failed. */
    public boolean isSound() {
        return findings.contenders().stream().noneMatch(contender -> isVoid(contender) || hasFailed(contender));
    }

    /** Tells whether a strategy excluded everywhere, and failed nowhere. */
    boolean isSound(StrategyResult strategy) {
        return findings.contenders().stream()
                .filter(contender -> contender.id().equals(strategy.name()))
                .noneMatch(contender -> isVoid(contender) || hasFailed(contender));
    }

    /** Gives the names of the strategies that let two hold a lock at once. */
    List<String> voided() {
        return findings.contenders().stream()
                .filter(contender -> contender.kind() == Kind.STRATEGY)
                .filter(Report::isVoid)
                .map(Contender::id)
                .toList();
    }

    private static boolean isVoid(Contender contender) {
        return contender.verdict().status() == Status.VOID;
    }

    /** Another library, or a floor, may fail: it is not tested here. */
    private static boolean hasFailed(Contender contender) {
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
