package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.AcquireContext.LastKnownState;

/** Tests of when a fair waiter takes a lock for unclaimed, and makes an attempt although others are before it. */
class UnclaimedLockTest extends QueueScene {
    private static final Duration THIRD = Lab.TTL.dividedBy(3);

    @Test
    void headLooksOnceAfterEachReleaseThatAnotherClaimed() {
        deadWaiters(1);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        int attempts = strategy.acquires.size();
        queue.commands.clear();

        for (int releases = 1; releases <= 2; releases++) {
            waiter.client.hears(OperationType.REPLACE);
            elapseUntil(CLAIM.multipliedBy(8));
            assertThat(looks()).isEqualTo(releases);
        }

        assertThat(strategy.acquires).hasSize(attempts);
        assertThat(queue.commands).hasSizeLessThan(9);
    }

    @Test
    void lockThatWasClaimedAndReleasedIsNotUnclaimed() {
        deadWaiters(1);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        release();

        elapseUntil(CLAIM);
        isTaken(Lab.TTL);
        isFree();
        elapseUntil(CLAIM.minus(MOMENT));
        assertThat(looks()).isEqualTo(1);
        assertThat(waiter.isWaiting()).isTrue();
        elapseUntil(CLAIM);

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(looks()).isEqualTo(2);
    }

    @Test
    void grantSinceTheReleaseIsNoReasonToLook() {
        Waiter first = client().waiter();
        Waiter second = client().waiter();
        client().waiter();
        clients.forEach(Client::listens);
        elapseUntil(Duration.ofSeconds(10));
        strategy.calls.clear();
        release();
        lab.time.advance(COMMAND);
        first.looksAgain();
        second.client.dies();

        elapseUntil(FreeLock.CHECK_HOLDER_AFTER.minus(MOMENT));

        assertThat(looks()).isZero();
    }

    @Test
    void contendedAttemptIsTheOnlyOneForARelease() {
        deadWaiters(1);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        int attempts = strategy.acquires.size();
        release();
        duringInspection = () -> isTaken(Duration.ofHours(1));

        queue.commands.clear();
        elapseUntil(CLAIM.plus(REMOVAL));
        assertThat(queue.commands).containsExactly("queue/read");
        assertThat(waiter.pause()).isGreaterThanOrEqualTo(CLAIM);
        elapseUntil(CLAIM.multipliedBy(8));

        assertThat(waiter.isWaiting()).isTrue();
        assertThat(strategy.acquires).hasSize(attempts + 1);
        assertThat(looks()).isEqualTo(1);
    }

    @Test
    void readingOfTheTicketsComesBeforeTheLook() {
        deadWaiters(6);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        queue.commands.clear();
        lab.time.advance(MOMENT);

        release();
        elapseUntil(CLAIM.multipliedBy(6).plus(REMOVAL));

        assertThat(queue.commands).startsWith("queue/read");
        assertThat(waiter.isAcquired()).isTrue();
    }

    @Test
    void releaseBeforeANewStreamIsNoReasonToSkip() {
        deadWaiters(1);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        release();
        elapseUntil(CLAIM.minus(MOMENT));

        waiter.client.listens();
        elapseUntil(CLAIM);

        assertThat(waiter.isWaiting()).isTrue();
    }

    /** The look may be older than the release. */
    @Test
    void lookThatBeganBeforeANewReleaseIsNoReasonToSkip() {
        deadWaiters(2);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        int attempts = strategy.acquires.size();
        release();
        duringInspection = () -> {
            lab.time.advance(MOMENT);
            release();
        };

        elapseUntil(CLAIM.multipliedBy(2).plus(REMOVAL));
        assertThat(looks()).isEqualTo(1);
        duringInspection = () -> {};
        elapseUntil(CLAIM.multipliedBy(2).plus(REMOVAL).minus(MOMENT));
        assertThat(strategy.acquires).hasSize(attempts);
        elapse(MOMENT);

        assertThat(waiter.isAcquired()).isTrue();
    }

    @Test
    void withoutTimelyEventsNobodyIsSkipped() {
        lab.poll = Duration.ofSeconds(4);
        deadWaiters(1);
        Waiter waiter = client().waiter();
        isFree();

        elapseUntil(Lab.TTL.dividedBy(2));

        assertThat(waiter.isWaiting()).isTrue();
        assertThat(looks()).isZero();
    }

    @Test
    void deadClientIsSkippedAfterTheEndOfTheLeaseOfADeadHolder() {
        isTaken(Duration.ofSeconds(6));
        deadWaiters(1);
        Waiter waiter = client().waiter();
        waiter.client.listens();

        elapseUntil(Duration.ofSeconds(6).plus(CLAIM));
        assertThat(waiter.isWaiting()).isTrue();
        elapseUntil(REMOVAL);

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(queue.skipped()).hasSize(1);
        assertThat(strategy.acquires.get(strategy.acquires.size() - 1).lastSeen())
                .isEqualTo(LastKnownState.NOTIFIED_FREE);
    }

    @Test
    void waitersThatJoinDoNotPostponeTheLook() {
        deadWaiters(1);
        Client client = client();
        client.waiter();
        client.listens();

        for (int joins = 0; joins < 3; joins++) {
            elapseUntil(CLAIM.dividedBy(3).plus(MOMENT));
            client.waiter();
        }

        assertThat(looks()).isEqualTo(1);
    }

    /** A client that has just opened its stream does not know of the release. */
    @Test
    void deadClientIsSkippedIfTheReleaseIsUnknown() {
        deadWaiters(1);
        Waiter waiter = client().waiter();
        isFree();
        waiter.client.listens();

        elapseUntil(CLAIM.multipliedBy(2).plus(REMOVAL).minus(MOMENT));
        assertThat(waiter.isWaiting()).isTrue();
        elapse(MOMENT);

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(looks()).isEqualTo(2);
    }

    @Test
    void newStreamMakesTheHeadLookSoon() {
        Waiter first = client().waiter();
        deadWaiters(1);
        Waiter last = client().waiter();
        clients.forEach(Client::listens);
        release();
        lab.time.advance(COMMAND);
        first.looksAgain();
        elapseUntil(CLAIM.multipliedBy(2));
        assertThat(looks()).isZero();

        last.client.listens();
        elapseUntil(CLAIM.plus(MOMENT));

        assertThat(looks()).isEqualTo(1);
    }

    @Test
    void lockWhoseLeaseHasNoKnownEndIsNotLookedAtAgainSoon() {
        remainsUnknown();
        deadWaiters(1);
        Client client = client();
        client.waiter();
        client.listens();
        elapseUntil(CLAIM.plus(MOMENT));
        assertThat(looks()).isEqualTo(1);

        client.waiter();
        elapseUntil(FreeLock.CHECK_HOLDER_AFTER.minus(MOMENT));

        assertThat(looks()).isEqualTo(1);
    }

    /** A client that has just released the lock waits for it again: those before it may all have died. */
    @Test
    void turnsBeginWithAReleaseThatWasReportedBeforeTheWait() {
        Client client = clientThatHeardOfARelease(2);

        Waiter waiter = client.waiter();
        elapseUntil(CLAIM.multipliedBy(2).plus(REMOVAL));

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(looks()).isEqualTo(1);
    }

    @Test
    void lockThatWasReleasedAndGrantedBeforeTheWaitIsLookedAtOnce() {
        Client client = clientThatHeardOfARelease(1);
        isTaken(Duration.ofHours(1));

        Waiter waiter = client.waiter();
        elapseUntil(FreeLock.CHECK_HOLDER_AFTER.minus(MOMENT));

        assertThat(waiter.isAcquired()).isFalse();
        assertThat(looks()).isEqualTo(1);
    }

    /** Returns a client without waiters that knows of the last release, which dead clients do not claim. */
    private Client clientThatHeardOfARelease(int dead) {
        Client client = client();
        Waiter earlier = client.waiter();
        client.listens();
        release();
        earlier.looksAgain();
        isTaken(Lab.TTL);
        deadWaiters(dead);
        release();
        return client;
    }

    @Test
    void lookIsTooEarlyIfMoreTurnsAreExpectedMeanwhile() {
        deadWaiters(1);
        Client client = client();
        Waiter waiter = client.waiter();
        client.listens();
        Waiter other = client().waiter();
        int attempts = strategy.acquires.size();
        duringInspection = () -> {
            other.isInterrupted();
            client.waiter();
        };
        release();

        elapseUntil(CLAIM.plus(REMOVAL));
        assertThat(looks()).isEqualTo(1);
        assertThat(strategy.acquires).hasSize(attempts);
        elapseUntil(CLAIM.multipliedBy(2).plus(REMOVAL));

        assertThat(waiter.isAcquired()).isTrue();
    }

    @Test
    void releaseBeforeTheAttemptEndsTheReasonToSkip() {
        assertNoAttemptIf(client -> client.hears(OperationType.REPLACE));
    }

    @Test
    void newStreamBeforeTheAttemptEndsTheReasonToSkip() {
        assertNoAttemptIf(client -> client.feed.tellsThatItIsOpen());
    }

    /** Asserts that no attempt follows if something happens after the look, while the tickets are renewed. */
    private void assertNoAttemptIf(Consumer<Client> event) {
        deadWaiters(1);
        Client client = client();
        client.waiter();
        client.listens();
        int attempts = strategy.acquires.size();
        elapseUntil(THIRD.minus(CLAIM).minus(REMOVAL).minus(MOMENT));
        release();
        duringInspection = () -> {
            lab.time.advance(MOMENT.multipliedBy(2));
            queue.meanwhile(() -> event.accept(client));
        };

        elapseUntil(CLAIM.plus(REMOVAL));

        assertThat(queue.commands).endsWith("queue/add-ticket", "queue/read");
        assertThat(strategy.acquires).hasSize(attempts);
    }

    @Test
    void renewedLeaseIsNotEnded() {
        isTaken(Duration.ofSeconds(6));
        deadWaiters(1);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        int attempts = strategy.acquires.size();

        elapseUntil(Duration.ofSeconds(4));
        isTaken(Duration.ofHours(1));
        elapseUntil(Duration.ofSeconds(4));

        assertThat(strategy.acquires).hasSize(attempts);
        assertThat(looks()).isEqualTo(2);
    }

    /** A look at the lock, which is held by then, does not show the tickets. */
    @Test
    void skippedTicketsAreNotExpectedToBeGrantedTheLockAfterALook() {
        deadWaiters(2);
        client().waiter();
        Waiter last = client().waiter();
        clients.forEach(Client::listens);
        lab.time.advance(MOMENT);
        release();
        elapseUntil(CLAIM.multipliedBy(3).plus(REMOVAL));
        assertThat(looks()).isEqualTo(2);

        release();
        elapseUntil(MOMENT);

        assertThat(last.isAcquired()).isTrue();
    }
}
