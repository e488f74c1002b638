package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
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

/** Tests that valid histories of features that only this library has become invalid by one change. */
class UseMutationTest {
    private static final int SEED = 1;

    @TestFactory
    Stream<DynamicTest> theHistoriesAreValidAsTheyAre() {
        return Stream.of("healthy", "reentrant", "in-order", "several")
                .map(name -> DynamicTest.dynamicTest(
                        name, () -> assertThat(check(run(name)).violations()).isEmpty()));
    }

    @TestFactory
    Stream<DynamicTest> aMiscountIsFlagged() {
        History valid = run("reentrant");
        Event second = nth(valid, 2, event -> event.op() == Op.ENTER);
        Event left = nth(valid, 2, event -> event.op() == Op.LEAVE);
        return Stream.of(
                flags(valid, "an entry has another token", Finding.MISCOUNTED, changed(second, e -> token(e, 999))),
                flags(valid, "an entry is not released", Finding.MISCOUNTED, without(e -> e.equals(left))),
                flags(
                        valid,
                        "an entry is released twice",
                        Finding.MISCOUNTED,
                        e -> e.equals(left) ? Stream.of(e, e) : Stream.of(e)),
                flags(
                        valid,
                        "the last one releases nothing",
                        Finding.MISCOUNTED,
                        without(e -> e.op() == Op.RELEASE && e.grant() == left.grant())));
    }

    @TestFactory
    Stream<DynamicTest> grantOutOfTurnIsFlagged() {
        History valid = run("in-order");
        Event third = nth(valid, 3, event -> event.is(Op.ACQUIRE, Phase.OK));
        Event fifth = nth(valid, 5, event -> event.is(Op.ACQUIRE, Phase.OK));
        return Stream.of(
                flags(
                        valid,
                        "two grants change places",
                        Finding.OUT_OF_TURN,
                        e -> Stream.of(
                                e.equals(third)
                                        ? commit(e, fifth.commit())
                                        : e.equals(fifth) ? commit(e, third.commit()) : e)),
                flags(
                        valid,
                        "a place in the queue is that of the next",
                        Finding.OUT_OF_TURN,
                        e -> Stream.of(
                                e.op() == Op.QUEUED && e.grant() == third.grant() ? commit(e, Long.MAX_VALUE) : e)));
    }

    @TestFactory
    Stream<DynamicTest> aGuardedWriteOutOfPlaceIsFlagged() {
        History valid = run("healthy");
        Event written = nth(valid, 3, event -> event.is(Op.WRITE_GUARDED, Phase.OK));
        long nextGrant = valid.events().stream()
                .filter(event -> event.is(Op.ACQUIRE, Phase.OK) && event.commit() > written.commit())
                .mapToLong(Event::commit)
                .min()
                .orElseThrow();
        return Stream.of(
                flags(
                        valid,
                        "a commit comes after the next grant",
                        Finding.STALE_GUARDED,
                        changed(written, e -> commit(e, nextGrant + 1))),
                flags(
                        valid,
                        "a write is gone in the end",
                        Finding.GUARDED_LOST,
                        e -> Stream.of(e.op() == Op.TALLY ? value(e, e.value() - 1) : e)),
                flags(
                        valid,
                        "two writes have the same count",
                        Finding.GUARDED_LOST,
                        changed(written, e -> value(e, e.value() + 1))));
    }

    @TestFactory
    Stream<DynamicTest> eachOfSeveralLocksIsJudged() {
        History valid = run("several");
        return Stream.of(1, 2, 3).map(lock -> {
            Event second = nth(valid, 2, e -> e.is(Op.ACQUIRE, Phase.OK) && e.lock() == lock);
            return flags(
                    valid,
                    "a release of lock " + lock + " is not there",
                    Finding.HELD_TWICE,
                    without(e -> e.op() == Op.RELEASE && e.grant() == second.grant()));
        });
    }

    private static History run(String name) {
        return Simulation.run(
                        Scenarios.all().stream()
                                .filter(scenario -> scenario.name().equals(name))
                                .findFirst()
                                .orElseThrow(),
                        Techniques.shipped().get(0),
                        SEED)
                .history();
    }

    private static DynamicTest flags(
            History valid, String mutation, Finding finding, Function<Event, Stream<Event>> change) {
        List<Event> changed = valid.events().stream().flatMap(change).toList();
        return DynamicTest.dynamicTest(
                mutation,
                () -> assertThat(check(new History(valid.ttlNanos(), changed)).has(finding))
                        .isTrue());
    }

    private static Verdict check(History history) {
        return Checker.check(history, Script.LEASED);
    }

    private static Event nth(History history, int n, Predicate<Event> which) {
        return history.events().stream().filter(which).skip(n - 1).findFirst().orElseThrow();
    }

    private static Function<Event, Stream<Event>> changed(Event one, Function<Event, Event> change) {
        return event -> Stream.of(event.equals(one) ? change.apply(event) : event);
    }

    private static Function<Event, Stream<Event>> without(Predicate<Event> which) {
        return event -> which.test(event) ? Stream.of() : Stream.of(event);
    }

    private static Event token(Event e, long token) {
        return copy(e, token, e.commit(), e.value());
    }

    private static Event commit(Event e, long commit) {
        return copy(e, e.token(), commit, e.value());
    }

    private static Event value(Event e, long value) {
        return copy(e, e.token(), e.commit(), value);
    }

    private static Event copy(Event e, long token, long commit, long value) {
        return new Event(
                e.seq(),
                e.atNanos(),
                e.process(),
                e.op(),
                e.phase(),
                e.grant(),
                token,
                commit,
                e.fromNanos(),
                e.untilNanos(),
                value,
                e.note(),
                e.lock());
    }
}
