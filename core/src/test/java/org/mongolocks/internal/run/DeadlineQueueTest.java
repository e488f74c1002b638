package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.time.Timer.Timeout;

class DeadlineQueueTest {
    private static final long EARLY = 10;

    private final List<Duration> wakeUps = new ArrayList<>();
    private final List<DueAt> taken = new ArrayList<>();
    private long now;
    private Runnable wake = () -> {};
    private final DeadlineQueue queue = new DeadlineQueue(this::schedule, () -> now);

    @Test
    void thoseThatAreDueAreTakenWithThoseThatMayBeTakenTogether() {
        DueAt first = put(100);
        DueAt together = put(105);
        DueAt later = put(200);

        assertThat(nearestNanos()).isEqualTo(100);
        assertThat(takeDue(99)).isEmpty();
        assertThat(takeDue(100)).containsExactly(first, together);
        assertThat(nearestNanos()).isEqualTo(200);
        assertThat(takeDue(199)).isEmpty();
        assertThat(takeDue(200)).containsExactly(later);
        assertThatNoneIsLeft();
    }

    @Test
    void thoseWithTheSameTimesAreTakenInTheOrderInWhichTheyWerePutIn() {
        DueAt first = put(100);
        DueAt second = put(100);
        DueAt third = put(100);
        queue.put(first, 100, 100 - EARLY);

        assertThat(takeDue(100)).containsExactly(second, third, first);
    }

    @Test
    void aRemovedOneDoesNotTakeOthersWithIt() {
        DueAt removed = put(100);
        DueAt stays = put(100);

        assertThat(queue.remove(removed)).isTrue();
        assertThat(queue.remove(removed)).isFalse();
        assertThat(nearestNanos()).isEqualTo(100);

        assertThat(takeDue(100)).containsExactly(stays);
        assertThat(queue.remove(stays)).as("taken, and removed afterwards").isTrue();
        assertThatNoneIsLeft();
    }

    @Test
    void anotherTimeMovesIt() {
        DueAt moved = put(100);
        DueAt stays = put(100);
        queue.put(moved, 300, 300 - EARLY);

        assertThat(takeDue(100)).containsExactly(stays);
        assertThat(nearestNanos()).isEqualTo(300);
        assertThat(takeDue(300)).containsExactly(moved);
    }

    @Test
    void timesMayOverflow() {
        DueAt before = put(Long.MAX_VALUE);
        DueAt after = put(Long.MIN_VALUE + 100);

        assertThat(takeDue(Long.MAX_VALUE)).containsExactly(before);
        assertThat(takeDue(Long.MIN_VALUE + 100)).containsExactly(after);
    }

    @Test
    void closedQueueStaysEmpty() {
        DueAt dropped = put(100);
        queue.close();

        assertThat(takeDue(100)).isEmpty();
        queue.put(dropped, 100, 100 - EARLY);
        assertThat(takeDue(100)).isEmpty();
    }

    @Test
    void wakeUpIsMovedOnlyToAnEarlierTime() {
        put(100);
        put(200);
        put(50);

        assertThat(wakeUps).containsExactly(Duration.ofNanos(100), Duration.ofNanos(50));
    }

    @Test
    void oneWakeUpIsBounded() {
        put(DeadlineQueue.MAX_SLEEP.toNanos() + 1);

        assertThat(wakeUps).containsExactly(DeadlineQueue.MAX_SLEEP);
    }

    /** Wakes the queue at that time. */
    private List<DueAt> takeDue(long nanos) {
        now = nanos;
        taken.clear();
        wake.run();
        return List.copyOf(taken);
    }

    private long nearestNanos() {
        wakeUps.clear();
        wake.run();
        return now + wakeUps.get(0).toNanos();
    }

    private void assertThatNoneIsLeft() {
        wakeUps.clear();
        wake.run();
        assertThat(wakeUps).isEmpty();
    }

    private DueAt put(long dueNanos) {
        DueAt entry = new DueAt();
        queue.put(entry, dueNanos, dueNanos - EARLY);
        return entry;
    }

    private Timeout schedule(Duration delay, Runnable task) {
        wakeUps.add(delay);
        wake = task;
        return () -> {};
    }

    private final class DueAt extends DeadlineQueue.Entry {
        @Override
        protected void onDue() {
            taken.add(this);
        }
    }
}
