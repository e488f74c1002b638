package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

class WaiterQueuesTest extends WaitingScene {
    @Test
    void onlyTheFirstWaiterAttempts() {
        waiter();
        waiter();
        waiter();
        assertThat(strategy.acquires).hasSize(1);

        lab.time.advance(Lab.POLL);
        waiters.forEach(Waiter::looksAgain);

        assertThat(strategy.acquires).hasSize(2);
    }

    @Test
    void releaseWakesOnlyTheFirstWaiter() {
        openWith(waiter(), waiter());
        int asked = strategy.acquires.size();
        strategy.forget().grants(2);

        feed.tells(OperationType.REPLACE, Lab.NAME.value());

        assertThat(waiters.get(0).wasWoken()).isTrue();
        assertThat(waiters.get(1).wasWoken()).isFalse();
        assertThat(waiters.get(0).looksAgain().isAcquired()).isTrue();
        assertThat(strategy.acquires).hasSize(asked + 1);
    }

    @Test
    void notifiedWaiterSendsNotifiedFreeAsTheLastKnownState() {
        openWith(waiter());
        assertThat(lastAsked().lastSeen()).isEqualTo(LastKnownState.HELD);

        feed.tells(OperationType.DELETE, Lab.NAME.value());
        waiters.get(0).looksAgain();

        assertThat(lastAsked().lastSeen()).isEqualTo(LastKnownState.BECAME_FREE);
        assertThat(queues.lastSeen(Lab.NAME)).isEqualTo(LastKnownState.HELD);
    }

    @Test
    void firstWaiterWithAStreamAttemptsOnlyWhenTheLeaseEnds() {
        openWith(waiter());
        int asked = strategy.acquires.size();

        lab.time.advance(LEASE_LEFT.minusMillis(1));
        waiters.get(0).looksAgain();
        assertThat(strategy.acquires).hasSize(asked);

        lab.time.advance(Duration.ofMillis(1));
        waiters.get(0).looksAgain();
        assertThat(strategy.acquires).hasSize(asked + 1);
    }

    @Test
    void renewedLeaseIsCheckedAgainAtItsNewEnd() {
        Duration longer = LEASE_LEFT.plusMillis(500);
        openWith(waiter());
        strategy.forget().contends(Lab.heldBy("other", 2, Optional.of(longer)));

        assertThat(questionsIn(LEASE_LEFT)).isOne();
        assertThat(questionsIn(longer.minusMillis(1))).isZero();
        assertThat(questionsIn(Duration.ofMillis(1))).isOne();
    }

    @Test
    void waiterWithoutTheEndOfTheLeaseAttemptsThreeTimesPerTtl() {
        strategy.forget().contends(Lab.heldBy("other", 1, Optional.empty()));
        openWith(waiter());

        assertThat(questionsIn(Lab.TTL.dividedBy(3).minusMillis(1))).isZero();
        assertThat(questionsIn(Duration.ofMillis(1))).isOne();
    }

    @Test
    void grantMakesTheNextWaiterFirstWithoutAnAttempt() {
        openWith(waiter(), waiter());
        strategy.forget().grants(2);
        feed.tells(OperationType.UPDATE, Lab.NAME.value());
        waiters.get(0).looksAgain();
        int asked = strategy.acquires.size();

        assertThat(waiters.get(1).wasWoken()).isTrue();
        waiters.get(1).looksAgain();

        assertThat(strategy.acquires).hasSize(asked);
    }

    @Test
    void waiterThatWasNeverFirstIsContendedWithTheHolder() {
        waiter();
        Waiter brief = new Waiter(Duration.ofMillis(50));

        lab.time.advance(Duration.ofMillis(50));

        assertThat(brief.looksAgain().outcome()).isEqualTo(new LockOutcome.Contended(HELD));
        assertThat(strategy.acquires).hasSize(1);
    }

    @Test
    void releaseOfTheSameClientWakesTheFirstWaiterWithoutAStream() {
        Waiter waiter = waiter();
        strategy.forget().grants(2);

        lab.run(queues.notifyingWaiters(Lab.NAME, Step.done(true)));

        assertThat(waiter.wasWoken()).isTrue();
        assertThat(waiter.looksAgain().isAcquired()).isTrue();
    }

    private AcquireContext lastAsked() {
        return strategy.acquires.get(strategy.acquires.size() - 1);
    }

    /** Lets time pass, runs the head, and counts its attempts. */
    private int questionsIn(Duration time) {
        int before = strategy.acquires.size();
        lab.time.advance(time);
        waiters.get(0).looksAgain();
        return strategy.acquires.size() - before;
    }
}
