package org.mongolocks.study.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.study.waiting.WaitingCase.Load;
import org.mongolocks.study.waiting.WaitingCase.Order;
import org.mongolocks.study.waiting.WaitingGoal.Measure;

/** Tests that waiting costs no more than the goals allow. */
class WaitingGoalTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final long SEED = 1;
    /** With so many clients a run takes seconds; it costs as many in each order. */
    private static final int MANY_CLIENTS = 16;
    /** The first attempt of a waiter may lose; then it is in the list, and only a conflict with a caller delays it. */
    private static final double BESIDE_CALLERS = 0.3;
    /** While the first one is late, one is granted the lock after its time, and the next after that. */
    private static final double BEFORE_LATE_HEAD = 2;

    private static final Map<WaitingCase, WaitingResult> RESULTS = new ConcurrentHashMap<>();

    @BeforeAll
    static void silenceLog() {
        LOCKS.setLevel(Level.OFF);
    }

    @TestFactory
    @Tag("finds:waiters-that-gave-up")
    @Tag("finds:minimum-hold-wakes-all")
    Stream<DynamicTest> waitingOfFewClientsCostsAtMost() {
        return tests(false);
    }

    /** A caller that does not wait never comes before a waiter for longer than the first attempt of that takes. */
    @TestFactory
    @Tag("finds:waiter-not-registered")
    Stream<DynamicTest> waitersAreGrantedTheLockBesideCallersThatDoNotWait() {
        return tests(goalsOfEach(Load.CALLERS, Measure.LONGEST_WAIT, BESIDE_CALLERS, Order.DEFAULT));
    }

    /** A waiter that is late keeps its place: it comes next when it shows that it is alive. */
    @TestFactory
    @Tag("finds:late-head-goes-last")
    Stream<DynamicTest> lateWaiterKeepsItsPlace() {
        return tests(goalsOfEach(Load.LATE_HEAD, Measure.OVERTAKINGS, BEFORE_LATE_HEAD, Order.DEFAULT, Order.FAIR));
    }

    private static List<WaitingGoal> goalsOfEach(Load load, Measure measure, double atMost, Order... orders) {
        return Techniques.shipped().stream()
                .flatMap(technique -> Stream.of(orders).map(order -> new WaitingCase(load, order, technique, 6, 1)))
                .map(one -> new WaitingGoal(one, measure, atMost))
                .toList();
    }

    @Tag("slow")
    @TestFactory
    Stream<DynamicTest> waitingOfManyClientsCostsAtMost() {
        return tests(true);
    }

    @Test
    void reportShowsWhichGoalIsMissed() {
        WaitingCase one = new WaitingCase(Load.CONTENDED, Order.DEFAULT, WaitingWorkersTest.counter(), 1, 1);
        List<WaitingGoal> goals = List.of(
                new WaitingGoal(one, Measure.COMMANDS, 2.5),
                new WaitingGoal(one, Measure.COMMANDS, 1),
                new WaitingGoal(one, Measure.LONGEST, 10));

        assertThat(new WaitingReport(SEED, List.of(result(one))).goals(goals).lines())
                .containsExactly(
                        "| load | clients | measure | at most | measured |  |",
                        "| --- | --- | --- | --- | --- | --- |",
                        "| one lock | 1 | commands a grant | 2.50 | 2.00 |  |",
                        "| one lock | 1 | commands a grant | 1.00 | 2.00 | missed |",
                        "| one lock | 1 | longest hand-over, ms | 10.0 | – | missed |");
    }

    private static Stream<DynamicTest> tests(boolean isSlow) {
        return tests(WaitingGoal.all(WaitingWorkersTest.counter()).stream()
                .filter(goal -> isSlow(goal.its()) == isSlow)
                .toList());
    }

    private static Stream<DynamicTest> tests(List<WaitingGoal> goals) {
        return goals.stream()
                .map(goal -> DynamicTest.dynamicTest(
                        nameOf(goal),
                        () -> assertThat(goal.measured(result(goal.its())))
                                .as(nameOf(goal))
                                .isLessThanOrEqualTo(goal.atMost())));
    }

    private static String nameOf(WaitingGoal goal) {
        return goal.its().technique().name() + ", " + goal.its().title() + ", "
                + goal.its().clients() + " clients: " + goal.measure().title();
    }

    private static boolean isSlow(WaitingCase one) {
        return one.clients() >= MANY_CLIENTS || one.locks() > 1;
    }

    private static WaitingResult result(WaitingCase one) {
        return RESULTS.computeIfAbsent(one, unknown -> WaitingWorkers.run(unknown, SEED));
    }
}
