package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.acquire.GrantAcquisitions;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class LastSeenCacheTest {
    private static final LockName SEEN = LockName.of("seen");

    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy();
    private final WaiterQueues queues = Lab.queues(lab.settings(strategy), new ScriptedFeed());
    private final LastSeenCache lastSeen = new LastSeenCache();

    /** An attempt as for a free lock would be refused, and cost a command more. */
    @Test
    void lockThatOthersAwaitedIsForAnotherAfterItsRelease() {
        granted(1, true);

        lastSeen.recordRelease(SEEN);

        assertThat(lastSeen.of(SEEN)).isEqualTo(LastKnownState.HELD);
    }

    @Test
    void theNewestGrantSaysWhetherALockIsContended() {
        granted(1, true);
        granted(2, false);

        lastSeen.recordRelease(SEEN);

        assertThat(lastSeen.of(SEEN)).isEqualTo(LastKnownState.FREE);
    }

    @Test
    void leastRecentlyUsedLockIsRemovedFromTheCache() {
        LockName forgotten = LockName.of("forgotten");
        lastSeen.record(SEEN, LastKnownState.HELD, false);
        lastSeen.record(forgotten, LastKnownState.HELD, false);
        for (int other = 0; other < LastSeenCache.MAX_LOCKS - 1; other++) {
            lastSeen.record(SEEN, LastKnownState.HELD, false);
            lastSeen.record(LockName.of("other-" + other), LastKnownState.HELD, false);
        }

        assertThat(lastSeen.of(SEEN)).isEqualTo(LastKnownState.HELD);
        assertThat(lastSeen.of(forgotten)).isEqualTo(LastKnownState.UNKNOWN);
    }

    @Test
    void writeConflictMarksTheLockAsHeld() {
        strategy.failsToAcquire(Fault.WRITE_CONFLICT).grants(1);

        acquire();

        assertThat(strategy.acquires)
                .extracting(AcquireContext::lastSeen)
                .containsExactly(LastKnownState.UNKNOWN, LastKnownState.HELD);
    }

    @Test
    void releaseOfTheSameClientIsTheLastKnownState() {
        strategy.grants(1);
        acquire();
        lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(true)));

        acquire();

        assertThat(asked().lastSeen()).isEqualTo(LastKnownState.FREE);
    }

    @Test
    void releaseThatFoundNothingDoesNotChangeTheLastKnownState() {
        strategy.grants(1);
        acquire();
        lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(false)));

        acquire();

        assertThat(asked().lastSeen()).isEqualTo(LastKnownState.HELD);
    }

    @Test
    void contentionIsTheLastKnownStateWithoutAnObservation() {
        strategy.contends(Lab.heldBy("other", 1, Optional.of(Duration.ofSeconds(8))));
        acquire();

        acquire();

        assertThat(asked().lastSeen()).isEqualTo(LastKnownState.HELD);
        assertThat(asked().previous()).isEmpty();
    }

    private void granted(long token, boolean isContended) {
        Owner me = new Owner("me", new UUID(0, token));
        lastSeen.recordGrant(new Lease(SEEN, me, token, Duration.ofSeconds(10), 0), isContended);
    }

    private void acquire() {
        Owner owner = new Owner("lab", UUID.randomUUID());
        lab.run(GrantAcquisitions.of(lab.settings(strategy), Lab.request(Duration.ZERO), owner, queues)
                .start());
    }

    private AcquireContext asked() {
        return strategy.acquires.get(strategy.acquires.size() - 1);
    }
}
