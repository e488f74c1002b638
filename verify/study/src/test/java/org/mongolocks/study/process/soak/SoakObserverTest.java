package org.mongolocks.study.process.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/** Tests of the choice of locks for workers, and of the time at which a lock is checked. */
class SoakObserverTest {
    private static final Technique TECHNIQUE = RealTechniques.named("insert-unique");
    private static final long SEED = 1;

    private final SoakResult result = new SoakResult();
    private final List<SoakLock> cut = new ArrayList<>();
    private final List<Integer> answers = new ArrayList<>();

    private SoakObserver observer(Duration cutAfter) {
        return new SoakObserver(List.of(new SoakLock(1, TECHNIQUE, cutAfter)), result, cut::add, SEED);
    }

    private void asks(SoakObserver observer, int child) {
        observer.next(child, new ChildMessage.Next(1, TECHNIQUE.name()), answers::add);
    }

    @Test
    void workerGetsALock() {
        asks(observer(Duration.ofDays(1)), 1);

        assertThat(answers).containsExactly(1);
    }

    @Test
    void workerWaitsWhileTheOnlyLockIsChecked() {
        SoakObserver observer = observer(Duration.ZERO);

        asks(observer, 1);

        assertThat(cut).hasSize(1);
        assertThat(answers).isEmpty();
    }

    @Test
    void waitingWorkersEndWithTheRun() {
        SoakObserver observer = observer(Duration.ZERO);
        asks(observer, 1);

        observer.ends();
        asks(observer, 2);

        assertThat(answers).containsExactly(ParentMessage.NO_LOCK, ParentMessage.NO_LOCK);
    }

    @Test
    void waitingWorkerOfAKilledClientGetsNoAnswer() {
        SoakObserver observer = observer(Duration.ZERO);
        asks(observer, 1);

        observer.gone(1);
        observer.ends();

        assertThat(answers).isEmpty();
    }

    @Test
    void lockOfAKilledClientIsUnused() {
        SoakLock lock = new SoakLock(1, TECHNIQUE, Duration.ofDays(1));
        SoakObserver observer = new SoakObserver(List.of(lock), result, cut::add, SEED);
        asks(observer, 1);
        assertThat(lock.isUsed()).isTrue();

        observer.gone(1);

        assertThat(lock.isUsed()).isFalse();
    }

    @Test
    void lockIsUnusedWhenItsWorkerAsksForTheNext() {
        SoakLock lock = new SoakLock(1, TECHNIQUE, Duration.ofDays(1));
        SoakObserver observer = new SoakObserver(List.of(lock), result, cut::add, SEED);
        asks(observer, 1);
        observer.ends();

        asks(observer, 1);

        assertThat(lock.isUsed()).isFalse();
    }
}
