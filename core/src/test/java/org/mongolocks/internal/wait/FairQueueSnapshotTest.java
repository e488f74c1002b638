package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;

class FairQueueSnapshotTest extends QueueScene {
    @Test
    void fairWaitersOfSeveralClientsAreServedInOrder() {
        Client one = client();
        Client other = client();
        List<Waiter> asked = List.of(one.waiter(), other.waiter(), one.waiter(), other.waiter());
        one.listens();
        other.listens();

        for (int grants = 0; grants < 4; grants++) {
            release();
            settle();
        }

        assertThat(served).containsExactlyElementsOf(asked);
        assertThat(queue.exists()).isFalse();
    }

    @Test
    void onlyTheHeadAsksForTheLock() {
        Client one = client();
        Client other = client();
        one.waiter();
        other.waiter();
        one.listens();
        other.listens();
        int asked = strategy.acquires.size();

        other.hears(OperationType.REPLACE);
        settle();

        assertThat(strategy.acquires).hasSize(asked);
    }

    @Test
    void knownHeadAcquiresWithoutReadingTheQueue() {
        Client client = client();
        Waiter first = client.waiter();
        client.listens();
        queue.commands.clear();

        release();
        settle();

        assertThat(first.isAcquired()).isTrue();
        assertThat(queue.commands).containsExactly("queue/leave-as-last");
    }

    @Test
    void theTicketIsGoneBeforeTheGrantIsGranted() {
        Client client = client();
        Waiter first = client.waiter();
        Waiter second = client.waiter();
        client.listens();

        release();
        first.looksAgain();

        assertThat(first.isAcquired()).isTrue();
        assertThat(queue.owners()).containsExactly(second.owner.stored());
    }

    @Test
    void costOfAGrantDoesNotGrowWithTheNumberOfWaiters() {
        Client client = client();
        for (int waiters = 0; waiters < 100; waiters++) {
            client.waiter();
        }
        client.listens();
        queue.commands.clear();
        int asked = strategy.acquires.size();

        for (int grants = 0; grants < 50; grants++) {
            release();
            settle();
        }

        assertThat(served).hasSize(50);
        assertThat(queue.commands).hasSize(50).containsOnly("queue/leave");
        assertThat(strategy.acquires).hasSize(asked + 50);
    }

    @Test
    void aFreeLockIsGrantedAtOnceAndLeavesNoQueue() {
        isFree();

        assertThat(client().waiter().isAcquired()).isTrue();

        assertThat(queue.commands).containsExactly("queue/add-ticket", "queue/leave-as-last");
        assertThat(queue.exists()).isFalse();
        assertThat(clients.get(0).feed.opened()).isZero();
    }

    @Test
    void fairTryIsContendedWhileTheQueueIsNotEmpty() {
        client().waiter();
        isFree();
        int asked = strategy.acquires.size();

        Waiter brisk = client().waiter(Lab.request(Duration.ZERO).fair());

        assertThat(brisk.isContended()).isTrue();
        assertThat(strategy.acquires).hasSize(asked);
        assertThat(queue.owners()).hasSize(1);
    }

    @Test
    void fairTryWithAnEmptyQueueAcquiresWithoutATicket() {
        isFree();

        Waiter brisk = client().waiter(Lab.request(Duration.ZERO).fair());

        assertThat(brisk.isAcquired()).isTrue();
        assertThat(queue.commands).containsExactly("queue/read");
    }

    @Test
    void aRequestThatKeepsNoOrderComesInBetween() {
        Client client = client();
        Waiter inOrder = client.waiter();
        client.listens();
        Waiter other = client.waiter(Lab.request(PATIENT));

        isFree();
        client.hears(OperationType.REPLACE);
        assertThat(other.wasWoken()).isTrue();
        assertThat(inOrder.wasWoken()).isTrue();
        other.looksAgain();
        settle();

        assertThat(served).containsExactly(other);
        assertThat(inOrder.isWaiting()).isTrue();
    }

    @Test
    void aLockThatIsFreedWhileATicketIsTakenIsNotMissed() {
        Client client = client();
        Waiter other = client().waiter();
        Waiter before = client.waiter();
        client.listens();
        before.isInterrupted();
        queue.meanwhile(() -> {
            queue.forget(other.owner.stored());
            release();
        });

        Waiter late = client.waiter();
        elapse(FairWaiterQueue.MIN_REMOVAL_EXPECTED);

        assertThat(late.isAcquired()).isTrue();
    }

    @Test
    void retriedTicketRequestReturnsTheSameTicket() {
        Client client = client();
        queue.losesAnswers(1);

        Waiter first = client.waiter();
        Waiter second = client.waiter();

        assertThat(queue.owners()).containsExactly(first.owner.stored(), second.owner.stored());
    }

    @Test
    void failedRemovalOfATicketDoesNotHideTheGrant() {
        Client client = client();
        Waiter first = client.waiter();
        client.listens();
        queue.losesAnswers(1);

        release();
        settle();

        assertThat(first.isAcquired()).isTrue();
    }

    @Test
    void failedTicketRequestFailsAndLeavesNoTicket() {
        queue.losesAnswers(Lab.MAX_ATTEMPTS);
        LockRequest request = Lab.request(PATIENT).fair();

        Waiter unlucky = client().waiter(request);

        assertThat(unlucky.isWaiting()).isFalse();
        assertThat(unlucky.isAcquired()).isFalse();
        assertThat(queue.owners()).isEmpty();
        assertThat(strategy.acquires).isEmpty();
    }
}
