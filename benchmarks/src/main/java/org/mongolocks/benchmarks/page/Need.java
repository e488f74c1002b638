package org.mongolocks.benchmarks.page;

import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.mongolocks.benchmarks.result.Contender;

/**
 * A use case of a lock.
 *
 * @param title the use case
 * @param by the compared property, in words
 * @param yardstick the compared figure
 * @param meets whether a contender is suitable at all
 * @param otherwise what to do if no contender is suitable
 */
record Need(String title, String by, Yardstick yardstick, BiPredicate<Results, Contender> meets, String otherwise) {
    private static final Yardstick ALONE = Yardstick.of("B1", "latency");
    private static final String SELDOM = "One lock that is seldom contended";
    private static final String BY_ALONE = "acquire and release alone";
    private static final String NO_TRANSACTIONS = "a standalone server has no transactions";

    static List<Need> all() {
        return List.of(
                anyone(SELDOM, BY_ALONE, ALONE),
                anyone(
                        "One lock that many wait for",
                        "grants a second, most waiters",
                        Yardstick.of("B6", "throughput")),
                anyone("The next in line gets it at once", "hand-off", Yardstick.of("B5", "latency")),
                anyone(
                        "Free again soon after a crash",
                        "recovery from a holder that is gone",
                        new Yardstick("B9", "recovery", Map.of("end", "killed"))),
                anyone("Little load on network and server", "bytes for each grant", Yardstick.of("B10", "bytes")),
                with("STRICT_FENCING", "Fencing tokens that only grow", ""),
                with("CLOCK_FREE", "No clock is trusted", "add optimistic-version-clock-free with --strategies"),
                new Need("A standalone server", BY_ALONE, ALONE, Need::runsStandalone, ""),
                with("MULTI_LOCK", "Several locks in one step, all or none", ""),
                with("SELF_CLEANING", "Unused locks that go by themselves", ""),
                new Need(
                        "Several documents, committed only while the lock is held",
                        BY_ALONE + "; a guarded transaction works with any strategy",
                        ALONE,
                        (results, strategy) -> !results.circumstances().server().isStandalone(),
                        NO_TRANSACTIONS));
    }

    /** Returns what to do if no contender is suitable. */
    String wayOut() {
        return otherwise.isEmpty() ? "" : ": " + otherwise;
    }

    /** Returns whether the use case requires a trait that only some strategies have. */
    boolean isForSome() {
        return yardstick.equals(ALONE) && !title.equals(SELDOM);
    }

    private static Need anyone(String title, String by, Yardstick yardstick) {
        return new Need(title, by, yardstick, (results, strategy) -> true, "");
    }

    private static Need with(String trait, String title, String otherwise) {
        return new Need(
                title, BY_ALONE, ALONE, (results, strategy) -> strategy.traits().contains(trait), otherwise);
    }

    private static boolean runsStandalone(Results results, Contender strategy) {
        return !strategy.traits().contains("NEEDS_TRANSACTIONS");
    }
}
