package org.mongolocks.benchmarks.report.choice;

import java.util.List;
import java.util.function.BiPredicate;
import org.mongolocks.benchmarks.result.LockUnderTest;

/**
 * A need, and what decides which strategy serves it.
 *
 * @param criterion what decides among the strategies that are suitable
 * @param isSuitable whether a strategy is suitable at all
 * @param reason why those are, if that decides; empty if the figures do
 * @param known the strategy of this library that is suitable, for a run without one; empty if there is none
 */
public record Need(
        String title,
        Criterion criterion,
        BiPredicate<MeasuredRun, LockUnderTest> isSuitable,
        String reason,
        String known) {
    private static final String CLOCK_FREE = "optimistic-version-clock-free";

    static List<Need> all() {
        return List.of(
                measured("Least time while the lock is free", Criterion.ALONE),
                measured("Many waiters for one lock", Criterion.CONTENDED),
                measured("A waiter gets it soon after a release", Criterion.HAND_OVER),
                measured("Soon free again after a crash", Criterion.RECOVERY),
                measured("Little traffic", Criterion.BYTES),
                with("CLOCK_FREE", "No clock is trusted", "compares no clocks", CLOCK_FREE),
                new Need(
                        "Several locks at once, all or none",
                        Criterion.ALONE,
                        (run, one) -> one.traits().contains("MULTI_LOCK") && !run.isStandalone(),
                        "acquires all in one transaction",
                        "transactional"),
                new Need(
                        "A standalone server",
                        Criterion.ALONE,
                        (run, one) -> MeasuredRun.runsAnywhere(one),
                        "needs no transactions",
                        Choice.DEFAULT),
                with(
                        "CLOCK_FREE",
                        "A look-alike server without update pipelines",
                        "sends none; ./doctor says what yours lacks",
                        CLOCK_FREE));
    }

    /** Returns whether the figures decide among all strategies. */
    boolean isMeasured() {
        return reason.isEmpty();
    }

    private static Need measured(String title, Criterion criterion) {
        return new Need(title, criterion, (run, one) -> true, "", "");
    }

    private static Need with(String trait, String title, String reason, String known) {
        return new Need(title, Criterion.ALONE, (run, one) -> one.traits().contains(trait), reason, known);
    }
}
