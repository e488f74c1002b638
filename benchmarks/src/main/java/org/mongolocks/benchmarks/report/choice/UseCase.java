package org.mongolocks.benchmarks.report.choice;

import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.mongolocks.benchmarks.result.LockUnderTest;

/**
 * A use case of a lock.
 *
 * @param title the use case
 * @param by the compared property, in words
 * @param metric the compared figure
 * @param meets whether a contender is suitable at all
 * @param otherwise the advice if no strategy of the run is suitable
 */
public record UseCase(
        String title,
        String by,
        UseCaseMetric metric,
        BiPredicate<MeasuredRun, LockUnderTest> meets,
        String otherwise) {
    private static final String SELDOM_CONTENDED = "One lock that is seldom contended";
    private static final String BY_ALONE = "acquire and release alone";
    private static final String NO_TRANSACTIONS = "a standalone server has no transactions";

    private static final String ADD = "add %s with --strategies";
    private static final String COUNTER = ADD.formatted("findandmodify-counter");

    static List<UseCase> all() {
        return List.of(
                forAll(SELDOM_CONTENDED, BY_ALONE, UseCaseMetric.ALONE),
                forAll("One lock that many wait for", "grants a second, most waiters", UseCaseMetric.CONTENDED),
                forAll("The next in line gets it at once", "hand-off", UseCaseMetric.of("B5", "latency")),
                forAll(
                        "Free again soon after a crash",
                        "recovery from a holder that is gone",
                        new UseCaseMetric("B9", "recovery", Map.of("end", "killed"))),
                forAll("Little load on network and server", "bytes for each grant", UseCaseMetric.of("B10", "bytes")),
                with("STRICT_FENCING", "Fencing tokens that only grow", COUNTER),
                with("CLOCK_FREE", "No clock is trusted", ADD.formatted("optimistic-version-clock-free")),
                new UseCase("A standalone server", BY_ALONE, UseCaseMetric.ALONE, UseCase::runsStandalone, COUNTER),
                with("MULTI_LOCK", "Several locks in one step, all or none", ADD.formatted("transactional")),
                with("SELF_CLEANING", "Unused locks that go by themselves", ADD.formatted("insert-unique")),
                new UseCase(
                        "Several documents, committed only while the lock is held",
                        BY_ALONE + "; a guarded transaction works with any strategy",
                        UseCaseMetric.ALONE,
                        (run, strategy) -> !run.isStandalone(),
                        NO_TRANSACTIONS));
    }

    /** Returns whether the use case requires a trait that only some strategies have. */
    boolean isForSome() {
        return metric.equals(UseCaseMetric.ALONE) && !title.equals(SELDOM_CONTENDED);
    }

    private static UseCase forAll(String title, String by, UseCaseMetric metric) {
        return new UseCase(title, by, metric, (run, strategy) -> true, COUNTER);
    }

    private static UseCase with(String trait, String title, String otherwise) {
        return new UseCase(
                title,
                BY_ALONE,
                UseCaseMetric.ALONE,
                (run, strategy) -> strategy.traits().contains(trait),
                otherwise);
    }

    private static boolean runsStandalone(MeasuredRun run, LockUnderTest strategy) {
        return !strategy.traits().contains("NEEDS_TRANSACTIONS");
    }
}
