package org.mongolocks.study.process.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

class HistoryMergerTest {
    private static final long ORIGIN = 1_000;

    private static Event event(long at, int process, Op op) {
        return new Event(0, at, process, op, Phase.OK, 0, 0, 0, 0, 0, 0, "");
    }

    private static List<Event> merged(Event... noted) {
        History history = new HistoryMerger(ORIGIN).history(Duration.ofNanos(500), List.of(noted));
        assertThat(history.ttlNanos()).isEqualTo(500);
        return history.events();
    }

    @Test
    void eventsAreInTheOrderOfTimeAndNumbered() {
        List<Event> events = merged(event(1_030, 1, Op.RELEASE), event(1_010, 2, Op.TOUCH), event(1_020, 1, Op.CRASH));

        assertThat(events).extracting(Event::op).containsExactly(Op.TOUCH, Op.CRASH, Op.RELEASE);
        assertThat(events).extracting(Event::seq).containsExactly(0L, 1L, 2L);
        assertThat(events).extracting(Event::atNanos).containsExactly(10L, 20L, 30L);
    }

    @Test
    void eventsAtTheSameTimeKeepTheirOrder() {
        List<Event> events = merged(event(1_010, 1, Op.WRITE_UNFENCED), event(1_010, 1, Op.WRITE_FENCED));

        assertThat(events).extracting(Event::op).containsExactly(Op.WRITE_UNFENCED, Op.WRITE_FENCED);
    }

    @Test
    void aLeaseIsOfTheSameTimeAsItsEvent() {
        Event granted = new Event(0, 1_010, 1, Op.ACQUIRE, Phase.OK, 1, 7, 7, 1_005, 1_400, 0, "");
        Event forEver = new Event(0, 1_020, 2, Op.RENEW, Phase.OK, 2, 8, 0, 1_015, Long.MAX_VALUE, 0, "");

        List<Event> events = merged(granted, forEver);

        assertThat(events).extracting(Event::fromNanos).containsExactly(5L, 15L);
        assertThat(events).extracting(Event::untilNanos).containsExactly(400L, Long.MAX_VALUE);
    }

    @Test
    void eventWithoutALeaseGetsNone() {
        assertThat(merged(event(1_010, 1, Op.TOUCH)))
                .allMatch(event -> event.fromNanos() == 0 && event.untilNanos() == 0);
    }
}
