package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The releases that a fair waiter counts, so that it reads the server queue when its ticket should be the first. */
class FairReleaseCountTest extends QueueScene {
    @Test
    void eachClientReadsTheQueueOnceHoweverManyTicketsAreBeforeItsOwn() {
        List<Waiter> waiters = waitersOfSeveralClients(20);
        queue.commands.clear();

        for (int grants = 0; grants < 20; grants++) {
            handOver();
        }

        assertThat(served).containsExactlyElementsOf(waiters);
        assertThat(Collections.frequency(queue.commands, "queue/read")).isEqualTo(19);
    }

    @Test
    void waiterWithTheFirstTicketAttemptsAtTheReleaseWithoutReading() {
        List<Waiter> waiters = waitersOfSeveralClients(2);
        handOver();
        queue.commands.clear();

        release();
        waiters.get(1).looksAgain();

        assertThat(waiters.get(1).isAcquired()).isTrue();
        assertThat(queue.commands).doesNotContain("queue/read");
    }

    @Test
    void waiterWhoseTicketBecomesTheFirstMakesNoAttemptWhileTheLockIsHeld() {
        Waiter waiter = waitersOfSeveralClients(2).get(1);
        int attempts = strategy.acquires.size();

        handOver();

        assertThat(strategy.acquires).hasSize(attempts + 1);
        assertThat(waiter.pause()).isEqualTo(FairWaiterQueue.CHECK_HOLDER_AFTER);
        elapse(FairWaiterQueue.CHECK_HOLDER_AFTER);
        assertThat(strategy.acquires).hasSize(attempts + 2);
    }

    @Test
    void releaseThatComesBeforeTheReadingIsNotMissed() {
        Waiter waiter = waitersOfSeveralClients(2).get(1);
        release();
        settle();

        release();
        settle();

        assertThat(waiter.isAcquired()).isTrue();
    }

    @Test
    void waiterReadsSoonAfterAReleaseThatNobodyTakesAsTheOthersGaveUp() {
        List<Waiter> waiters = waitersOfSeveralClients(4);
        waiters.subList(0, 3).forEach(Waiter::isInterrupted);

        release();
        settle();

        assertThat(waiters.get(3).pause()).isEqualTo(FairWaiterQueue.NOT_CLAIMED_AFTER.multipliedBy(2));
        elapse(waiters.get(3).pause());
        assertThat(waiters.get(3).isAcquired()).isTrue();
    }

    @Test
    void waiterAttemptsIfTheOneBeforeItGaveUpAfterTheRelease() {
        List<Waiter> waiters = waitersOfSeveralClients(2);
        release();
        lab.time.advance(COMMAND);
        waiters.get(0).isInterrupted();

        elapse(REMOVAL);

        assertThat(waiters.get(1).isAcquired()).isTrue();
    }

    @Test
    void waiterReadsMoreAndMoreRarelyWhileItsTicketDoesNotBecomeTheFirst() {
        Client dead = client();
        dead.waiter();
        Client alive = client();
        Waiter waiter = alive.waiter();
        alive.listens();
        dead.dies();

        alive.hears(OperationType.REPLACE);
        waiter.looksAgain();

        assertThat(waiter.pause()).isEqualTo(REMOVAL);
        for (int factor : new int[] {1, 2, 4}) {
            elapse(waiter.pause());
            assertThat(waiter.pause()).isEqualTo(FairWaiterQueue.NOT_CLAIMED_AFTER.multipliedBy(factor));
        }
    }

    @Test
    void releasesByOthersThanFairWaitersDoNotCauseAReadingEach() {
        List<Waiter> waiters = waitersOfSeveralClients(9);
        Waiter last = waiters.get(8);
        Client others = clients.get(8);
        queue.commands.clear();

        for (int releases = 0; releases < 14; releases++) {
            others.hears(OperationType.REPLACE);
            last.looksAgain();
            lab.time.advance(REMOVAL);
            last.looksAgain();
        }

        assertThat(queue.commands).hasSize(1).containsOnly("queue/read");
        for (int grants = 0; grants < 9; grants++) {
            handOver();
        }
        assertThat(served).containsExactlyElementsOf(waiters);
    }

    /** Tickets are skipped a little later, and the lock is acquired and released after that. */
    @Test
    void releaseSoonAfterTheTimeToClaimDoesNotMeanThatTicketsWereSkipped() {
        Waiter last = waitersOfSeveralClients(4).get(3);
        release();
        lab.time.advance(COMMAND);
        settle();
        lab.time.advance(FairWaiterQueue.NOT_CLAIMED_AFTER);

        release();
        settle();

        assertThat(last.pause()).isEqualTo(FairWaiterQueue.NOT_CLAIMED_AFTER);
    }

    /** Until it has expired it is counted, although no release follows. */
    @Test
    void waiterReadsWhenTheFirstTicketBeforeItsOwnExpires() {
        client().waiter();
        clients.get(0).dies();
        lab.time.advance(Lab.TTL.minus(COMMAND));
        List<Waiter> waiters = waitersOfSeveralClients(2);

        assertThat(waiters.get(1).pause()).isEqualTo(COMMAND);
    }

    @Test
    void newStreamMakesTheHeadReadAtOnce() {
        Waiter waiter = waitersOfSeveralClients(4).get(3);
        Client client = clients.get(3);
        clients.subList(0, 3).forEach(other -> other.waiters.forEach(Waiter::isInterrupted));
        isFree();

        client.listens();

        assertThat(waiter.isAcquired()).isTrue();
    }

    @Test
    void releaseBeforeANewStreamIsNotMissed() {
        Waiter waiter = waitersOfSeveralClients(2).get(1);
        release();
        lab.time.advance(COMMAND);
        settle();
        lab.time.advance(COMMAND);
        isFree();

        clients.get(1).listens();

        assertThat(waiter.isAcquired()).isTrue();
    }

    /** The owner of the first ticket is about to be granted the lock, and its ticket is still in the queue. */
    @Test
    void releaseBeforeTheTicketWasAddedCountsIfItsGrantHasNotComeYet() {
        Client client = client();
        Waiter earlier = client.waiter();
        client.listens();
        Waiter slow = client().waiter();
        release();
        earlier.looksAgain();
        lab.time.advance(REMOVAL);
        client.hears(OperationType.REPLACE);

        Waiter waiter = client.waiter();

        assertThat(slow.isWaiting()).isTrue();
        assertThat(waiter.pause()).isEqualTo(REMOVAL);
    }

    @Test
    void releaseBeforeTheTicketWasAddedDoesNotCountAfterItsGrant() {
        Client client = client();
        Waiter earlier = client.waiter();
        client.listens();
        Client other = client();
        Waiter prompt = other.waiter();
        other.waiter();
        other.listens();
        release();
        earlier.looksAgain();
        lab.time.advance(REMOVAL);
        release();
        lab.time.advance(COMMAND);
        prompt.looksAgain();

        Waiter waiter = client.waiter();

        assertThat(prompt.isAcquired()).isTrue();
        assertThat(waiter.pause()).isEqualTo(FairWaiterQueue.NOT_CLAIMED_AFTER);
    }

    @Test
    void slowCommandsOfOtherClientsAreExpectedWhereOwnOnesAreSlow() {
        Client first = client();
        first.waiter();
        Client slow = client();
        queue.meanwhile(() -> lab.time.advance(Duration.ofMillis(50)));
        Waiter waiter = slow.waiter();
        slow.listens();

        slow.hears(OperationType.REPLACE);
        waiter.looksAgain();

        assertThat(waiter.pause()).isEqualTo(Duration.ofMillis(150));
    }

    @Test
    void waitersOfOneClientBehindThoseOfAnotherKeepTheOrder() {
        Client one = client();
        Client other = client();
        List<Waiter> waiters = List.of(one.waiter(), one.waiter(), other.waiter(), other.waiter(), one.waiter());
        one.listens();
        other.listens();

        for (int grants = 0; grants < 5; grants++) {
            handOver();
        }

        assertThat(served).containsExactlyElementsOf(waiters);
    }

    /** Waiters that are each the only one of a client whose change stream is open. */
    private List<Waiter> waitersOfSeveralClients(int count) {
        List<Waiter> waiters =
                IntStream.range(0, count).mapToObj(number -> client().waiter()).toList();
        clients.forEach(Client::listens);
        return waiters;
    }
}
