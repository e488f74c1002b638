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
        elapseUntil(CLAIM.minus(MOMENT));
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
        elapseUntil(CLAIM.multipliedBy(3).minus(MOMENT));
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
        elapseUntil(CLAIM);
        assertThat(first.isAcquired()).isTrue();
        release();
        elapseUntil(REMOVAL);

        assertThat(second.isAcquired()).isTrue();
        assertThat(queue.owners()).hasSize(3);
        assertThat(queue.skipped()).hasSize(2);
    }

    @Test
    void headMakesOneAttemptForEachReleaseThatAnotherClaimed() {
        deadWaiters(1);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        int attempts = strategy.acquires.size();
        queue.commands.clear();

        waiter.client.hears(OperationType.REPLACE);
        elapseUntil(CLAIM.multipliedBy(8));
        assertThat(strategy.acquires).hasSize(attempts + 1);
        assertThat(queue.commands).hasSizeLessThan(5);

        waiter.client.hears(OperationType.REPLACE);
        elapseUntil(CLAIM.multipliedBy(2));
        assertThat(strategy.acquires).hasSize(attempts + 2);
    }

    @Test
    void grantSinceTheReleaseIsNoReasonToSkip() {
        Waiter first = client().waiter();
        Waiter second = client().waiter();
        Waiter third = client().waiter();
        clients.forEach(Client::listens);
        release();
        lab.time.advance(COMMAND);
        first.looksAgain();
        int attempts = strategy.acquires.size();
        second.client.dies();

        elapseUntil(CLAIM.multipliedBy(4));

        assertThat(third.isWaiting()).isTrue();
        assertThat(strategy.acquires).hasSize(attempts);
    }

    /** The queue may have been deleted since, and with it the record of a grant. */
    @Test
    void releaseBeforeTheTicketWasAddedIsNoReasonToSkip() {
        Client client = client();
        Waiter earlier = client.waiter();
        client.listens();
        release();
        earlier.looksAgain();
        client.hears(OperationType.REPLACE);
        deadWaiters(1);
        int attempts = strategy.acquires.size();

        lab.time.advance(CLAIM.multipliedBy(2));
        Waiter waiter = client.waiter();
        elapseUntil(CLAIM.multipliedBy(2));

        assertThat(waiter.isWaiting()).isTrue();
        assertThat(strategy.acquires).hasSize(attempts);
    }

    @Test
    void releaseBeforeANewStreamIsNoReasonToSkip() {
        deadWaiters(1);
        Waiter waiter = client().waiter();
        waiter.client.listens();
        int attempts = strategy.acquires.size();
        release();
        elapseUntil(CLAIM.minus(MOMENT));

        waiter.client.listens();
        elapseUntil(CLAIM);

        assertThat(strategy.acquires).hasSize(attempts);
    }

    /** The owner of the first ticket may have been granted the lock after the reading. */
    @Test
    void readingMustBeginAfterTheTimeToClaim() {
        deadWaiters(1);
        Client client = client();
        Waiter waiter = client.waiter();
        client.listens();
        int attempts = strategy.acquires.size();
        release();
        elapseUntil(CLAIM.minus(MOMENT));

        queue.meanwhile(() -> lab.time.advance(MOMENT));
        client.waiter();
        assertThat(strategy.acquires).hasSize(attempts);
        settle();
        elapse(Duration.ZERO);

        assertThat(waiter.isAcquired()).isTrue();
    }

    @Test
    void newReleaseEndsTheReasonToSkip() {
        deadWaiters(1);
        Client client = client();
        Waiter waiter = client.waiter();
        client.listens();
        int attempts = strategy.acquires.size();
        release();
        elapseUntil(CLAIM.minus(MOMENT));
        lab.time.advance(MOMENT);
        client.waiter();

        client.hears(OperationType.REPLACE);
        waiter.looksAgain();

        assertThat(strategy.acquires).hasSize(attempts);
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
        elapseUntil(CLAIM);
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
        elapseUntil(CLAIM);
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
        elapseUntil(CLAIM.multipliedBy(2));
        assertThat(waiter.isAcquired()).isTrue();
        isFree();

        assertThat(client().waiter().isAcquired()).isTrue();
        assertThat(queue.skipped()).hasSize(2);
        isFree();
        assertThat(client().waiter(Lab.request(Duration.ZERO).fair()).isAcquired())
                .isTrue();
    }

    /** It counts several that gave up, and reads before the client behind it would skip it. */
    @Test
    void firstTicketIsNotSkippedWhileItsOwnerCountsOthersThatGaveUp() {
        List<Waiter> gaveUp = List.of(client().waiter(), client().waiter(), client().waiter());
        Waiter first = client().waiter();
        first.client.listens();
        gaveUp.forEach(Waiter::isInterrupted);
        Waiter second = client().waiter();
        second.client.listens();

        release();
        elapseUntil(CLAIM);

        assertThat(served).containsExactly(first);
    }

    /** The others count the dead clients, until a reading shows that these were skipped. */
    @Test
    void ticketsThatWereSkippedDelayNoFurtherGrant() {
        deadWaiters(4);
        List<Waiter> waiters = List.of(client().waiter(), client().waiter(), client().waiter());
        clients.forEach(Client::listens);
        release();
        elapseUntil(CLAIM.multipliedBy(4));

        for (int grants = 1; grants < 3; grants++) {
            lab.time.advance(COMMAND);
            handOver();
        }

        assertThat(served).containsExactlyElementsOf(waiters);
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
