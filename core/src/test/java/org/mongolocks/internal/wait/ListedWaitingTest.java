package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.internal.wait.ReleaseEvents.ListMember;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Waiting with a strategy that lists the waiting clients in the lock document. */
class ListedWaitingTest extends ListedWaitingScene {
    /** In the list, or not. */
    private static final int ABSENT = -1;
    /** Part of a filter that leaves out releases. */
    private static final String FAR_BACK = "updateDescription.updatedFields.waiting.4";

    @Test
    void clientIsNotRegisteredUntilEventsAreDelivered() {
        waiter();

        assertThat(newest().registration()).isEmpty();
    }

    @Test
    void clientIsRegisteredByTheFirstAttemptWhileEventsAreDelivered() {
        registeredAt(0, 5);

        assertThat(registration().isFirst()).isFalse();
        assertThat(strategy.acquires).hasSize(2);
    }

    @Test
    void registeredClientDoesNotRegisterAgain() {
        Waiter waiter = registeredAt(0, 5);
        waitsUntilTheLeaseEnds(waiter);

        assertThat(newest().registration()).isEmpty();
    }

    @Test
    void clientAttemptsAtOnceWhenItIsItsTurn() {
        Waiter waiter = registeredAt(0, 5);
        strategy.forget().grants(2);

        feed.tellsOfListedRelease("a", 6, 3, ABSENT);

        assertThat(waiter.wasWoken()).isTrue();
        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.NOTIFIED_FREE);
        assertThat(newest().releasedRevision()).hasValue(6);
        assertThat(newest().registration()).isEmpty();
        assertThat(strategy.calls).doesNotContain("unregister");
    }

    @Test
    void clientSendsNothingWhenItIsTheTurnOfAnother() {
        Waiter waiter = registeredAt(1, 5);

        feed.tellsOfListedRelease("a", 6, 1, 0);

        waiter.looksAgain();
        assertThat(strategy.acquires).hasSize(2);
        assertThat(waiter.delay()).isEqualTo(WaitingListEntry.CLAIM_EXPECTED);
    }

    @Test
    void nextClientAttemptsIfTheOneWhoseTurnItIsDoesNot() {
        Waiter waiter = registeredAt(1, 5);
        feed.tellsOfListedRelease("a", 6, 1, 0);
        waiter.looksAgain();
        strategy.forget().grants(2);

        lab.time.advance(WaitingListEntry.CLAIM_EXPECTED);

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    @Test
    void clientsFurtherBackWaitLonger() {
        Waiter waiter = registeredAt(4, 5);

        feed.tellsOfListedRelease("a", 6, 4, 3);

        assertThat(waiter.looksAgain().delay()).isEqualTo(WaitingListEntry.CLAIM_EXPECTED.multipliedBy(4));
    }

    /** Its event arrives later than the reply to the registration. */
    @Test
    void releaseBeforeTheRegistrationIsIgnored() {
        Waiter waiter = registeredAt(0, 5);

        feed.tellsOfListedRelease("a", 5, 0, ABSENT);

        assertThat(waiter.looksAgain().delay()).isGreaterThan(Duration.ofSeconds(4));
        assertThat(strategy.acquires).hasSize(2);
    }

    /** The event of a release arrives before the reply to the registration that it follows. */
    @Test
    void turnThatComesBeforeTheReplyIsNotMissed() {
        waiter();
        strategy.forget().answers(context -> {
            feed.tellsOfListedRelease("a", 6, 0, ABSENT);
            strategy.forget().grants(2);
            return registered(0, 5);
        });

        openWith(waiters.get(0));

        assertThat(waiters.get(0).isAcquired()).isTrue();
    }

    @Test
    void clientThatLostItsTurnGoesFirst() {
        Waiter waiter = registeredAt(0, 5);
        feed.tellsOfListedRelease("a", 6, 2, ABSENT);
        strategy.forget()
                .answers(context -> Step.done(new LockOutcome.Contended(heldAt(7))))
                .answers(context -> registered(0, 7));

        waiter.looksAgain();

        assertThat(registration().isFirst()).isTrue();
        assertThat(strategy.acquires).hasSize(4);
    }

    /** It may be too slow for its turn, which costs all others time; so it does not get the next turn again and again. */
    @Test
    void clientThatLostItsTurnTwiceGoesLast() {
        Waiter waiter = registeredAt(0, 5);
        feed.tellsOfListedRelease("a", 6, 2, ABSENT);
        strategy.forget()
                .answers(context -> Step.done(new LockOutcome.Contended(heldAt(7))))
                .answers(context -> registered(0, 7))
                .answers(context -> Step.done(new LockOutcome.Contended(heldAt(9))))
                .answers(context -> registered(2, 9))
                .answers(context -> Step.done(new LockOutcome.Contended(heldAt(11))))
                .answers(context -> registered(0, 11));
        waiter.looksAgain();

        feed.tellsOfListedRelease("a", 8, 2, ABSENT);
        waiter.looksAgain();
        assertThat(registration().isFirst()).isFalse();

        feed.tellsOfListedRelease("a", 10, 2, ABSENT);
        waiter.looksAgain();
        assertThat(registration().isFirst()).isTrue();
    }

    /** It would otherwise make attempts beside the client whose turn it is, or acquire the lock before it. */
    @Test
    void clientRegistersWhileALockThatWasJustReleasedIsForAnother() {
        releasedForAnother();
        strategy.forget().answers(context -> registeredWithFreeLock(1, 7));

        Waiter waiter = waiter();

        assertThat(registration().isTurnOfOther()).isTrue();
        assertThat(strategy.acquires).hasSize(4);
        assertThat(waiter.delay()).isEqualTo(WaitingListEntry.BEFORE_JOINING.plus(WaitingListEntry.CLAIM_EXPECTED));
    }

    @Test
    void clientAttemptsIfTheOtherDoesNotAcquireTheReleasedLock() {
        releasedForAnother();
        strategy.forget().answers(context -> registeredWithFreeLock(0, 7));
        Waiter waiter = waiter();
        strategy.forget().grants(3);

        lab.time.advance(WaitingListEntry.BEFORE_JOINING);

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(newest().registration()).isEmpty();
    }

    /** Nobody has a turn after such a release: there is nobody to wait for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientThatRegistersWithALockThatIsForNobodyAttemptsAtOnce(boolean isEventFirst) {
        releasedForAnother();
        strategy.forget().answers(context -> {
            if (isEventFirst) {
                feed.tellsOfUnlistedRelease("a", 9);
            }
            strategy.forget().grants(10);
            return registeredWithFreeLock(0, 9);
        });
        Waiter waiter = waiter();

        if (!isEventFirst) {
            feed.tellsOfUnlistedRelease("a", 9);
        }

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(newest().releasedRevision()).hasValue(9);
        assertThat(newest().registration()).isEmpty();
        assertThat(strategy.calls).endsWith("unregister");
    }

    @Test
    void clientThatRegisteredAfterAReleaseWithoutAListStaysInTheList() {
        Waiter waiter = registeredAt(0, 5);

        feed.tellsOfUnlistedRelease("a", 4);

        assertThat(waiter.looksAgain().delay()).isGreaterThan(Duration.ofSeconds(4));
        assertThat(strategy.acquires).hasSize(2);
    }

    /** Its turn would otherwise pass unused, and nobody would attempt for a while. */
    @Test
    void clientWhoseOldEntryMayHaveBeenRemovedAttemptsAtOnce() {
        Waiter waiter = registeredAt(0, 5);
        feed.tellsOfUnlistedRelease("a", 6);
        strategy.forget().contends(heldAt(7));
        waiter.looksAgain();
        strategy.forget().grants(2);

        feed.tellsOfListedRelease("a", 8, 0, ABSENT);

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(newest().releasedRevision()).hasValue(8);
    }

    @Test
    void releaseDuringAnAttemptThatLosesEveryRaceIsNotMissed() {
        waiter();
        strategy.forget().answers(context -> {
            feed.tellsOfUnlistedRelease("a", 6);
            strategy.forget().grants(2);
            return Step.done(new LockOutcome.Contended(heldAt(5)));
        });

        openWith(waiters.get(0));

        assertThat(waiters.get(0).isAcquired()).isTrue();
    }

    @Test
    void releasedLockIsNotForAnotherForever() {
        releasedForAnother();
        lab.time.advance(WaitingListEntry.CLAIM_EXPECTED);

        waiter();

        assertThat(registration().isTurnOfOther()).isFalse();
    }

    /** Otherwise its entry would get a turn later, which nobody takes. */
    @Test
    void entryThatIsOlderThanTheAttemptThatIsGrantedIsRemoved() {
        releasedForAnother();
        strategy.forget().answers(context -> {
            feed.tells(OperationType.DELETE, "a");
            strategy.forget().contends(heldAt(8)).grants(9);
            return registeredWithFreeLock(0, 7);
        });

        Waiter waiter = waiter();

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(newest().registration()).isPresent();
        assertThat(strategy.calls).endsWith("unregister");
    }

    /** The events of two releases arrive before the reply to the registration, which was executed after them. */
    @Test
    void entryThatIsNewerThanTheEventsIsRemoved() {
        releasedForAnother();
        strategy.forget().answers(context -> {
            feed.tellsOfListedRelease("a", 8, 0, ABSENT);
            feed.tells(OperationType.DELETE, "a");
            feed.tells(OperationType.DELETE, "a");
            strategy.forget().grants(3);
            return registeredWithFreeLock(0, 9);
        });

        Waiter waiter = waiter();

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(strategy.calls).endsWith("unregister");
    }

    /** The event of the own release is still to come. */
    @Test
    void ownReleaseIsForAnotherIfOneWaitedBefore() {
        releasedForAnother();
        strategy.forget().grants(3);
        waiter();
        lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(true)));
        strategy.forget().contends(heldAt(9));

        waiter();

        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.HELD);
        assertThat(registration().isTurnOfOther()).isTrue();
    }

    @Test
    void clientWhoseTurnItIsDoesNotTakeItForThatOfAnother() {
        releasedForAnother();
        strategy.forget().answers(context -> registered(0, 7));
        Waiter waiter = waiter();
        feed.tellsOfListedRelease("a", 8, 1, ABSENT);
        strategy.forget().failsToAcquire(Fault.WRITE_CONFLICT).failsToAcquire(Fault.WRITE_CONFLICT);

        waiter.looksAgain();
        strategy.forget().contends(heldAt(9));
        lab.time.advance(Lab.RETRY);
        waiter.looksAgain();

        assertThat(registration().isTurnOfOther()).isFalse();
    }

    /** Another client has registered meanwhile. */
    @Test
    void conflictInItsTurnIsRepeatedAtOnceButOnlyOnce() {
        Waiter waiter = registeredAt(0, 5);
        feed.tellsOfListedRelease("a", 6, 1, ABSENT);
        strategy.forget().failsToAcquire(Fault.WRITE_CONFLICT).failsToAcquire(Fault.WRITE_CONFLICT);
        int before = strategy.acquires.size();

        waiter.looksAgain();

        assertThat(strategy.acquires).hasSize(before + 2);
        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.NOTIFIED_FREE);
        assertThat(waiter.delay()).isPositive();
    }

    @Test
    void clientOutsideTheListJoinsItALittleLater() {
        waiter();
        strategy.forget().contends(heldAt(5));
        openWith(waiters.get(0));
        int attempts = strategy.acquires.size();
        strategy.forget().answers(context -> registered(1, 7));

        feed.tellsOfListedRelease("a", 6, 1, ABSENT);
        waiters.get(0).looksAgain();
        assertThat(strategy.acquires).hasSize(attempts);
        lab.time.advance(WaitingListEntry.BEFORE_JOINING.multipliedBy(2));
        waiters.get(0).looksAgain();

        assertThat(newest().registration()).isPresent();
    }

    @Test
    void releaseWithoutAListWakesEveryClient() {
        Waiter waiter = registeredAt(3, 5);

        feed.tells(OperationType.DELETE, "a");

        assertThat(waiter.wasWoken()).isTrue();
        waiter.looksAgain();
        assertThat(strategy.acquires.get(2).registration()).isEmpty();
        assertThat(strategy.acquires.get(3).registration()).isPresent();
    }

    @Test
    void newStreamMakesTheClientRegisterAgain() {
        Waiter waiter = registeredAt(3, 5);

        openWith(waiter);

        assertThat(newest().registration()).isPresent();
    }

    /** Without events its place is not known, and waiting for the turns of so many others would take seconds. */
    @Test
    void clientThatWasFarBackPollsWithoutAStream() {
        Waiter waiter = registeredAt(40, 5);
        strategy.forget().contends(heldAt(5));

        feed.fails(new MongoSocketReadException("gone", new ServerAddress()));

        assertThat(waiter.looksAgain().delay()).isLessThanOrEqualTo(Lab.POLL);
    }

    @Test
    void clientThatWasListedPollsWhileEventsAreLate() {
        Waiter waiter = registeredAt(ListMember.NEAR - 1, 5);
        strategy.forget().contends(heldAt(5));

        releasesWithoutEvent(Step.done(true));

        assertThat(waiter.looksAgain().delay()).isLessThanOrEqualTo(Lab.POLL);
    }

    /** Its old entry would get a turn, which nobody takes. */
    @Test
    void clientThatWaitsForAnotherLockFromNowOnLeavesTheList() {
        Waiter waiter = registeredAt(2, 5);
        strategy.forget().contends(held(LockName.of("b"), 1));

        waitsUntilTheLeaseEnds(waiter);

        assertThat(strategy.calls).contains("unregister");
    }

    @Test
    void clientThatGivesUpLeavesTheList() {
        Waiter waiter = registeredAt(3, 5);

        lab.time.advance(PATIENT);
        waiter.looksAgain();

        assertThat(waiter.isContended()).isTrue();
        assertThat(strategy.calls).endsWith("unregister");
    }

    /** As when the threads of an executor are interrupted together. */
    @Test
    void clientWhoseCallersGiveUpTogetherLeavesTheList() {
        Waiter one = registeredAt(3, 5);
        Waiter other = waiter();

        List<Waiter> aborted =
                Stream.of(one, other).filter(Waiter::needsCompensation).toList();
        aborted.forEach(Waiter::compensates);
        one.leaves();
        other.leaves();

        assertThat(strategy.calls).containsOnlyOnce("unregister");
    }

    @Test
    void clientStaysInTheListWhileAnotherOfItsCallersWaits() {
        Waiter waiter = registeredAt(3, 5);
        lab.time.advance(Duration.ofSeconds(1));
        waiter();

        lab.time.advance(PATIENT.minusSeconds(1));
        waiter.looksAgain();

        assertThat(waiter.isContended()).isTrue();
        assertThat(strategy.calls).doesNotContain("unregister");
    }

    @Test
    void grantWithoutATurnLeavesTheList() {
        Waiter waiter = registeredAt(3, 5);
        strategy.forget().grants(2);

        waitsUntilTheLeaseEnds(waiter);

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(strategy.calls).endsWith("unregister");
    }

    /** Otherwise each handover within one client would cost a registration. */
    @Test
    void callersOfTheClientThatHoldsTheLockDoNotRegister() {
        openWith(waiter());
        strategy.forget().grants(2);
        feed.tells(OperationType.DELETE, "a");
        waiters.get(0).looksAgain();
        strategy.forget().contends(Lab.heldBy("lab/00000000-0000-0000-0000-000000000002", 2, Optional.of(LEASE_LEFT)));

        waiter();

        assertThat(newest().registration()).isEmpty();
    }

    /** Those before it gave up, of which there is no event. */
    @Test
    void clientThatWasFarBackTakesItsTurn() {
        Waiter waiter = registeredAt(40, 5);
        strategy.forget().grants(2);

        feed.tellsOfListedRelease("a", 60, 0, ABSENT);

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    @Test
    void clientFarBackAttemptsWithoutAnEvent() {
        Waiter waiter = registeredAt(6, 5);
        strategy.forget().grants(2);

        lab.time.advance(LEASE_LEFT.plus(WaitingListEntry.CLAIM_EXPECTED.multipliedBy(6)));

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    /** Its event does not come: that is not a late event. */
    @ParameterizedTest
    @ValueSource(ints = {ListMember.NEAR, 100})
    void ownReleaseWhileFarBackIsNoLateEvent(int place) {
        Waiter waiter = registeredAt(place, 5);

        releasesWithoutEvent(Step.done(true));

        assertThat(lag.isLate()).isFalse();
        assertThat(waiter.wasWoken()).isFalse();
    }

    @Test
    void ownReleaseWhileNearIsExpectedInTheStream() {
        Waiter waiter = registeredAt(ListMember.NEAR - 1, 5);

        releasesWithoutEvent(Step.done(true));

        assertThat(lag.isLate()).isTrue();
        assertThat(waiter.wasWoken()).isTrue();
    }

    /** A caller of the client registers while another one releases the lock. */
    @Test
    void ownReleaseAfterTheRegistrationIsNoLateEvent() {
        Waiter waiter = waiter();
        openWith(waiter);
        strategy.forget().answers(context -> registered(30, 5));

        releasesWithoutEvent(new Step.Pause<>(Duration.ofMillis(1), () -> {
            waitsUntilTheLeaseEnds(waiter);
            return Step.done(true);
        }));

        assertThat(newest().registration()).isPresent();
        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void ownReleaseWhileFarBackIsTheTurnOfAnother() {
        Waiter waiter = registeredAt(30, 5);

        releasesWithoutEvent(Step.done(true));
        waitsUntilTheLeaseEnds(waiter);

        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.HELD);
    }

    /** While events are late, each own release is expected in the stream: nothing else ends the polling. */
    @Test
    void timelyEventsEndThePollingOfAClientThatWasFarBack() {
        Waiter waiter = registeredAt(30, 5);
        LockName other = LockName.of("other");
        lab.run(queues.notifyingWaiters(other, Step.done(true)));
        lab.time.advance(Duration.ofSeconds(1));
        feed.tells(OperationType.DELETE, other.value());
        assertThat(lag.isLate()).isTrue();

        for (int release = 0; release < 3; release++) {
            lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(true)));
            feed.tells(OperationType.DELETE, "a");
            waiter.looksAgain();
        }

        assertThat(lag.isLate()).isFalse();
    }

    @Test
    void clientThatAnEventShowsOutsideTheListNeedNotLeaveIt() {
        Waiter waiter = registeredAt(3, 5);
        feed.tells(OperationType.DELETE, "a");
        feed.tells(OperationType.DELETE, "a");
        strategy.forget().grants(2);

        waiter.looksAgain();

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(strategy.calls).doesNotContain("unregister");
    }

    @Test
    void releasesWhileFarBackAreLeftOut() {
        registeredAt(3, 5);

        assertThat(feed.newestFilter()).contains(FAR_BACK);
    }

    /** Callers with fair requests read their queue at each release. */
    @Test
    void fairCallersBesideOthersNeedEachRelease() {
        Waiter waiter = registeredAt(30, 5);

        joinFair();

        assertThat(feed.newestFilter()).doesNotContain(FAR_BACK);
        assertThat(feed.opened()).isEqualTo(2);
        assertThat(feed.closed).isEqualTo(1);
        openWith(waiter);
        joinFair();
        assertThat(feed.opened()).isEqualTo(2);
    }

    @Test
    void fairCallersBesideOthersNeedEachReleaseOfTheAwaitedLocks() {
        registeredAt(30, 5);
        joinFair();
        feed.tellsThatItIsOpen();

        for (int other = 0; other < 100; other++) {
            feed.tells(OperationType.DELETE, "other");
        }

        assertThat(feed.newestFilter()).contains("{\"$in\": [\"a\"]}").doesNotContain(FAR_BACK);
    }

    @Test
    void fairCallersAloneUseTheStreamAsItIs() {
        registeredAt(30, 5);
        waiters.get(0).leaves();

        joinFair();

        assertThat(feed.opened()).isEqualTo(1);
    }

    private void joinFair() {
        queues.joinFair(new org.mongolocks.internal.wait.Waiter(queues, Lab.NAME));
        queues.ensureWatching(Lab.NAME);
    }

    private void releasesWithoutEvent(Step<Boolean> release) {
        lab.run(queues.notifyingWaiters(Lab.NAME, release));
        lab.time.advance(Duration.ofSeconds(1));
        feed.isQuiet();
    }

    private void waitsUntilTheLeaseEnds(Waiter waiter) {
        lab.time.advance(PATIENT.minusSeconds(20));
        waiter.looksAgain();
    }

    /** Held by this client, and released while another one waits; no caller waits. */
    private void releasedForAnother() {
        Waiter waiter = registeredAt(0, 5);
        strategy.forget().grants(2);
        feed.tellsOfListedRelease("a", 6, 1, ABSENT);
        waiter.looksAgain();
        waiter.leaves();
        lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(true)));
        feed.tellsOfListedRelease("a", 7, 0, ABSENT);
    }
}
