package org.mongolocks.benchmarks.run;

import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/** The descriptions of the strategies for the results. */
final class StrategyDescriptions {
    private static final String DURABILITY = "majority and journal";

    private StrategyDescriptions() {}

    /** Returns a strategy as an entry of the results: the properties common to all its clients, and its traits. */
    static LockUnderTest of(LockStrategy strategy) {
        LockUnderTest contender = LockUnderTest.of(
                strategy.name(),
                Kind.STRATEGY,
                strategy.name(),
                new Properties(
                        DURABILITY,
                        has(strategy, Trait.STRICT_FENCING) ? "strictly growing" : "growing while clocks agree",
                        "owner and token",
                        clock(strategy),
                        "in a queue; notified by a change stream, otherwise polling",
                        "yes"));
        return contender.with(
                strategy.traits().stream().sorted().map(Trait::name).toList());
    }

    private static String clock(LockStrategy strategy) {
        return has(strategy, Trait.CLOCK_FREE)
                ? "none compared"
                : has(strategy, Trait.SERVER_CLOCK) ? "server's" : "own";
    }

    private static boolean has(LockStrategy strategy, Trait trait) {
        return strategy.traits().contains(trait);
    }
}
