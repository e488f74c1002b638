package org.mongolocks.study.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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

    private static final Map<WaitingCase, WaitingResult> RESULTS = new ConcurrentHashMap<>();

    @BeforeAll
    static void silenceLog() {
        LOCKS.setLevel(Level.OFF);
    }

    @TestFactory
    @Tag("finds:waiters-that-gave-up")
    @Tag("finds:minimum-hold-wakes-all")
    Stream<DynamicTest> waitingOfFewClientsCostsAtMost() {
        return tests(goal -> !isSlow(goal.its()) && !isOfOwnTest(goal.its()));
    }

    /** A caller that does not wait never comes before a waiter for longer than the first attempt of that takes. */
    @TestFactory
    @Tag("finds:waiter-not-registered")
    Stream<DynamicTest> waitersAreGrantedTheLockBesideCallersThatDoNotWait() {
        return tests(goal -> goal.its().load() == Load.CALLERS);
    }

    /** A waiter that is late keeps its place: it comes next when it shows that it is alive. */
    @TestFactory
    @Tag("finds:late-head-goes-last")
    Stream<DynamicTest> lateWaiterKeepsItsPlace() {
        return tests(goal -> goal.its().load() == Load.LATE_HEAD);
    }

    @Tag("slow")
    @TestFactory
    Stream<DynamicTest> waitingOfManyClientsCostsAtMost() {
        return tests(goal -> isSlow(goal.its()));
    }

    @Test
    void lineOfAGoalSaysWhetherItIsMissed() {
        WaitingCase one = new WaitingCase(Load.CONTENDED, Order.DEFAULT, WaitingWorkersTest.counter(), 1, 1);

        assertThat(new WaitingGoal(one, Measure.COMMANDS, 2.5).cells(result(one)))
                .hasSameSizeAs(WaitingGoal.COLUMNS)
                .containsExactly("one lock", "findandmodify-counter", "1", "1", "commands a grant", "2.50", "2.00", "");
        assertThat(new WaitingGoal(one, Measure.COMMANDS, 1).cells(result(one))).endsWith("1.00", "2.00", "missed");
        assertThat(new WaitingGoal(one, Measure.LONGEST, 10).cells(result(one))).endsWith("10.0", "–", "missed");
    }

    private static Stream<DynamicTest> tests(Predicate<WaitingGoal> which) {
        return WaitingGoal.all(Techniques.shipped()).stream()
                .filter(which)
                .map(goal -> DynamicTest.dynamicTest(
                        goal.toString(),
                        () -> assertThat(goal.measured(result(goal.its())))
                                .as(goal.toString())
                                .isLessThanOrEqualTo(goal.atMost())));
    }

    private static boolean isOfOwnTest(WaitingCase one) {
        return one.load() == Load.CALLERS || one.load() == Load.LATE_HEAD;
    }

    private static boolean isSlow(WaitingCase one) {
        return one.clients() >= MANY_CLIENTS || one.locks() > 1;
    }

    private static WaitingResult result(WaitingCase one) {
        return RESULTS.computeIfAbsent(one, unknown -> WaitingWorkers.run(unknown, SEED));
    }
}
