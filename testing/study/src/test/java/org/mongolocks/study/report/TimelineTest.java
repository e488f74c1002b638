package org.mongolocks.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** The data of a picture. */
class TimelineTest {
    private static final long MILLISECOND = 1_000_000;

    private static Event event(int process, long atMilliseconds) {
        return new Event(0, atMilliseconds * MILLISECOND, process, Op.TOUCH, Phase.OK, process, 0, 0, 0, 0, 0, "");
    }

    private static Document picture(Event... events) {
        Violation violation = new Violation(Finding.HELD_TWICE, 1, 2, events[0].atNanos());
        return new Timeline(new CounterExample(violation, List.of(events), List.of()), List.of(violation)).data();
    }

    @Test
    void momentsAreInOrderAndEachOnce() {
        assertThat(picture(event(1, 1), event(2, 2), event(1, 2), event(2, 20_000))
                        .getList("moments", Long.class))
                .containsExactly(MILLISECOND, 2 * MILLISECOND, 20_000 * MILLISECOND);
    }

    @Test
    void serverIsInTheMiddle() {
        assertThat(picture(event(1, 1), event(4, 2), event(7, 3), event(0, 4)).getList("processes", String.class))
                .containsExactly("client 1", "client 4", "server", "client 7");
    }

    @Test
    void whereNothingWasSentAndTheServerDidNothingThereIsNoServer() {
        assertThat(picture(event(3, 1), event(2, 2)).getList("processes", String.class))
                .containsExactly("client 2", "client 3");
    }
}
