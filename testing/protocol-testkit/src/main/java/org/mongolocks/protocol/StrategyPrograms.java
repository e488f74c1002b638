package org.mongolocks.protocol;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.mongolocks.Lease;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Step;

/** The programs of a strategy, in each situation in which the engine requests them. */
final class StrategyPrograms {
    private static final Duration SHORT_TIME = Duration.ofMillis(50);
    private static final Duration LONG_TIME = Duration.ofDays(365);

    private StrategyPrograms() {}

    /** Returns the programs that no list of waiters is for. */
    static Map<String, Step<?>> of(LockStrategy strategy, LockDocumentFixtures stored) {
        LockSnapshot held = stored.read(stored.heldBy(ProtocolFixture.OTHER));
        Map<String, Step<?>> programs = new LinkedHashMap<>();
        programs.put("acquire, first attempt", strategy.acquire(ProtocolFixture.firstAttempt()));
        programs.put("acquire, contended before", strategy.acquire(ProtocolFixture.nextAttempt(held, SHORT_TIME)));
        programs.put("acquire, contended for a year", strategy.acquire(ProtocolFixture.nextAttempt(held, LONG_TIME)));
        programs.put(
                "acquire, unused before",
                strategy.acquire(ProtocolFixture.nextAttempt(LockSnapshot.unused(NAME), SHORT_TIME)));
        programs.put("acquire, seen free", strategy.acquire(ProtocolFixture.firstAttempt(LastKnownState.FREE)));
        programs.put("acquire, seen held", strategy.acquire(ProtocolFixture.firstAttempt(LastKnownState.HELD)));
        programs.put(
                "acquire, notified of a release",
                strategy.acquire(ProtocolFixture.firstAttempt(LastKnownState.BECAME_FREE)));
        strategy.acquireAll(ProtocolFixture.firstAttempts()).ifPresent(program -> programs.put("acquire all", program));
        programs.put("renew", strategy.renew(ProtocolFixture.lease(TOKEN)));
        List<Lease> several =
                List.of(ProtocolFixture.lease(TOKEN), ProtocolFixture.lease(ProtocolFixture.OTHER_NAME, TOKEN + 1));
        strategy.renewAll(several).ifPresent(program -> programs.put("renew all", program));
        strategy.releaseAll(several).ifPresent(program -> programs.put("release all", program));
        programs.put("release", strategy.release(NAME, ME, OptionalLong.of(TOKEN)));
        programs.put("release, token unknown", strategy.release(NAME, ME, OptionalLong.empty()));
        programs.put("inspect", strategy.inspect(NAME));
        programs.put("look", strategy.look(NAME, ProtocolFixture.WAITER));
        programs.put(
                "list", strategy.list(LockQuery.all().prefix("$job").heldOnly().instance(ME.instance())));
        programs.put("force-release", strategy.forceRelease(held));
        programs.put("raise tokens", strategy.raiseTokens(LockQuery.all().prefix("$job"), TOKEN + 1));
        return programs;
    }

    /** Returns the programs that change the list of waiters, which the engine requests on MongoDB 4.4 or newer. */
    static Map<String, Step<?>> ofWaiters(LockStrategy strategy) {
        Map<String, Step<?>> programs = new LinkedHashMap<>();
        if (strategy.waitingList().isPresent()) {
            for (Entry entry : Entry.values()) {
                programs.put("acquire, waiter, " + entry, strategy.acquire(ProtocolFixture.attemptOfWaiter(entry)));
            }
            programs.put("unregister", strategy.unregister(NAME, ProtocolFixture.WAITER));
        }
        return programs;
    }
}
