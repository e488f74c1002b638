package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.technique.Techniques;

/** Tests that a valid history becomes invalid by one change. */
class MutationTest {
    private final History valid = Simulation.run(
                    Scenarios.all().get(0), Techniques.shipped().get(0), 1)
            .history();
    private final List<Event> grants = valid.events().stream()
            .filter(event -> event.is(Op.ACQUIRE, Phase.OK))
            .toList();

    @Test
    void theHistoryIsValidAsItIs() {
        assertThat(grants).hasSizeGreaterThan(10);
        assertThat(check(valid.events()).violations()).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> eachMutationIsFlagged() {
        Event third = grants.get(2);
        Event fourth = grants.get(3);
        return Stream.of(
                flags(
                        "two tokens change places",
                        Finding.TOKEN_WENT_BACK,
                        event -> Stream.of(tokens(event, third, fourth))),
                flags(
                        "a token comes again",
                        Finding.TOKEN_REUSED,
                        event -> Stream.of(event.equals(fourth) ? token(event, third.token()) : event)),
                flags(
                        "a release is not there",
                        Finding.HELD_TWICE,
                        event -> event.op() == Op.RELEASE && event.grant() == third.grant()
                                ? Stream.of()
                                : Stream.of(event)),
                flags(
                        "a grant comes early",
                        Finding.HELD_TWICE,
                        event -> Stream.of(event.equals(fourth) ? at(event, third.atNanos() + 1) : event)),
                flags(
                        "the commits of two holders change places",
                        Finding.STALE_UNFENCED,
                        event -> Stream.of(commits(event, third, fourth))),
                flags(
                        "a write is counted twice",
                        Finding.UPDATE_LOST,
                        event -> event.is(Op.WRITE_UNFENCED, Phase.OK) ? Stream.of(event, event) : Stream.of(event)),
                flags(
                        "the last one gets nothing",
                        Finding.LEAK,
                        event -> Stream.of(event.is(Op.PROBE, Phase.OK) ? failed(event) : event)));
    }

    private DynamicTest flags(String mutation, Finding finding, Function<Event, Stream<Event>> change) {
        return DynamicTest.dynamicTest(
                mutation,
                () -> assertThat(check(new ArrayList<>(
                                        valid.events().stream().flatMap(change).toList()))
                                .has(finding))
                        .isTrue());
    }

    private Verdict check(List<Event> events) {
        return Checker.check(new History(valid.ttlNanos(), events), Script.LEASED);
    }

    private static Event tokens(Event event, Event one, Event other) {
        if (event.equals(one)) {
            return token(event, other.token());
        }
        return event.equals(other) ? token(event, one.token()) : event;
    }

    private static Event commits(Event event, Event one, Event other) {
        if (event.grant() == one.grant()) {
            return commit(event, other.commit());
        }
        return event.grant() == other.grant() ? commit(event, one.commit()) : event;
    }

    private static Event token(Event e, long token) {
        return copy(e, e.atNanos(), e.phase(), token, e.commit());
    }

    private static Event commit(Event e, long commit) {
        return copy(e, e.atNanos(), e.phase(), e.token(), commit);
    }

    private static Event at(Event e, long atNanos) {
        return copy(e, atNanos, e.phase(), e.token(), e.commit());
    }

    private static Event failed(Event e) {
        return copy(e, e.atNanos(), Phase.FAIL, e.token(), e.commit());
    }

    private static Event copy(Event e, long at, Phase phase, long token, long commit) {
        return new Event(
                e.seq(),
                at,
                e.process(),
                e.op(),
                phase,
                e.grant(),
                token,
                commit,
                e.fromNanos(),
                e.untilNanos(),
                e.value(),
                e.note());
    }
}
