package org.mongolocks.study.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.study.waiting.WaitingCase;
import org.mongolocks.study.waiting.WaitingCase.Load;
import org.mongolocks.study.waiting.WaitingCase.Order;
import org.mongolocks.study.waiting.WaitingWorkers;

/** Tests that a mistake in a strategy of the library turns a cell red. */
class TwinStrategyTest {
    private static final int SEEDS = 12;
    /** Enough for a finding of each run, and for the sound strategy, which the slow matrix runs more often. */
    private static final int FEW = 3;

    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    @BeforeAll
    static void silenceLogOfSimulatedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    @Test
    void aReleaseThatChecksNoOwnerFreesTheLockOfAnother() {
        assertThat(cell("reentrant-pause", TwinStrategy.withMistake("releases any grant"))
                        .count(Finding.FOREIGN_RELEASE))
                .isPositive();
        assertThat(sound("reentrant-pause").count(Finding.FOREIGN_RELEASE)).isZero();
    }

    @Test
    void aRenewalThatMovesTheEndBackLosesTheLock() {
        assertThat(cell("server-to-and-fro", TwinStrategy.withMistake("moves the lease back"))
                        .count(Finding.HELD_TWICE))
                .isPositive();
        assertThat(sound("server-to-and-fro").count(Finding.HELD_TWICE)).isZero();
    }

    @Test
    void clientThatUsesItsOwnClockTakesOverAHeldLock() {
        assertThat(cell("client-ahead", TwinStrategy.withMistake("acquires by the client's clock"), FEW)
                        .count(Finding.HELD_TWICE))
                .isPositive();
        assertThat(sound("client-ahead").count(Finding.HELD_TWICE)).isZero();
    }

    @Test
    void aFenceThatIsNotCountedUpGivesTheSameTokenAgain() {
        assertThat(cell("healthy", TwinStrategy.withMistake("does not count"), FEW)
                        .count(Finding.TOKEN_REUSED))
                .isEqualTo(FEW);
        assertThat(sound("healthy").count(Finding.TOKEN_REUSED)).isZero();
    }

    /**
     * A holder whose lease has ended on its own clock begins no transaction: only the server's clock can show the
     * difference.
     */
    @Test
    void aGuardedTransactionThatTouchesAnybodysLockIsCommittedAfterTheNextGrant() {
        assertThat(cell("server-ahead", TwinStrategy.withMistake("renews any grant"))
                        .count(Finding.STALE_GUARDED))
                .isPositive();
        assertThat(sound("server-ahead").count(Finding.STALE_GUARDED)).isZero();
    }

    @Test
    void pendingGrantWithoutCompensationStaysLockedForALease() {
        long lease = MatrixTest.MAX_HANDOFF.toNanos();

        assertThat(cell("release-pending", TwinStrategy.withMistake("compensates nothing"))
                        .totals()
                        .longestHandoffNanos())
                .isGreaterThan(lease);
        assertThat(sound("release-pending").totals().longestHandoffNanos()).isLessThan(lease);
    }

    @Test
    void locksAcquiredInAnyOrderDeadlock() {
        assertThat(sound("one-by-one-control").count(Finding.STUCK)).isPositive();
        assertThat(sound("several").count(Finding.STUCK)).isZero();
    }

    @Test
    void grantWithoutCompensationStaysLockedForALease() {
        long lease = MatrixTest.MAX_HANDOFF.toNanos();

        assertThat(cell("interrupted", TwinStrategy.withMistake("compensates nothing"))
                        .totals()
                        .longestHandoffNanos())
                .isGreaterThan(lease);
        assertThat(sound("interrupted").totals().longestHandoffNanos()).isLessThan(lease);
    }

    @Test
    void aReleaseOfAnybodysLockEndsAMeasuredRun() {
        WaitingCase one =
                new WaitingCase(Load.INTERRUPTED, Order.DEFAULT, TwinStrategy.withMistake("releases any grant"), 8, 1);

        assertThatThrownBy(() -> {
                    for (int seed = 0; seed < SEEDS; seed++) {
                        WaitingWorkers.run(one, seed);
                    }
                })
                .hasMessageStartingWith("Granted to two");
    }

    private static Cell sound(String scenario) {
        Technique technique = Techniques.shipped().stream()
                .filter(one -> one.name().equals("findandmodify-counter"))
                .findFirst()
                .orElseThrow();
        return cell(scenario, technique, FEW);
    }

    private static Cell cell(String name, Technique technique) {
        return cell(name, technique, SEEDS);
    }

    private static Cell cell(String name, Technique technique, int seeds) {
        List<Scenario> row =
                Scenarios.all().stream().filter(one -> one.name().equals(name)).toList();
        return Matrix.run(row, List.of(technique), seeds).cells().get(0);
    }
}
