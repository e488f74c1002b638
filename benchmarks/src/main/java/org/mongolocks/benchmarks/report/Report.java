package org.mongolocks.benchmarks.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.mongolocks.benchmarks.measure.Measurements;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.benchmarks.measure.StrategyResult.Why;
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

    /** Tells whether no lock was found broken: no violation was seen, and no strategy failed. */
    public boolean isSound() {
        return findings.contenders().stream()
                        .noneMatch(contender -> contender.verdict().status() == Status.VOID)
                && unmeasured().stream().noneMatch(strategy -> strategy.why() == Why.FAILED);
    }

    private <T extends StrategyResult> List<T> only(Class<T> kind) {
        return measurements.strategies().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }
}
