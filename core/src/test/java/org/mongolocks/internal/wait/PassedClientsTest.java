package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.Step;

/** Clients before this one in the list that do not take their turns, since they have died or get no events. */
class PassedClientsTest extends ListedWaitingScene {
    private static final String REMOVES_OTHERS = "unregister with those before";
    private static final String REMOVES_ITSELF = "unregister";
    private static final Duration TURN = WaitingListEntry.CLAIM_EXPECTED;

    @BeforeEach
    void readTogether() {
        strategy.readingTogether();
    }

    @Test
    void clientsThatDidNotTakeTheirTurnsAreRemoved() {
        Waiter waiter = registeredAt(3, 5);
        releasedWith(6, 2);
        strategy.shows(freeAt(6)).forget().grants(2);

        lab.time.advance(TURN.multipliedBy(3));

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.NOTIFIED_FREE);
        assertThat(newest().releasedRevision()).hasValue(6);
        assertThat(strategy.calls).endsWith(REMOVES_OTHERS);
    }

    /** The others have taken their turns, without an event for this client. */
    @Test
    void lockThatWasClaimedAndReleasedMeanwhileIsForTheOthers() {
        Waiter waiter = registeredAt(3, 5);
        releasedWith(6, 2);
        strategy.shows(freeAt(8)).forget().grants(2);

        lab.time.advance(TURN.multipliedBy(3));
        waiter.looksAgain();
        assertThat(waiter.delay()).isEqualTo(TURN.multipliedBy(2));

        lab.time.advance(TURN.multipliedBy(2));
        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(strategy.calls).endsWith(REMOVES_OTHERS);
    }

    @Test
    void clientsBeforeThatMayNotHaveHadTheirTurnsAreWaitedForOnce() {
        Waiter waiter = registeredAt(6, 5);
        strategy.shows(freeAt(20)).forget().grants(2);

        lab.time.advance(LEASE_LEFT.plus(TURN.multipliedBy(6)));
        waiter.looksAgain();
        assertThat(waiter.delay()).isEqualTo(TURN.multipliedBy(6));

        lab.time.advance(TURN.multipliedBy(6));
        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    /** The holder has died with the clients that waited first. */
    @Test
    void clientsThatDidNotTakeTheirTurnsAfterTheEndOfALeaseAreRemoved() {
        Waiter waiter = registeredAt(6, 5);
        strategy.shows(endedAt(5)).forget().grants(2);

        lab.time.advance(LEASE_LEFT.plus(TURN.multipliedBy(6)));

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(strategy.calls).endsWith(REMOVES_OTHERS);
    }

    @Test
    void lockThatIsHeldIsWaitedFor() {
        Waiter waiter = registeredAt(3, 5);
        releasedWith(6, 2);
        strategy.shows(heldAt(7)).forget().grants(2);

        lab.time.advance(TURN.multipliedBy(3));
        waiter.looksAgain();

        assertThat(waiter.delay()).isGreaterThan(TURN.multipliedBy(3));
    }

    @Test
    void firstClientAttemptsWithoutALook() {
        Waiter waiter = registeredAt(1, 5);
        releasedWith(6, 0);
        strategy.shows(freeAt(8)).forget().grants(2);

        lab.time.advance(TURN);

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(strategy.calls).endsWith(REMOVES_ITSELF);
    }

    @Test
    void clientThatLosesTheRaceRemovesNoOther() {
        Waiter waiter = registeredAt(3, 5);
        releasedWith(6, 2);
        strategy.shows(freeAt(6)).forget().contends(heldAt(7)).grants(3);
        lab.time.advance(TURN.multipliedBy(3));
        waiter.looksAgain();
        strategy.shows(freeAt(9));

        feed.tellsOfListedRelease("a", 8, 3, -1);

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(strategy.calls).doesNotContain(REMOVES_OTHERS);
    }

    @Test
    void turnThatComesAfterTheLookIsNoReasonToRemoveOthers() {
        Waiter waiter = registeredAt(3, 5);
        releasedWith(6, 2);
        strategy.shows(freeAt(6)).forget().answers(context -> {
            feed.tellsOfListedRelease("a", 8, 2, 1);
            return Step.done(context.acquired(4));
        });

        lab.time.advance(TURN.multipliedBy(3));

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(strategy.calls).endsWith(REMOVES_ITSELF);
    }

    /** Its entry goes with those before it, and the other caller adds a new one. */
    @Test
    void othersAreRemovedAlsoIfAnotherCallerOfTheClientWaits() {
        Waiter waiter = registeredAt(3, 5);
        releasedWith(6, 2);
        waiter();
        strategy.shows(freeAt(6)).forget().grants(2).answers(context -> registered(0, 7));

        lab.time.advance(TURN.multipliedBy(3));

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(strategy.calls).contains(REMOVES_OTHERS);
        waiters.get(1).looksAgain();
        assertThat(registration().isTurnOfOther()).isFalse();
    }

    private void releasedWith(long revision, int place) {
        feed.tellsOfListedRelease("a", revision, place + 1, place);
        waiters.forEach(Waiter::looksAgain);
    }
}
