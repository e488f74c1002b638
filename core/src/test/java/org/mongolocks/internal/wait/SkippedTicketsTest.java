package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of fair waiters behind tickets whose owners do not claim a released lock. */
class SkippedTicketsTest extends QueueScene {
    private static final Duration REMOVAL = FairWaiterQueue.MIN_REMOVAL_EXPECTED;
    private static final Duration CLAIM = FairWaiterQueue.NOT_CLAIMED_AFTER;
    private static final Duration MOMENT = Duration.ofMillis(1);

    @Test
    void deadClientIsSkippedWhenItHadItsTimeToClaimTheLock() {
        Waiter dead = deadWaiters(1).get(0);
        Waiter waiter = client().waiter();
        waiter.client.listens();

        release();
        elapseUntil(CLAIM.plus(REMOVAL).minus(MOMENT));
        assertThat(waiter.isWaiting()).isTrue();
        elapse(MOMENT);

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(queue.owners()).containsExactly(dead.owner.stored());
        assertThat(queue.skipped()).containsExactly(dead.owner.stored());
    }

    @Test
    void eachDeadClientHasItsTime() {
        deadWaiters(3);
        Waiter waiter = client().waiter();
        waiter.client.listens();

        release();
        elapseUntil(CLAIM.multipliedBy(3).plus(REMOVAL).minus(MOMENT));
        assertThat(waiter.isWaiting()).isTrue();
        elapse(MOMENT);

        assertThat(waiter.isAcquired()).isTrue();
        assertThat(queue.skipped()).hasSize(3);
    }

    @Test
    void ticketsOfOneClientAreSkippedTogetherAndThoseBehindToo() {
        Client dead = client();
        dead.waiter();
        dead.waiter();
        Waiter first = client().waiter();
        dead.waiter();
        Waiter second = client().waiter();
        dead.dies();
        first.client.listens();
        second.client.listens();

        release();
        elapseUntil(CLAIM.plus(REMOVAL));
        assertThat(first.isAcquired()).isTrue();
        release();
        elapseUntil(REMOVAL);

        assertThat(second.isAcquired()).isTrue();
        assertThat(queue.owners()).hasSize(3);
        assertThat(queue.skipped()).hasSize(2);
    }

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
        release();
        lab.time.advance(COMMAND);
        first.looksAgain();
        second.client.dies();

        elapseUntil(CLAIM.multipliedBy(4));

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
        assertThat(looks()).isZero();
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
        deadWaiters(1);
        Waiter waiter = client().waiter();
        isFree();

        elapseUntil(CLAIM.multipliedBy(8));

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

    /** It was only slow. */
    @Test
    void ownerOfASkippedTicketIsServedNext() {
        Client slow = client();
        Waiter skipped = slow.waiter();
        slow.listens();
        Waiter other = client().waiter();
        other.client.listens();
        clients.remove(slow);
        release();
        elapseUntil(CLAIM.plus(REMOVAL));
        assertThat(other.isAcquired()).isTrue();
        clients.add(slow);

        release();
        settle();

        assertThat(skipped.isAcquired()).isTrue();
    }

    @Test
    void renewalOfASkippedTicketRemovesTheMark() {
        Client slow = client();
        Waiter skipped = slow.waiter();
        slow.listens();
        Waiter other = client().waiter();
        other.client.listens();
        clients.remove(slow);
        release();
        elapseUntil(CLAIM.plus(REMOVAL));
        assertThat(other.isAcquired()).isTrue();
        assertThat(queue.skipped()).hasSize(1);

        lab.time.advance(Lab.TTL.dividedBy(3));
        skipped.looksAgain();

        assertThat(queue.owners()).hasSize(1);
        assertThat(queue.skipped()).isEmpty();
    }

    @Test
    void newWaiterBehindSkippedTicketsOnlyIsTheFirst() {
        deadWaiters(2);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        release();
        elapseUntil(CLAIM.multipliedBy(2).plus(REMOVAL));
        assertThat(waiter.isAcquired()).isTrue();
        isFree();

        assertThat(client().waiter().isAcquired()).isTrue();
        assertThat(queue.skipped()).hasSize(2);
        isFree();
        assertThat(client().waiter(Lab.request(Duration.ZERO).fair()).isAcquired())
                .isTrue();
    }

    /** It counts those that gave up, and reads when it would skip them, before the client behind it does. */
    @Test
    void firstTicketIsNotSkippedWhileItsOwnerCountsOthersThatGaveUp() {
        List<Waiter> gaveUp = Stream.generate(() -> client().waiter()).limit(6).toList();
        Waiter first = client().waiter();
        first.client.listens();
        gaveUp.forEach(Waiter::isInterrupted);
        Waiter second = client().waiter();
        second.client.listens();

        release();
        elapseUntil(CLAIM.multipliedBy(8));

        assertThat(served).containsExactly(first);
    }

    @Test
    void waitersThatGaveUpBeforeTheDeadTicketWasRenewedCostNoTime() {
        Client dead = client();
        Waiter gaveUp = client().waiter();
        Waiter waiter = dead.waiter();
        dead.listens();
        gaveUp.isInterrupted();
        lab.time.advance(Lab.TTL.dividedBy(3));
        waiter.looksAgain();
        dead.dies();
        Waiter alive = client().waiter();
        alive.client.listens();

        release();
        elapseUntil(CLAIM.plus(REMOVAL));

        assertThat(alive.isAcquired()).isTrue();
    }

    /** The others count the dead clients, until a reading shows that these were skipped. */
    @Test
    void ticketsThatWereSkippedDelayNoFurtherGrant() {
        deadWaiters(4);
        List<Waiter> waiters = List.of(client().waiter(), client().waiter(), client().waiter());
        clients.forEach(Client::listens);
        release();
        elapseUntil(CLAIM.multipliedBy(4).plus(REMOVAL));

        for (int grants = 1; grants < 3; grants++) {
            lab.time.advance(COMMAND);
            handOver();
        }

        assertThat(served).containsExactlyElementsOf(waiters);
    }

    private long looks() {
        return strategy.calls.stream().filter("inspect"::equals).count();
    }

    /** Adds a waiter for each of several clients, which die. */
    private List<Waiter> deadWaiters(int count) {
        List<Client> dead = Stream.generate(this::client).limit(count).toList();
        List<Waiter> waiters = dead.stream().map(Client::waiter).toList();
        dead.forEach(Client::dies);
        return waiters;
    }

    /** Lets time pass in small steps, and runs each waiter when it is due. */
    private void elapseUntil(Duration time) {
        settle();
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(MOMENT)) {
            lab.time.advance(MOMENT);
            clients.stream()
                    .flatMap(client -> client.waiters.stream())
                    .filter(Waiter::isDue)
                    .toList()
                    .forEach(Waiter::looksAgain);
            settle();
        }
    }
}
