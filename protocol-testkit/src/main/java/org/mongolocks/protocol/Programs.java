package org.mongolocks.protocol;

import static org.mongolocks.protocol.Scene.ME;
import static org.mongolocks.protocol.Scene.NAME;
import static org.mongolocks.protocol.StoredLocks.TOKEN;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.LastSeen;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Step;

/** All programs of a strategy, in each situation in which the engine requests them. */
final class Programs {
    private static final Duration A_MOMENT = Duration.ofMillis(50);
    private static final Duration FOR_EVER = Duration.ofDays(365);

    private Programs() {}

    static Map<String, Step<?>> of(LockStrategy strategy, StoredLocks stored) {
        LockSnapshot held = stored.read(stored.heldBy(Scene.OTHER));
        Map<String, Step<?>> programs = new LinkedHashMap<>();
        programs.put("acquire, first attempt", strategy.acquire(Scene.firstAttempt()));
        programs.put("acquire, contended before", strategy.acquire(Scene.nextAttempt(held, A_MOMENT)));
        programs.put("acquire, contended for ever", strategy.acquire(Scene.nextAttempt(held, FOR_EVER)));
        programs.put(
                "acquire, unused before", strategy.acquire(Scene.nextAttempt(LockSnapshot.unused(NAME), A_MOMENT)));
        programs.put("acquire, seen free", strategy.acquire(Scene.firstAttempt(LastSeen.FREE)));
        programs.put("acquire, seen held", strategy.acquire(Scene.firstAttempt(LastSeen.HELD)));
        programs.put("acquire, notified of a release", strategy.acquire(Scene.firstAttempt(LastSeen.RELEASED)));
        strategy.acquireAll(Scene.firstAttempts()).ifPresent(program -> programs.put("acquire all", program));
        programs.put("renew", strategy.renew(Scene.lease(TOKEN)));
        strategy.renewAll(List.of(Scene.lease(TOKEN), Scene.lease(Scene.OTHER_NAME, TOKEN + 1)))
                .ifPresent(program -> programs.put("renew all", program));
        programs.put("release", strategy.release(NAME, ME, OptionalLong.of(TOKEN)));
        programs.put("release, token unknown", strategy.release(NAME, ME, OptionalLong.empty()));
        programs.put("inspect", strategy.inspect(NAME));
        programs.put(
                "list", strategy.list(LockQuery.all().prefix("$job").heldOnly().instance(ME.instance())));
        programs.put("force-release", strategy.forceRelease(held));
        programs.put("raise tokens", strategy.raiseTokens(LockQuery.all().prefix("$job"), TOKEN + 1));
        return programs;
    }
}
