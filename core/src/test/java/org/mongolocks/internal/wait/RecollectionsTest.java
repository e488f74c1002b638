package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.acquire.Acquisition;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.LastSeen;
import org.mongolocks.spi.Step;

class RecollectionsTest {
    private static final LockName SEEN = LockName.of("seen");

    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy();
    private final WaitingRoom room = new WaitingRoom(lab.settings(strategy), new ScriptedFeed());
    private final Recollections recollections = new Recollections();

    @Test
    void aLockThatWasNeverSeenIsUnknown() {
        assertThat(recollections.of(SEEN)).isEqualTo(LastSeen.UNKNOWN);
    }

    @Test
    void theNewestSightCounts() {
        recollections.note(SEEN, LastSeen.HELD);
        recollections.note(SEEN, LastSeen.FREE);

        assertThat(recollections.of(SEEN)).isEqualTo(LastSeen.FREE);
    }

    @Test
    void theLockThatWasNotUsedForLongestIsForgotten() {
        LockName forgotten = LockName.of("forgotten");
        recollections.note(SEEN, LastSeen.HELD);
        recollections.note(forgotten, LastSeen.HELD);
        for (int other = 0; other < Recollections.MOST - 1; other++) {
            recollections.note(SEEN, LastSeen.HELD);
            recollections.note(LockName.of("other-" + other), LastSeen.HELD);
        }

        assertThat(recollections.of(SEEN)).isEqualTo(LastSeen.HELD);
        assertThat(recollections.of(forgotten)).isEqualTo(LastSeen.UNKNOWN);
    }

    @Test
    void theFirstAcquisitionKnowsNothingOfTheLock() {
        strategy.grants(1);

        acquire();

        assertThat(asked().lastSeen()).isEqualTo(LastSeen.UNKNOWN);
    }

    @Test
    void anAcquisitionKnowsThatAnotherOfItsClientWasGrantedTheLock() {
        strategy.grants(1);
        acquire();

        acquire();

        assertThat(asked().lastSeen()).isEqualTo(LastSeen.HELD);
    }

    @Test
    void whoMeetsAnotherInATransactionTakesTheLockForHeld() {
        strategy.failsToAcquire(Fault.WRITE_CONFLICT).grants(1);

        acquire();

        assertThat(strategy.acquires)
                .extracting(AcquireContext::lastSeen)
                .containsExactly(LastSeen.UNKNOWN, LastSeen.HELD);
    }

    @Test
    void anAcquisitionKnowsThatItsClientFreedTheLock() {
        strategy.grants(1);
        acquire();
        lab.run(room.freeing(Lab.NAME, Step.done(true)));

        acquire();

        assertThat(asked().lastSeen()).isEqualTo(LastSeen.FREE);
    }

    @Test
    void aReleaseThatFoundNothingTellsNothing() {
        strategy.grants(1);
        acquire();
        lab.run(room.freeing(Lab.NAME, Step.done(false)));

        acquire();

        assertThat(asked().lastSeen()).isEqualTo(LastSeen.HELD);
    }

    @Test
    void anAcquisitionKnowsThatAnotherClientHadTheLockButNotForHowLong() {
        strategy.contends(Lab.heldBy("other", 1, Optional.of(Duration.ofSeconds(8))));
        acquire();

        acquire();

        assertThat(asked().lastSeen()).isEqualTo(LastSeen.HELD);
        assertThat(asked().previous()).isEmpty();
    }

    private void acquire() {
        Owner owner = new Owner("lab", UUID.randomUUID());
        lab.run(new Acquisition(lab.settings(strategy), Lab.request(Duration.ZERO), owner, room).start());
    }

    private AcquireContext asked() {
        return strategy.acquires.get(strategy.acquires.size() - 1);
    }
}
