package org.mongolocks.contract;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.stream.Stream;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/** The strategies of this project, for tests that run with each. */
public final class Shipped {
    private Shipped() {}

    public static Stream<String> names() {
        return LockStrategies.all().stream().map(LockStrategy::name);
    }

    /** Returns a strategy, or skips the test if the server cannot run it. */
    public static LockStrategy supported(String name) {
        LockStrategy strategy = LockStrategies.named(name);
        assumeFalse(
                ServerFinder.found().isStandalone() && strategy.traits().contains(Trait.NEEDS_TRANSACTIONS),
                "A standalone has no transactions");
        return strategy;
    }
}
