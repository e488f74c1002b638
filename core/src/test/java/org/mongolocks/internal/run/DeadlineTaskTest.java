package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.time.ManualTime;
import org.mongolocks.time.ManualTimer;
import org.mongolocks.time.Timer;

class DeadlineTaskTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final ManualTimer sleeper = new ManualTimer(time);
    private final List<String> done = new ArrayList<>();
    private int sleeps;
    private boolean isBroken;
    private final Timer timer = new DeadlineQueue(this::sleep, time);

    @Test
    void eachTaskRunsWhenItIsDue() {
        timer.schedule(SECOND.multipliedBy(2), () -> done.add("later"));
        timer.schedule(SECOND, () -> done.add("sooner"));

        sleeper.advance(SECOND.minusNanos(1));
        assertThat(done).isEmpty();
        sleeper.advance(Duration.ofNanos(1));
        assertThat(done).containsExactly("sooner");
        sleeper.advance(SECOND);
        assertThat(done).containsExactly("sooner", "later");
    }

    @Test
    void tasksThatAreDueTogetherRunInTheirOrder() {
        timer.schedule(SECOND, () -> done.add("first"));
        timer.schedule(SECOND, () -> done.add("second"));

        sleeper.advance(SECOND);

        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void aTaskThatWasCalledOffDoesNotRun() {
        Timer.Timeout timeout = timer.schedule(SECOND, () -> done.add("called off"));

        timeout.cancel();
        sleeper.advance(SECOND.multipliedBy(2));

        assertThat(done).isEmpty();
    }

    @Test
    void aTaskThatBeginsAnotherFindsItDone() {
        timer.schedule(SECOND, () -> timer.schedule(SECOND, () -> done.add("another")));

        sleeper.advance(SECOND.multipliedBy(2));

        assertThat(done).containsExactly("another");
    }

    @Test
    void tasksThatComeAndGoBeforeTheyAreDueTakeOneSleep() {
        for (int lock = 0; lock < 100; lock++) {
            timer.schedule(SECOND, () -> done.add("never")).cancel();
            time.advance(Duration.ofMillis(1));
        }

        assertThat(sleeps).isEqualTo(1);
    }

    @Test
    void aTaskThatIsDueSoonerEndsTheSleepSooner() {
        timer.schedule(SECOND, () -> done.add("later"));
        timer.schedule(Duration.ofMillis(1), () -> done.add("sooner"));

        sleeper.advance(Duration.ofMillis(1));

        assertThat(done).containsExactly("sooner");
        assertThat(sleeper.size()).isEqualTo(1);
    }

    @Test
    void sleepEndsWhenAllTasksAreCancelled() {
        timer.schedule(Duration.ofDays(1), () -> done.add("never")).cancel();

        sleeper.advance(DeadlineQueue.MAX_SLEEP);

        assertThat(sleeper.size()).isZero();
    }

    @Test
    void aLongTimeIsSleptInParts() {
        timer.schedule(Duration.ofHours(1), () -> done.add("long after"));

        sleeper.advance(Duration.ofHours(1).minusNanos(1));
        assertThat(done).isEmpty();
        sleeper.advance(Duration.ofNanos(1));

        assertThat(done).containsExactly("long after");
    }

    @Test
    void aTaskThatFailsKeepsNoLaterOneFromRunning() {
        timer.schedule(SECOND, () -> {
            throw new IllegalStateException("broken");
        });
        timer.schedule(SECOND.multipliedBy(2), () -> done.add("later"));

        assertThatThrownBy(() -> sleeper.advance(SECOND)).hasMessage("broken");
        sleeper.advance(SECOND);

        assertThat(done).containsExactly("later");
    }

    @Test
    void aTaskThatFailsKeepsNoneThatIsDueWithItFromRunning() {
        timer.schedule(SECOND, () -> {
            throw new IllegalStateException("broken");
        });
        timer.schedule(SECOND, () -> done.add("with it"));

        assertThatThrownBy(() -> sleeper.advance(SECOND)).hasMessage("broken");
        sleeper.advance(Duration.ofNanos(1));

        assertThat(done).containsExactly("with it");
    }

    @Test
    void aSleepThatCannotBeginIsTriedAgainWithTheNextTask() {
        isBroken = true;
        assertThatThrownBy(() -> timer.schedule(SECOND, () -> done.add("first")))
                .hasMessage("no thread");
        isBroken = false;
        timer.schedule(SECOND, () -> done.add("second"));

        sleeper.advance(SECOND);

        assertThat(done).containsExactly("first", "second");
    }

    private Timer.Timeout sleep(Duration delay, Runnable task) {
        if (isBroken) {
            throw new IllegalStateException("no thread");
        }
        sleeps++;
        return sleeper.schedule(delay, task);
    }
}
