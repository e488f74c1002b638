package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Tests of a waiter that was blocked, in the last quarter of {@code commandTimeout} before its deadline. */
class BlockedWaiterTest extends WaitingScene {
    private static final Duration UNTIL_THE_LAST_QUARTER = Duration.ofMillis(100);

    private final Waiter blocked = blocked();

    @Test
    void aReleaseIsNotMissed() {
        reachTheLastQuarter();
        strategy.forget().grants(2);

        feed.tells(OperationType.REPLACE, Lab.NAME.value());

        assertThat(blocked.wasWoken()).isTrue();
        assertThat(blocked.looksAgain().isAcquired()).isTrue();
    }

    @Test
    void aReleaseDuringTheBlockedAttemptIsNotMissed() {
        feed.tells(OperationType.REPLACE, Lab.NAME.value());
        strategy.forget().grants(2);

        reachTheLastQuarter();

        assertThat(blocked.isAcquired()).isTrue();
    }

    @Test
    void nextWaiterAttempts() {
        Waiter next = waiter();
        reachTheLastQuarter();
        int asked = strategy.acquires.size();

        assertThat(next.wasWoken()).isTrue();
        next.looksAgain();

        assertThat(strategy.acquires).hasSize(asked + 1);
    }

    @Test
    void aWaiterThatComesLaterAsks() {
        reachTheLastQuarter();
        int asked = strategy.acquires.size();

        waiter();

        assertThat(strategy.acquires).hasSize(asked + 1);
    }

    @Test
    void releaseWakesTheNextWaiter() {
        Waiter next = waiter();
        reachTheLastQuarter();
        next.looksAgain();
        strategy.forget().grants(2);

        feed.tells(OperationType.REPLACE, Lab.NAME.value());

        assertThat(blocked.wasWoken()).isFalse();
        assertThat(next.looksAgain().isAcquired()).isTrue();
    }

    private void reachTheLastQuarter() {
        lab.time.advance(UNTIL_THE_LAST_QUARTER);
        blocked.looksAgain();
    }

    private Waiter blocked() {
        strategy.forget()
                .shows(HELD)
                .answers(context -> new Step.Fail<>(
                        new Reply.Failed(Fault.AMBIGUOUS, new MongoOperationTimeoutException("no time was left"))));
        Waiter waiter = new Waiter(Duration.ofMillis(300));
        openWith(waiter);
        return waiter;
    }
}
