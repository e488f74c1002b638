package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.process.RunObserver.State;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/** Tests of the choice of locks for workers, and of what other threads wait for. */
class RunObserverTest {
    private static final Technique TECHNIQUE = RealTechniques.named("insert-unique");

    private final RunObserver observer = new RunObserver(List.of(new LockHistory(1, TECHNIQUE)), new Judge(), 1);

    private int asks(int child) {
        return observer.next(child, new ChildMessage.Next(1, TECHNIQUE.name(), 0));
    }

    @Test
    void workersGetLocksBetweenTheBeginningAndTheEnd() {
        assertThat(asks(1)).isEqualTo(ParentMessage.NO_LOCK_YET);
        observer.setState(State.OPEN);
        assertThat(asks(1)).isEqualTo(1);
        observer.setState(State.OVER);
        assertThat(asks(1)).isEqualTo(ParentMessage.NO_LOCK);
    }

    @Test
    void locksAreUnusedWhenTheirWorkersAskForTheNextOrAreKilled() {
        observer.setState(State.OPEN);
        asks(1);
        asks(2);
        observer.setState(State.CLOSED);
        assertThat(observer.isIdle()).isFalse();

        asks(1);
        assertThat(observer.isIdle()).isFalse();
        observer.gone(2);

        assertThat(observer.isIdle()).isTrue();
    }

    @Test
    void awaitReturnsWhetherTheConditionHolds() throws InterruptedException {
        assertThat(observer.await(() -> true, Duration.ofMinutes(1))).isTrue();
        assertThat(observer.await(() -> false, Duration.ZERO)).isFalse();
    }

    @Test
    void awaitThrowsTheFirstFailure() {
        observer.fail(new RunFailedException("first"));
        observer.fail(new RunFailedException("second"));

        assertThatThrownBy(() -> observer.await(() -> false, Duration.ofMinutes(1)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("first");
    }
}
