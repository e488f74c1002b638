package org.mongolocks.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

class AxisTest {
    private static final long MILLISECOND = 1_000_000;

    private static Event event(int process, long atMilliseconds) {
        return new Event(0, atMilliseconds * MILLISECOND, process, Op.TOUCH, Phase.OK, process, 0, 0, 0, 0, 0, "");
    }

    private static Axis axis(Event... events) {
        Violation violation = new Violation(Finding.HELD_TWICE, 1, 2, events[0].atNanos());
        return Axis.of(new CounterExample(violation, List.of(events), List.of()), List.of(violation.atNanos()));
    }

    @Test
    void laterEventsAreFartherRight() {
        Axis axis = axis(event(1, 1), event(2, 2), event(1, 1_000), event(2, 20_000));

        List<Double> places = IntStream.range(0, 25_000)
                .mapToObj(at -> axis.x(at * MILLISECOND))
                .toList();
        assertThat(places).isSorted();
        assertThat(places).allMatch(x -> x >= Axis.LEFT && x <= axis.end());
        assertThat(axis.x(20_000 * MILLISECOND)).isLessThan(axis.width());
    }

    @Test
    void aMillisecondIsSeenBesideTenSeconds() {
        Axis axis = axis(event(1, 1), event(2, 2), event(1, 10_002));

        double millisecond = axis.x(2 * MILLISECOND) - axis.x(MILLISECOND);
        double tenSeconds = axis.x(10_002 * MILLISECOND) - axis.x(2 * MILLISECOND);
        assertThat(millisecond).isGreaterThan(50);
        assertThat(tenSeconds).isGreaterThan(3 * millisecond);
    }

    @Test
    void serverIsInTheMiddleAndAllProcessesSendTowardsIt() {
        Axis axis = axis(event(1, 1), event(4, 2), event(7, 3), event(0, 4));

        assertThat(axis.processes()).containsExactly(1, 4, 0, 7);
        assertThat(Stream.of(1, 4, 7).map(axis::towardsServer)).containsExactly(1, 1, -1);
    }

    @Test
    void whereNothingWasSentAndTheServerDidNothingThereIsNoServer() {
        assertThat(axis(event(3, 1), event(2, 2)).processes()).containsExactly(2, 3);
    }

    @Test
    void aLoneEventHasAPlace() {
        Axis axis = axis(event(1, 5));

        assertThat(axis.x(5 * MILLISECOND)).isEqualTo(Axis.LEFT);
        assertThat(axis.x(Long.MAX_VALUE)).isEqualTo(axis.end());
    }

    @Test
    void labelsAreFullShortOrMergedByTheSpaceLeft() {
        TimelineLabels labels = new TimelineLabels();
        labels.add(0, "a", "a find");
        labels.add(100, "b", "b find");
        labels.add(120, "c", "c find");
        labels.add(125, "d", "d find");
        labels.add(130, "e", "e find");

        assertThat(labels.at(1, 200, "letter"))
                .contains(">a find<", ">b<", ">c–e<")
                .doesNotContain(">d");
    }
}
