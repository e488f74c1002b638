package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueTimeTest extends QueueScene {
    private static final Duration THIRD = Lab.TTL.dividedBy(3);
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    @Test
    void ticketsOfAQueueAreRenewedByOneCommandPerThirdOfTheirTtl() {
        Client client = client();
        Waiter first = client.waiter();
        client.waiter();
        client.waiter();
        client.listens();
        queue.commands.clear();

        for (int thirds = 0; thirds < 9; thirds++) {
            assertThat(first.pause()).isLessThanOrEqualTo(THIRD);
            lab.time.advance(THIRD);
            client.waiters.forEach(Waiter::looksAgain);
        }

        assertThat(queue.commands).hasSize(9).containsOnly("queue/add-ticket");
        assertThat(queue.owners()).hasSize(3);
        assertThat(served).isEmpty();
    }

    /** Such clients skip dead ones, and hardly ever need the end of a ticket. */
    @Test
    void ticketOfAClientThatGetsEventsIsRenewedEveryTenSeconds() {
        Client client = client();
        Waiter first = client.waiter();
        client.listens();
        Waiter next = client.waiter();
        first.isInterrupted();
        elapse(THIRD);
        queue.commands.clear();

        for (int renewals = 0; renewals < 6; renewals++) {
            elapse(TEN_SECONDS.minus(MOMENT));
            client().waiter().isInterrupted();
            assertThat(queue.owners()).containsExactly(next.owner.stored());
            assertThat(queue.commands).containsExactly("queue/add-ticket", "queue/leave");
            queue.commands.clear();
            elapse(MOMENT);
            assertThat(queue.commands).containsExactly("queue/add-ticket");
            queue.commands.clear();
        }
    }

    @Test
    void theWaitersOfADeadClientRunOutTogether() {
        Client dead = client();
        dead.waiter();
        dead.waiter();
        dead.waiter();
        dead.listens();
        Client alive = client();
        Waiter next = alive.waiter();
        alive.listens();
        dead.dies();
        release();
        settle();
        long start = lab.time.nanoTime();

        while (!next.isAcquired()) {
            lab.time.advance(next.pause());
            next.looksAgain();
        }

        assertThat(Duration.ofNanos(lab.time.nanoTime() - start)).isLessThan(Lab.TTL.plusMillis(2));
    }

    @Test
    void headAtItsDeadlineTriesOnceAndNotifiesTheNext() {
        Client client = client();
        Waiter brief = client.waiter(Lab.request(Duration.ofSeconds(1)).fair());
        Waiter next = client.waiter();
        client.listens();
        int asked = strategy.acquires.size();

        lab.time.advance(Duration.ofSeconds(1));
        brief.looksAgain();

        assertThat(brief.isContended()).isTrue();
        assertThat(strategy.acquires).hasSize(asked + 1);
        assertThat(queue.owners()).containsExactly(next.owner.stored());
        assertThat(next.wasWoken()).isTrue();
    }

    @Test
    void waiterBehindTheHeadSendsNothingAtItsDeadline() {
        client().waiter();
        Waiter brief = client().waiter(Lab.request(Duration.ofSeconds(1)).fair());
        int asked = strategy.acquires.size();

        lab.time.advance(Duration.ofSeconds(1));
        brief.looksAgain();

        assertThat(brief.isContended()).isTrue();
        assertThat(strategy.acquires).hasSize(asked);
        assertThat(queue.owners()).hasSize(1);
    }

    @Test
    void interruptedWaiterRemovesItsTicket() {
        Client client = client();
        Waiter first = client.waiter();
        Waiter second = client.waiter();
        client.listens();
        isFree();

        first.isInterrupted();
        settle();

        assertThat(second.isAcquired()).isTrue();
        assertThat(strategy.calls).doesNotContain("release");
    }

    /** The release was delivered while the head was still there; then the head left, without an event. */
    @Test
    void nextInTheQueueChecksAHeadThatDoesNotAcquire() {
        Waiter head = client().waiter();
        Client other = client();
        Waiter next = other.waiter();
        other.listens();
        isFree();
        other.hears(OperationType.REPLACE);
        settle();
        queue.forget(head.owner.stored());

        assertThat(next.pause()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        lab.time.advance(next.pause());
        next.looksAgain();

        assertThat(next.isAcquired()).isTrue();
    }

    @Test
    void expiredTicketIsReplacedAtTheEndOfTheQueue() {
        Client paused = client();
        Waiter late = paused.waiter();
        paused.listens();
        lab.time.advance(Lab.TTL);
        Client prompt = client();
        Waiter other = prompt.waiter();
        prompt.listens();

        late.looksAgain();
        release();
        settle();

        assertThat(queue.owners()).containsExactly(late.owner.stored());
        assertThat(served).containsExactly(other);
    }

    @Test
    void withoutAChangeStreamTheHeadIsFoundByPolling() {
        Client one = client();
        Client other = client();
        List<Waiter> both = List.of(one.waiter(), other.waiter());
        isFree();

        assertThat(both.get(1).pause()).isEqualTo(Lab.POLL);
        lab.time.advance(Lab.POLL);
        both.get(0).looksAgain();
        isFree();
        both.get(1).looksAgain();

        assertThat(served).containsExactlyElementsOf(both);
    }
}
