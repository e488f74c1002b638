package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.time.Timer.Timeout;

class DeadlineQueueTest {
    private static final Duration MAX_SLEEP = Duration.ofHours(1);

    private static final long EARLY = 10;

    private final List<Duration> wakeUps = new ArrayList<>();
    private final DeadlineQueue<DueAt> queue = new DeadlineQueue<>(this::schedule, () -> 0, MAX_SLEEP, () -> {});

    @Test
    void thoseThatAreDueAreTakenWithThoseThatMayBeTakenTogether() {
        DueAt first = put(100);
        DueAt together = put(105);
        DueAt later = put(200);

        assertThat(nearestNanos()).isEqualTo(100);
        assertThat(queue.takeDue(95)).containsExactly(first, together);
        assertThat(nearestNanos()).isEqualTo(200);
        assertThat(queue.takeDue(189)).isEmpty();
        assertThat(queue.takeDue(190)).containsExactly(later);
        assertThatNoneIsLeft();
    }

    @Test
    void thoseWithTheSameTimesAreTakenInTheOrderInWhichTheyWerePutIn() {
        DueAt first = put(100);
        DueAt second = put(100);
        DueAt third = put(100);
        queue.put(first, 100, 100 - EARLY);

        assertThat(queue.takeDue(100)).containsExactly(second, third, first);
    }

    @Test
    void aRemovedOneDoesNotTakeOthersWithIt() {
        DueAt removed = put(100);
        DueAt stays = put(100);

        queue.remove(removed);
        queue.remove(removed);
        assertThat(nearestNanos()).isEqualTo(100);

        assertThat(queue.takeDue(100)).containsExactly(stays);
        queue.remove(stays);
        assertThatNoneIsLeft();
    }

    @Test
    void anotherTimeMovesIt() {
        DueAt moved = put(100);
        DueAt stays = put(100);
        queue.put(moved, 300, 300 - EARLY);

        assertThat(queue.takeDue(100)).containsExactly(stays);
        assertThat(nearestNanos()).isEqualTo(300);
        assertThat(queue.takeDue(300)).containsExactly(moved);
    }

    @Test
    void timesMayOverflow() {
        DueAt before = put(Long.MAX_VALUE);
        DueAt after = put(Long.MIN_VALUE + 100);

        assertThat(queue.takeDue(Long.MAX_VALUE)).containsExactly(before);
        assertThat(queue.takeDue(Long.MIN_VALUE + 100)).containsExactly(after);
    }

    @Test
    void closedQueueStaysEmpty() {
        DueAt dropped = put(100);
        queue.close();

        assertThat(queue.takeDue(100)).isEmpty();
        queue.put(dropped, 100, 100 - EARLY);
        assertThat(queue.takeDue(100)).isEmpty();
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
        put(MAX_SLEEP.toNanos() + 1);

        assertThat(wakeUps).containsExactly(MAX_SLEEP);
    }

    /** The queue is as after a wake-up at that time. */
    private long nearestNanos() {
        wakeUps.clear();
        queue.takeDue(Long.MIN_VALUE / 2);
        queue.arm();
        return wakeUps.get(0).toNanos();
    }

    private void assertThatNoneIsLeft() {
        wakeUps.clear();
        queue.arm();
        assertThat(wakeUps).isEmpty();
    }

    private DueAt put(long dueNanos) {
        DueAt entry = new DueAt();
        queue.put(entry, dueNanos, dueNanos - EARLY);
        return entry;
    }

    private Timeout schedule(Duration delay, Runnable task) {
        wakeUps.add(delay);
        return () -> {};
    }

    private static final class DueAt extends DeadlineQueue.Entry {}
}
