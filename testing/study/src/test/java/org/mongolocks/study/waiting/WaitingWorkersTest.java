package org.mongolocks.study.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.mongolocks.study.exhaustive.Twin;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.study.waiting.WaitingCase.Load;
import org.mongolocks.study.waiting.WaitingCase.Order;

/** Tests what waiters of a held lock send, and that a seed repeats a run. */
class WaitingWorkersTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final long SEED = 1;

    @BeforeAll
    static void silenceLog() {
        LOCKS.setLevel(Level.OFF);
    }

    @Test
    void lockThatStaysHeldIsReadAndNotWritten() {
        WaitingResult result = WaitingWorkers.run(new WaitingCase(Load.HELD, Order.DEFAULT, counter(), 2, 200), SEED);

        assertThat(result.commands()).containsOnlyKeys("find locks");
        assertThat(result.allCommands() / result.seconds()).isLessThan(200 / 4.5);
        assertThat(result.allGrants()).isZero();
        assertThat(result.longestWaitNanos()).isGreaterThan(20_000_000_000L);
    }

    @Test
    void releaseOfAnybodysLockEndsARun() {
        Twin mistake = Twin.all().stream()
                .filter(twin ->
                        twin.strategy().equals(counter().name()) && twin.name().equals("releases any grant"))
                .findFirst()
                .orElseThrow();
        Technique broken = new Technique(
                counter().name(), counter().strategies(), counter().config(), mistake);
        WaitingCase one = new WaitingCase(Load.INTERRUPTED, Order.DEFAULT, broken, 8, 1);

        assertThatThrownBy(() -> {
                    for (int seed = 0; seed < 12; seed++) {
                        WaitingWorkers.run(one, seed);
                    }
                })
                .hasMessageStartingWith("Granted to two");
    }

    @ParameterizedTest
    @EnumSource(
            value = Load.class,
            names = {"HALF_DIE", "HELD"})
    void seedRepeatsARun(Load load) {
        assertSeedRepeats(load);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(
            value = Load.class,
            names = {"HALF_DIE", "HELD"},
            mode = Mode.EXCLUDE)
    void seedRepeatsARunOfOtherLoads(Load load) {
        assertSeedRepeats(load);
    }

    private static void assertSeedRepeats(Load load) {
        WaitingCase one = new WaitingCase(load, Order.MIXED, counter(), 5, load.isOfOneLock() ? 1 : 10);

        assertThat(WaitingWorkers.run(one, 5))
                .isEqualTo(WaitingWorkers.run(one, 5))
                .isNotEqualTo(WaitingWorkers.run(one, 6));
    }

    static Technique counter() {
        return Techniques.shipped().stream()
                .filter(technique -> technique.name().equals("findandmodify-counter"))
                .findFirst()
                .orElseThrow();
    }
}
