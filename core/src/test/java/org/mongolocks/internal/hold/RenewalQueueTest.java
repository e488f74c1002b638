package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of the order in which leases are renewed. */
class RenewalQueueTest {
    private static final long EARLY = 10;

    private final HoldingLab lab = new HoldingLab();
    private final AtomicInteger locks = new AtomicInteger();
    private final RenewalQueue queue = new RenewalQueue();

    @Test
    void thoseThatAreDueAreTakenWithThoseThatMayBeRenewedTogether() {
        DueAt first = put(100);
        DueAt together = put(105);
        DueAt later = put(200);

        assertThat(queue.firstDueNanos()).hasValue(100L);
        assertThat(queue.take(95)).containsExactly(first, together);
        assertThat(queue.firstDueNanos()).hasValue(200L);
        assertThat(queue.take(189)).isEmpty();
        assertThat(queue.take(190)).containsExactly(later);
        assertThat(queue.firstDueNanos()).isEmpty();
    }

    @Test
    void thoseWithTheSameTimesAreTakenInTheOrderInWhichTheyWerePutIn() {
        DueAt first = put(100);
        DueAt second = put(100);
        DueAt third = put(100);
        queue.put(first);

        assertThat(queue.take(100)).containsExactly(second, third, first);
    }

    @Test
    void aRemovedOneDoesNotTakeOthersWithIt() {
        DueAt removed = put(100);
        DueAt stays = put(100);

        queue.remove(removed);
        queue.remove(removed);
        assertThat(queue.firstDueNanos()).hasValue(100L);

        assertThat(queue.take(100)).containsExactly(stays);
        queue.remove(stays);
        assertThat(queue.firstDueNanos()).isEmpty();
    }

    @Test
    void anotherTimeMovesIt() {
        DueAt moved = put(100);
        DueAt stays = put(100);
        moved.due = 300;
        queue.put(moved);

        assertThat(queue.take(100)).containsExactly(stays);
        assertThat(queue.firstDueNanos()).hasValue(300L);
        assertThat(queue.take(300)).containsExactly(moved);
    }

    @Test
    void timesMayOverflow() {
        DueAt before = put(Long.MAX_VALUE);
        DueAt after = put(Long.MIN_VALUE + 100);

        assertThat(queue.firstDueNanos()).hasValue(Long.MAX_VALUE);
        assertThat(queue.take(Long.MAX_VALUE)).containsExactly(before);
        assertThat(queue.take(Long.MIN_VALUE + 100)).containsExactly(after);
    }

    @Test
    void clearedQueueIsEmptyAndUsable() {
        DueAt cleared = put(100);
        queue.clear();

        assertThat(queue.take(100)).isEmpty();
        queue.put(cleared);
        assertThat(queue.take(100)).containsExactly(cleared);
    }

    private DueAt put(long dueNanos) {
        DueAt schedule = new DueAt(dueNanos);
        queue.put(schedule);
        return schedule;
    }

    /** A schedule with a given due time. */
    private final class DueAt extends RenewalSchedule {
        private long due;

        DueAt(long due) {
            super(lab.hold("lock-" + locks.incrementAndGet(), false), lab.settings());
            this.due = due;
        }

        @Override
        synchronized long dueNanos() {
            return due;
        }

        @Override
        synchronized long earlyNanos() {
            return EARLY;
        }
    }
}
