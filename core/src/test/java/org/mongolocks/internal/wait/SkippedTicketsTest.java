package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockRequest;

/** Tests of fair waiters behind tickets whose owners do not claim a released lock. */
class SkippedTicketsTest extends QueueScene {
    private static final Duration THIRD = Lab.TTL.dividedBy(3);

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
        assertThat(queue.skipped()).hasSize(2);
        release();
        elapseUntil(REMOVAL);

        assertThat(second.isAcquired()).isTrue();
        assertThat(queue.owners()).hasSize(3);
        assertThat(queue.skipped()).hasSize(3);
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
    void ownerOfASkippedTicketRenewsItWhenItReadsTheQueue() {
        Client first = client();
        Waiter before = first.waiter();
        Client slow = client();
        Waiter skipped = slow.waiter();
        slow.listens();
        Waiter other = client().waiter();
        other.client.listens();
        first.dies();
        clients.remove(slow);
        release();
        elapseUntil(CLAIM.multipliedBy(2).plus(REMOVAL));
        assertThat(queue.skipped()).containsExactly(before.owner.stored(), skipped.owner.stored());
        clients.add(slow);

        slow.listens();
        elapseUntil(MOMENT);

        assertThat(queue.skipped()).containsExactly(before.owner.stored());
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

        queue.commands.clear();
        assertThat(client().waiter().isAcquired()).isTrue();
        assertThat(queue.commands).containsExactly("queue/add-ticket", "queue/leave");
        assertThat(queue.markings()).isEqualTo(1);
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

    /** Its reading after the release shows clients that may count others which gave up, and then give up too. */
    @Test
    void firstTicketIsNotSkippedWhileItWaitsForOthersThatMayMiscount() {
        List<Client> slow = Stream.generate(this::client).limit(5).toList();
        List<Waiter> before = slow.stream().map(Client::waiter).toList();
        clients.removeAll(slow);
        List<Waiter> gaveUp = Stream.generate(() -> client().waiter()).limit(3).toList();
        gaveUp.forEach(Waiter::isInterrupted);
        Waiter first = client().waiter();
        first.client.listens();
        elapseUntil(Duration.ofSeconds(1));
        client().waiter().client.listens();
        elapseUntil(THIRD.minusSeconds(1).minus(CLAIM.dividedBy(2)));
        release();
        elapseUntil(CLAIM);
        before.forEach(Waiter::isInterrupted);

        elapseUntil(CLAIM.multipliedBy(6));

        assertThat(served).containsExactly(first);
    }

    /** Its turn had been made longer by others that gave up before, and those behind the first ticket do not know that. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 100})
    void firstTicketIsNotSkippedAfterTheOneBeforeItGaveUpInItsTurn(int millis) {
        Client slow = client();
        Waiter before = slow.waiter();
        clients.remove(slow);
        List<Waiter> gaveUp = Stream.generate(() -> client().waiter()).limit(3).toList();
        gaveUp.forEach(Waiter::isInterrupted);
        Waiter first = client().waiter();
        first.client.listens();
        client().waiter().client.listens();

        release();
        elapseUntil(CLAIM.multipliedBy(2).plusMillis(millis));
        before.isInterrupted();
        elapseUntil(CLAIM.multipliedBy(3));

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

    /** Until the marked ticket of the dead client expires, its other one is not counted. */
    @Test
    void replyToAnotherWaiterShowsWhenATicketExpires() {
        Duration later = Duration.ofMillis(500);
        Client dead = client();
        dead.waiter();
        Waiter first = client().waiter();
        lab.time.advance(later);
        dead.waiter();
        dead.dies();
        client().waiter();
        Client client = client();
        Waiter last = client.waiter();
        first.client.listens();
        client.listens();
        release();
        elapseUntil(CLAIM.plus(REMOVAL));
        assertThat(first.isAcquired()).isTrue();
        elapseUntil(Lab.TTL.minus(later).minus(CLAIM).minus(REMOVAL).plus(MOMENT));

        client.waiter();

        assertThat(last.looksAgain().pause()).isEqualTo(later.minus(MOMENT));
    }

    /** Of those before its own ticket, one has been granted the lock since the reading. */
    @Test
    void clientsThatShouldHaveBeenGrantedTheLockHaveNoTurn() {
        Waiter first = client().waiter();
        deadWaiters(5);
        Waiter last = client().waiter();
        clients.forEach(Client::listens);
        lab.time.advance(MOMENT);
        release();
        first.looksAgain();
        lab.time.advance(COMMAND);

        release();
        elapseUntil(CLAIM.multipliedBy(5).plus(REMOVAL));

        assertThat(last.isAcquired()).isTrue();
    }

    /** The others count the dead clients, until a reading shows that these were skipped. */
    @Test
    void ticketsThatWereSkippedDelayNoFurtherGrant() {
        deadWaiters(4);
        List<Waiter> waiters =
                Stream.generate(() -> client().waiter()).limit(12).toList();
        clients.forEach(Client::listens);
        queue.commands.clear();
        release();
        elapseUntil(CLAIM.multipliedBy(4).plus(REMOVAL));

        for (int grants = 1; grants < 12; grants++) {
            lab.time.advance(COMMAND);
            handOver();
            if (grants == 1) {
                // Its reply shows the last client which tickets were skipped.
                waiters.get(11).client.waiter();
            }
        }

        assertThat(served).containsExactlyElementsOf(waiters);
        assertThat(Collections.frequency(queue.commands, "queue/read")).isEqualTo(12);
    }

    /** Each waiter that gives up makes the turns longer, and restarts them; only the end of the ticket ends that. */
    @Test
    void deadClientDoesNotBlockALockForLongHoweverManyWaitersGiveUp() {
        Duration longLease = Duration.ofMinutes(10);
        Client dead = client();
        dead.waiter(new LockRequest(Lab.NAME, longLease, PATIENT).fair());
        dead.dies();
        for (int i = 0; i < 20; i++) {
            Client impatient = client();
            impatient.waiter().isInterrupted();
            impatient.dies();
        }

        release();
        for (int i = 0; i < 20 && served.isEmpty(); i++) {
            Client next = client();
            next.waiter(new LockRequest(Lab.NAME, longLease, Duration.ofSeconds(3)).fair());
            next.listens();
            elapseUntil(Duration.ofSeconds(2));
        }

        assertThat(served).isNotEmpty();
    }
}
