package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spi.LockStrategy.CLAIM_TIME;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.EventLag;
import org.mongolocks.internal.wait.ReleaseEvents.Numbers;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Turn;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Waiting with a strategy that keeps a list of waiters in the lock document. */
class ListedWaitingTest extends WaitingScene {
    private static final Duration LONG_LEASE = Duration.ofHours(1);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final long OTHER = -7;
    private static final LockSnapshot HELD_HERE = Lab.heldBy(Lab.OWNER.stored(), 5, Optional.of(LONG_LEASE));

    ListedWaitingTest() {
        super(new FakeStrategy().listing());
    }

    @Test
    void firstAttemptForALockOfUnknownStateJoinsTheList() {
        waiter();

        assertThat(strategy.acquires).hasSize(1);
        assertThat(entry()).contains(Entry.ADD);
    }

    @Test
    void attemptForALockThatWasSeenFreeIsMadeWithoutTheListAndThenJoinsIt() {
        queues.recordState(Lab.NAME, LastKnownState.FREE, false);

        waiter();

        assertThat(strategy.acquires).hasSize(2);
        assertThat(strategy.acquires.get(0).waiter()).isEmpty();
        assertThat(entry()).contains(Entry.ADD);
    }

    @Test
    void waiterThatIsFirstInTheEventAttemptsAtOnce() {
        Waiter waiter = listedAt(1);
        strategy.forget().grants(2);

        feed.tellsOfTurn("a", 6, number());

        assertThat(waiter.wasWoken()).isTrue();
        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.BECAME_FREE);
        assertThat(newest().releasedRevision()).hasValue(6);
        assertThat(looks()).isZero();
        assertThat(strategy.unregistered).isEmpty();
    }

    @Test
    void waiterBehindOthersInTheEventReadsWhenTheseHaveHadTimeForTheirClaims() {
        Waiter waiter = listedAt(2);
        int attempts = strategy.acquires.size();
        strategy.shows(freeAt(6), Turn.ofFree(2, CLAIM_TIME.multipliedBy(2)))
                .forget()
                .grants(2);

        feed.tellsOfTurn("a", 6, OTHER, OTHER - 1, number());
        assertThat(waiter.looksAgain().delay()).isEqualTo(CLAIM_TIME.multipliedBy(2));
        assertThat(strategy.acquires).hasSize(attempts);
        lab.time.advance(CLAIM_TIME.multipliedBy(2));

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(looks()).isOne();
        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.BECAME_FREE);
    }

    @Test
    void waiterThatReadsAHeldLockWaitsOn() {
        Waiter waiter = listedAt(1);
        int attempts = strategy.acquires.size();
        strategy.shows(heldAt(7), Turn.ofHeld(0, LEASE_LEFT));
        feed.tellsOfTurn("a", 6, OTHER, number());
        waiter.looksAgain();

        lab.time.advance(CLAIM_TIME);

        assertThat(waiter.looksAgain().delay()).isEqualTo(LEASE_LEFT);
        assertThat(strategy.acquires).hasSize(attempts);
    }

    @Test
    void eventOfAnotherWaiterAloneWakesNobody() {
        Waiter waiter = listedAt(1);

        feed.tellsOfTurn("a", 6, OTHER);

        assertThat(waiter.wasWoken()).isFalse();
    }

    @Test
    void firstWaiterAttemptsAtTheEndOfTheLease() {
        Waiter waiter = listedAt(0);
        strategy.forget().grants(2);

        lab.time.advance(LEASE_LEFT.minus(MOMENT));
        assertThat(waiter.looksAgain().delay()).isEqualTo(MOMENT);
        lab.time.advance(MOMENT);

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(looks()).isZero();
    }

    /** All who were before it may have given up, of which it knows nothing. */
    @ParameterizedTest
    @CsvSource({"3, 3", "1000, 250"})
    void waiterBehindOthersReadsSoonAfterTheEndOfTheLease(int position, int laterMillis) {
        listedAt(position, Duration.ofMillis(1_500));
        Waiter waiter = waiters.get(0);
        strategy.shows(freeAt(5), Turn.ofFree(0, MOMENT)).forget().grants(2);

        assertThat(waiter.delay()).isEqualTo(Duration.ofMillis(1_500 + laterMillis));
        lab.time.advance(waiter.delay());

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(looks()).isOne();
    }

    @Test
    void waiterWhoseLockIsHeldByItsOwnClientAloneJoinsNoList() {
        Waiter waiter = waiterOfTheHolder();
        strategy.forget().grants(3);

        lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(true)));

        assertThat(waiter.wasWoken()).isTrue();
        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.FREE);
    }

    @Test
    void waiterOfTheHolderLooksAndJoinsTheListWhenTheReleaseFindsTheLockLost() {
        Waiter waiter = waiterOfTheHolder();
        strategy.forget().contends(heldAt(5), Turn.ofHeld(0, LONG_LEASE));

        lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(false)));

        assertThat(waiter.wasWoken()).isTrue();
        waiter.looksAgain();
        assertThat(newest().waiter()).map(AcquireContext.Waiter::unlessAcquired).hasValue(Entry.ADD);
    }

    @Test
    void fairWaiterJoinsTheListAlsoIfItsOwnClientHoldsTheLock() {
        waiterOfTheHolder();

        waiter(Lab.request(PATIENT).fair());

        assertThat(entry()).contains(Entry.ADD);
    }

    /** While this client holds the lock, others that wait for it have joined the list. */
    @Test
    void localWaiterJoinsTheListAfterAGrantThatShowsOthers() {
        Waiter first = listedAt(0);
        waiter();
        strategy.forget()
                .answers(context ->
                        Step.done(new LockOutcome.Acquired(context.acquired(2).lease(), 1, Duration.ZERO)))
                .contends(HELD_HERE, Turn.ofHeld(1, LONG_LEASE));
        feed.tellsOfTurn("a", 6, number());

        assertThat(first.looksAgain().isAcquired()).isTrue();
        first.leaves();
        waiters.get(1).looksAgain();

        assertThat(entry()).contains(Entry.ADD);
    }

    @Test
    void nearWaiterLooksRarelyWhileEventsShowItsTurn() {
        Waiter waiter = listedAt(3, LONG_LEASE);

        assertThat(waiter.delay()).isBetween(Duration.ofMillis(4_500), Duration.ofSeconds(9));
    }

    /** No event shows it that those before it have died, or gave up. */
    @Test
    void waiterFarBackLooksMoreOften() {
        Waiter waiter = listedAt(4, LONG_LEASE);
        strategy.shows(heldAt(5), Turn.ofHeld(4, LONG_LEASE));

        assertThat(waiter.delay()).isEqualTo(Duration.ofMillis(2_200));
        lab.time.advance(waiter.delay());

        assertThat(waiter.looksAgain().delay()).isEqualTo(Duration.ofMillis(2_200));
        assertThat(looks()).isOne();
    }

    @Test
    void waiterFarBackLooksLessOftenWhileItMovesUp() {
        Waiter waiter = listedAt(30, LONG_LEASE);
        strategy.shows(heldFor(7, LONG_LEASE), Turn.ofHeld(28, LONG_LEASE));
        lab.time.advance(Duration.ofMillis(200));
        openWith(waiter);
        assertThat(waiter.delay()).isEqualTo(Duration.ofMillis(4_400));

        strategy.shows(heldFor(8, LONG_LEASE), Turn.ofHeld(28, LONG_LEASE));
        lab.time.advance(Duration.ofMillis(4_400));
        waiter.looksAgain();

        assertThat(waiter.delay()).as("nobody has had its turn").isEqualTo(Duration.ofMillis(2_200));
    }

    @ParameterizedTest
    @CsvSource({"0, 160", "3, 160", "4, 400"})
    @Tag("finds:poller-starves")
    void waiterThatNoEventReachesPollsWithinTheTimeForItsClaim(int position, long millis) {
        lab.poll = Duration.ofMillis(640);
        strategy.forget().contends(heldAt(5), Turn.ofHeld(position, LONG_LEASE));

        assertThat(waiter().delay()).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void waiterThatPollsBeginsAgainWithShortPausesWhenItMovesUp() {
        lab.poll = Duration.ofMillis(10);
        lab.pollGrowth = 2;
        strategy.forget().contends(heldAt(5), Turn.ofHeld(2, LONG_LEASE)).shows(heldAt(5), Turn.ofHeld(2, LONG_LEASE));
        Waiter waiter = waiter();
        assertThat(waiter.delay()).isEqualTo(Duration.ofMillis(30));

        lab.time.advance(waiter.delay());
        assertThat(waiter.looksAgain().delay()).as("nobody has had its turn").isEqualTo(Duration.ofMillis(60));

        strategy.shows(heldAt(6), Turn.ofHeld(1, LONG_LEASE));
        lab.time.advance(waiter.delay());
        assertThat(waiter.looksAgain().delay()).as("one has").isEqualTo(Duration.ofMillis(20));
    }

    /** The list is full. */
    @Test
    void waiterOutsideTheListPollsByAttempts() {
        Waiter waiter = waiter();
        strategy.forget().contends(heldAt(5)).shows(heldAt(5));
        openWith(waiter);
        int attempts = strategy.acquires.size();
        int looks = looks();

        lab.time.advance(waiter.delay());
        waiter.looksAgain();

        assertThat(strategy.acquires).hasSize(attempts + 1);
        assertThat(entry()).contains(Entry.ADD);
        assertThat(looks()).isEqualTo(looks);
        assertThat(waiter.delay()).isBetween(MOMENT, EventLag.MAX_TIMELY);
    }

    /** A grant to one behind it has removed it, as it got no event in time. */
    @Test
    void waiterThatIsNoLongerInTheListJoinsItAtOnce() {
        Waiter waiter = listedAt(2, LONG_LEASE);
        int attempts = strategy.acquires.size();
        strategy.shows(heldAt(9));

        lab.time.advance(waiter.delay());
        waiter.looksAgain();

        assertThat(strategy.acquires).hasSize(attempts + 1);
        assertThat(entry()).contains(Entry.ADD);
    }

    @Test
    void eventOfAnEarlierReleaseIsIgnored() {
        Waiter waiter = listedAt(0);

        feed.tellsOfTurn("a", 4, number());

        assertThat(waiter.looksAgain().delay()).isEqualTo(LEASE_LEFT);
    }

    @Test
    void eventDuringAnAttemptIsHandledAfterItsReply() {
        waiter();
        strategy.forget().answers(context -> {
            feed.tellsOfTurn("a", 6, number());
            strategy.forget().grants(2);
            return Step.done(new LockOutcome.Contended(heldAt(5), Optional.of(Turn.ofHeld(0, LEASE_LEFT))));
        });

        openWith(waiters.get(0));

        assertThat(waiters.get(0).isAcquired()).isTrue();
    }

    @Test
    void eventDuringAnAttemptThatIsAbandonedIsLeftToTheNextWaiter() {
        Waiter abandoned = listedAt(0);
        Waiter next = waiter();
        strategy.forget()
                .answers(context -> new Step.Pause<>(Lab.TTL, () -> FakeStrategy.fails(Fault.AMBIGUOUS)))
                .grants(2);
        lab.time.advance(LEASE_LEFT);
        abandoned.looksAgain();

        feed.tellsOfTurn("a", 6, number());
        abandoned.leaves();

        assertThat(next.looksAgain().isAcquired()).isTrue();
        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.BECAME_FREE);
        assertThat(newest().releasedRevision()).hasValue(6);
    }

    @Test
    void eventDuringAReadOfAFreeLockMakesTheAttemptAClaim() {
        Waiter waiter = listedAt(1, LONG_LEASE);
        long number = number();
        strategy.shows(freeWithoutWaitersAt(8))
                .whenRead(() -> feed.tellsOfTurn("a", 6, number))
                .forget()
                .failsToAcquire(Fault.WRITE_CONFLICT)
                .grants(2);

        lab.time.advance(waiter.delay());

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.BECAME_FREE);
        assertThat(newest().releasedRevision()).as("the read may be newer").isEmpty();
    }

    /** A release between the reply and the opening has no event. */
    @Test
    void streamThatOpensDuringAnAttemptIsAReasonForALook() {
        Waiter waiter = listedAt(0);
        strategy.forget().answers(context -> {
            feed.tellsThatItIsOpen();
            strategy.forget().grants(2);
            return Step.done(new LockOutcome.Contended(heldAt(5), Optional.of(Turn.ofHeld(0, LONG_LEASE))));
        });

        lab.time.advance(LEASE_LEFT);

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    @Test
    void streamThatOpensDuringALookIsAReasonForAnother() {
        Waiter waiter = listedAt(1, LONG_LEASE);
        int attempts = strategy.acquires.size();
        strategy.shows(heldAt(5), Turn.ofHeld(0, LONG_LEASE)).whenRead(feed::tellsThatItIsOpen);

        lab.time.advance(waiter.delay());
        waiter.looksAgain();

        assertThat(looks()).isEqualTo(2);
        assertThat(strategy.acquires).hasSize(attempts);
    }

    @Test
    void claimThatConflictsWithAnotherWriteIsRepeatedAtOnceButOnlyOnce() {
        Waiter waiter = listedAt(0);
        int before = strategy.acquires.size();
        strategy.forget().failsToAcquire(Fault.WRITE_CONFLICT).failsToAcquire(Fault.WRITE_CONFLICT);
        feed.tellsOfTurn("a", 6, number());

        waiter.looksAgain();

        assertThat(strategy.acquires).hasSize(before + 2);
        assertThat(newest().lastSeen()).isEqualTo(LastKnownState.BECAME_FREE);
        assertThat(waiter.delay()).isPositive();
    }

    /** After such a release, an event shows the end of the lease that is left. */
    @Test
    void firstWaiterAttemptsWhenTheMinimumHoldHasPassed() {
        Waiter waiter = listedAt(0, LONG_LEASE);
        strategy.forget().grants(2);
        feed.tellsOfTurn("a", 6, Duration.ofSeconds(2), number(), OTHER);

        assertThat(waiter.looksAgain().delay()).isEqualTo(Duration.ofSeconds(2));
        lab.time.advance(Duration.ofSeconds(2));

        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    @Test
    void waitersOfAClientShareANumberAndOnlyTheFirstAttempts() {
        listedAt(0);
        long shared = number();
        int attempts = strategy.acquires.size();

        waiter();

        assertThat(strategy.acquires).hasSize(attempts);
        waiters.get(0).leaves();
        strategy.forget().grants(2);
        feed.tellsOfTurn("a", 6, shared);
        assertThat(waiters.get(1).looksAgain().isAcquired()).isTrue();
    }

    @Test
    void eachFairWaiterHasANumberOfItsOwn() {
        LockRequest fair = Lab.request(PATIENT).fair();
        listedAt(0);
        waiter(fair);
        waiter(fair);

        List<Long> numbers = strategy.acquires.stream()
                .map(context -> context.waiter().orElseThrow().number())
                .distinct()
                .toList();

        assertThat(numbers).hasSize(3);
        long first = queues.numbers().orElseThrow().first();
        assertThat(numbers).allMatch(number -> number >= first && number < first + Numbers.COUNT);
    }

    @Test
    void eventGivesEachFairWaiterItsOwnTurn() {
        openStream();
        strategy.forget().contends(heldAt(5), Turn.ofHeld(0, LONG_LEASE));
        Waiter first = waiter(Lab.request(PATIENT).fair());
        long firstNumber = number();
        strategy.forget().contends(heldAt(5), Turn.ofHeld(1, LONG_LEASE));
        Waiter second = waiter(Lab.request(PATIENT).fair());
        long secondNumber = number();
        strategy.forget().grants(2);

        feed.tellsOfTurn("a", 6, firstNumber, secondNumber);

        assertThat(first.looksAgain().isAcquired()).isTrue();
        assertThat(second.looksAgain().delay()).isEqualTo(CLAIM_TIME);
    }

    @Test
    void ownReleaseIsLeftToTheEventIfTheWaiterIsInTheList() {
        Waiter waiter = listedAt(2);

        lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(true)));

        assertThat(waiter.wasWoken()).isFalse();
    }

    @Test
    void ownReleaseWakesAWaiterThatNoEventReaches() {
        strategy.forget().contends(heldAt(5), Turn.ofHeld(2, LONG_LEASE));
        Waiter waiter = waiter();

        lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(true)));

        assertThat(waiter.wasWoken()).isTrue();
    }

    @Test
    void lastAttemptAtTheDeadlineRemovesTheEntry() {
        Waiter waiter = listedAt(0, LONG_LEASE);
        strategy.forget().contends(heldAt(5));

        lab.time.advance(PATIENT);
        waiter.looksAgain();

        assertThat(waiter.isContended()).isTrue();
        assertThat(entry()).contains(Entry.REMOVE);
        assertThat(strategy.unregistered).isEmpty();
        waiter.leaves();
        assertThat(queues.isEmpty()).isTrue();
    }

    /** Not every strategy changes the list in an attempt for a lock that may be free. */
    @Test
    void lastAttemptForALockThatMayBeFreeKeepsTheEntryWhichIsThenRemoved() {
        Waiter waiter = listedAt(0, LONG_LEASE);
        strategy.forget().contends(heldAt(7));
        lab.time.advance(PATIENT);
        feed.tellsOfTurn("a", 6, number());

        waiter.looksAgain();

        assertThat(waiter.isContended()).isTrue();
        assertThat(entry()).contains(Entry.KEEP);
        assertThat(strategy.unregistered).containsExactly(number());
    }

    @Test
    void lastAttemptAtTheDeadlineKeepsTheEntryOfOthersThatStay() {
        Waiter waiter = listedAt(0, LONG_LEASE);
        lab.time.advance(MOMENT);
        waiter();
        strategy.forget().contends(heldAt(5), Turn.ofHeld(0, LONG_LEASE));

        lab.time.advance(PATIENT.minus(MOMENT));
        waiter.looksAgain();

        assertThat(waiter.isContended()).isTrue();
        assertThat(entry()).contains(Entry.KEEP);
        assertThat(strategy.unregistered).isEmpty();
    }

    /** Only the write that removes the entry conflicts, not the one that is tried next. */
    @Test
    void lastAttemptThatLosesEveryRaceLeavesNoEntry() {
        Waiter waiter = listedAt(0, LONG_LEASE);
        strategy.forget().failsToAcquire(Fault.WRITE_CONFLICT);

        lab.time.advance(PATIENT);
        while (waiter.isWaiting()) {
            lab.time.advance(Lab.RETRY);
            waiter.looksAgain();
        }

        assertThat(waiter.isContended()).isTrue();
        assertThat(strategy.unregistered).containsExactly(number());
    }

    /** A reply of a strategy that lost a race does not always show the position. */
    @Test
    void waiterWhoseReplyShowsNoPositionLeavesNoEntry() {
        Waiter waiter = listedAt(0, LONG_LEASE);
        strategy.forget().contends(heldAt(7));
        feed.tellsOfTurn("a", 6, number());
        waiter.looksAgain();

        assertThat(waiter.needsCompensation()).isTrue();
        waiter.compensates();

        assertThat(strategy.unregistered).containsExactly(number());
    }

    /** As when the threads of an executor are interrupted together. */
    @Test
    @Tag("finds:waiters-that-gave-up")
    void waitersThatAreInterruptedTogetherRemoveTheirEntryOnce() {
        Waiter one = listedAt(3);
        Waiter other = waiter();

        List<Waiter> aborted =
                Stream.of(one, other).filter(Waiter::needsCompensation).toList();
        aborted.forEach(Waiter::compensates);
        one.leaves();
        other.leaves();

        assertThat(strategy.unregistered).containsExactly(number());
        assertThat(queues.isEmpty()).isTrue();
    }

    /** Nobody would notify it of its turn. */
    @Test
    void waiterThatComesWhileTheEntryIsRemovedJoinsTheList() {
        Waiter one = listedAt(0, LONG_LEASE);
        assertThat(one.needsCompensation()).isTrue();
        one.compensates();
        Waiter other = waiter();
        int attempts = strategy.acquires.size();

        one.leaves();

        assertThat(other.wasWoken()).isTrue();
        other.looksAgain();
        assertThat(strategy.acquires).hasSize(attempts + 1);
        assertThat(entry()).contains(Entry.ADD);
    }

    @Test
    void waiterThatContinuesWithAnotherLockRemovesItsEntry() {
        Waiter waiter = listedAt(2);
        long number = number();
        LockSnapshot next = LockSnapshot.of(LockName.of("b"), Optional.of("other"), 1, 1)
                .lease(Lab.TTL, Optional.empty(), Optional.empty())
                .remaining(Optional.of(LONG_LEASE));
        strategy.forget().contends(next);
        feed.tellsOfTurn("a", 6, number);

        waiter.looksAgain();

        assertThat(strategy.unregistered).containsExactly(number);
    }

    /** The list keeps the number while a fair waiter of the same client holds the lock. */
    @Test
    void grantToAFairWaiterOfTheClientLeavesTheSharedEntry() {
        Waiter waiter = listedAt(0, LONG_LEASE);
        queues.granted(new Lease(Lab.NAME, Lab.OWNER, 9, Lab.TTL, lab.time.nanoTime() + Lab.TTL.toNanos()), true);
        strategy.forget().contends(HELD_HERE);

        lab.time.advance(PATIENT);
        waiter.looksAgain();

        assertThat(waiter.isContended()).isTrue();
        assertThat(entry()).contains(Entry.REMOVE);
    }

    @Test
    @Tag("finds:late-events")
    void lateEventHasWaitersPoll() {
        Waiter waiter = listedAt(1, LONG_LEASE);
        strategy.shows(heldAt(9), Turn.ofHeld(1, LONG_LEASE));
        lag.grantedByEvent(Duration.ofSeconds(1));

        feed.isQuiet();

        assertThat(waiter.wasWoken()).isTrue();
        assertThat(waiter.looksAgain().delay()).isEqualTo(Lab.POLL.multipliedBy(2));
    }

    @Test
    void freeLockThatNoEventShowedMeansThatEventsAreLate() {
        Waiter waiter = listedAt(2, LONG_LEASE);
        strategy.shows(freeAt(6), Turn.ofFree(2, EventLag.MAX_TIMELY.plus(MOMENT)));

        lab.time.advance(waiter.delay());
        waiter.looksAgain();

        assertThat(lag.isLate()).isTrue();
    }

    @Test
    void grantAfterAnEventShowsHowLateThatWas() {
        Waiter waiter = listedAt(0);
        strategy.forget()
                .answers(context -> Step.done(
                        new LockOutcome.Acquired(context.acquired(2).lease(), 0, EventLag.MAX_TIMELY.plus(MOMENT))));
        feed.tellsOfTurn("a", 6, number());

        waiter.looksAgain();

        assertThat(lag.isLate()).isTrue();
    }

    /** The event came too late for the claim, or the claim did; but the stream works. */
    @Test
    void turnThatIsLostAfterItsEventMakesEventsLateButNotMissing() {
        Waiter waiter = listedAt(0);
        strategy.forget().contends(heldAt(8), Turn.ofHeld(3, LONG_LEASE));
        feed.tellsOfTurn("a", 6, number());

        waiter.looksAgain();

        assertThat(lag.isLate()).isTrue();
        lab.time.advance(Duration.ofSeconds(30));
        assertThat(lag.needsAnotherStream()).isFalse();
    }

    @Test
    void turnThatIsLostBeforeTheEventOfTheAttemptMakesEventsLateButNotMissing() {
        Waiter waiter = listedAt(0);
        strategy.forget().answers(context -> {
            feed.tellsOfTurn("a", 6, number());
            return Step.done(new LockOutcome.Contended(heldAt(8), Optional.of(Turn.ofHeld(3, LONG_LEASE))));
        });
        lab.time.advance(LEASE_LEFT);

        waiter.looksAgain();

        assertThat(lag.isLate()).isTrue();
        lab.time.advance(Duration.ofSeconds(30));
        assertThat(lag.needsAnotherStream()).isFalse();
    }

    @Test
    void turnThatIsLostWithoutAnEventMakesEventsMissing() {
        Waiter waiter = listedAt(0);
        strategy.forget().contends(heldAt(8), Turn.ofHeld(3, LONG_LEASE));
        lab.time.advance(LEASE_LEFT);

        waiter.looksAgain();

        assertThat(lag.isLate()).isTrue();
        lab.time.advance(Duration.ofSeconds(30));
        assertThat(lag.needsAnotherStream()).isTrue();
    }

    /** Returns a waiter whose lock its own client holds. */
    private Waiter waiterOfTheHolder() {
        openStream();
        queues.granted(new Lease(Lab.NAME, Lab.OWNER, 1, Lab.TTL, lab.time.nanoTime() + Lab.TTL.toNanos()), false);
        strategy.forget().contends(HELD_HERE);
        Waiter waiter = waiter();
        assertThat(entry()).isEmpty();
        return waiter;
    }

    private void openStream() {
        Waiter opening = new Waiter(PATIENT);
        feed.tellsThatItIsOpen();
        opening.leaves();
        strategy.calls.clear();
    }

    private Waiter listedAt(int position) {
        return listedAt(position, LEASE_LEFT);
    }

    /** Returns a waiter that is in the list, and gets events. */
    private Waiter listedAt(int position, Duration leaseLeft) {
        openStream();
        strategy.forget().contends(heldFor(5, leaseLeft), Turn.ofHeld(position, leaseLeft));
        return waiter();
    }

    private int looks() {
        return (int) strategy.calls.stream().filter("inspect"::equals).count();
    }

    private AcquireContext newest() {
        return strategy.acquires.get(strategy.acquires.size() - 1);
    }

    private Optional<Entry> entry() {
        return newest().waiter().map(AcquireContext.Waiter::unlessAcquired);
    }

    private long number() {
        return newest().waiter().orElseThrow().number();
    }

    private static LockSnapshot freeAt(long revision) {
        return LockSnapshot.of(Lab.NAME, Optional.empty(), 1, revision)
                .lease(Lab.TTL, Optional.empty(), Optional.empty())
                .remaining(Optional.of(Duration.ZERO))
                .waiters(1);
    }

    private static LockSnapshot freeWithoutWaitersAt(long revision) {
        return LockSnapshot.of(Lab.NAME, Optional.empty(), 1, revision)
                .lease(Lab.TTL, Optional.empty(), Optional.empty())
                .remaining(Optional.of(Duration.ZERO));
    }

    private static LockSnapshot heldAt(long revision) {
        return heldFor(revision, LEASE_LEFT);
    }

    private static LockSnapshot heldFor(long revision, Duration left) {
        return Lab.heldBy("other", revision, Optional.of(left));
    }
}
