package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.Registration;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** Acquisitions with a strategy that lists the waiting clients in the lock document. */
abstract class ListedWaitingScene extends WaitingScene {
    ListedWaitingScene() {
        super(new FakeStrategy().listing());
    }

    /** A waiter whose client is in the list, after so many others; the lock had that revision then. */
    final Waiter registeredAt(int place, long revision) {
        Waiter waiter = waiter();
        strategy.forget().answers(context -> registered(place, revision));
        openWith(waiter);
        return waiter;
    }

    final AcquireContext newest() {
        return strategy.acquires.get(strategy.acquires.size() - 1);
    }

    final Registration registration() {
        return newest().registration().orElseThrow();
    }

    static Step<LockOutcome> registeredWithFreeLock(int place, long revision) {
        return Step.done(new LockOutcome.Contended(freeAt(revision), OptionalInt.of(place)));
    }

    static Step<LockOutcome> registered(int place, long revision) {
        return Step.done(new LockOutcome.Contended(heldAt(revision), OptionalInt.of(place)));
    }

    static LockSnapshot freeAt(long revision) {
        return snapshot(Lab.NAME, Optional.empty(), revision, Duration.ZERO);
    }

    /** Stored as held, with a lease that has ended. */
    static LockSnapshot endedAt(long revision) {
        return snapshot(Lab.NAME, Optional.of("other"), revision, Duration.ZERO);
    }

    static LockSnapshot heldAt(long revision) {
        return held(Lab.NAME, revision);
    }

    static LockSnapshot held(LockName name, long revision) {
        return snapshot(name, Optional.of("other"), revision, LEASE_LEFT);
    }

    private static LockSnapshot snapshot(LockName name, Optional<String> owner, long revision, Duration left) {
        return new LockSnapshot(
                name, owner, 1, revision, Optional.empty(), Optional.empty(), Lab.TTL, Optional.of(left));
    }
}
