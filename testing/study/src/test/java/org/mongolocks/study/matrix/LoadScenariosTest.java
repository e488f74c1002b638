package org.mongolocks.study.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.Environment.Callbacks;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests that the rows of clients under load find what they look for, in a client that lacks one property. */
class LoadScenariosTest {
    private static final int SEEDS = 5;
    /** More than a renewal can try while the lease lasts. */
    private static final int MANY_STALE = 20;

    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");

    @BeforeAll
    static void silenceLogOfSimulatedFaults() {
        LOCKS.setLevel(Level.OFF);
    }

    @Test
    void aLockIsLostWhenMoreConnectionsAreStaleThanARenewalCanTry() {
        Scenario row = row("stale-connections");
        Scenario worse = with(row, row.clocks(), random -> new AllStale());

        assertThat(count(worse, Finding.LOCK_LOST)).isPositive();
        assertThat(count(row, Finding.LOCK_LOST)).isZero();
    }

    @Test
    void aLossThatOnlyABlockedCallbackReportsIsNoticedLate() {
        Scenario row = row("full-executors");
        Scenario worse = row.with(row.environment().callbacks(Callbacks.BLOCK_LOSSES));

        assertThat(count(worse, Finding.LOSS_NOTICED_LATE)).isPositive();
        assertThat(count(row, Finding.LOSS_NOTICED_LATE)).isZero();
    }

    @Test
    void aClockThatStandsStillInASuspendIsBelievedAfterTheNextGrant() {
        Scenario row = row("suspended-machine");
        Scenario worse = with(row, client -> ClockFault.OMITS_SUSPENDS, row.nemesis());

        assertThat(count(worse, Finding.BELIEVED_TWICE)).isPositive();
        assertThat(count(row, Finding.BELIEVED_TWICE)).isZero();
    }

    @Test
    void pollingAtAFixedIntervalStarvesOneOfManyClients() {
        Scenario row = row("many-clients");
        Scenario forAll = row.with(LockUsage.ALONE);
        Technique polling = Techniques.textbook().stream()
                .filter(technique -> technique.name().equals("textbook-counter-expiry"))
                .findFirst()
                .orElseThrow();

        assertThat(Matrix.run(List.of(forAll), List.of(polling), 1)
                        .cells()
                        .get(0)
                        .count(Finding.STARVED))
                .isOne();
    }

    private static Scenario row(String name) {
        return Scenarios.all().stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Scenario with(
            Scenario row, IntFunction<ClockFault> clocks, Function<RandomGenerator, Nemesis> nemesis) {
        return new Scenario(
                row.name(), row.about(), row.workload(), row.environment(), clocks, nemesis, row.usage(), row.bounds());
    }

    private static int count(Scenario row, Finding finding) {
        return Matrix.run(List.of(row), List.of(Techniques.shipped().get(0)), SEEDS)
                .cells()
                .get(0)
                .count(finding);
    }

    /** Makes many connections stale in the first critical section. */
    private static final class AllStale implements Nemesis {
        private boolean begun;

        @Override
        public void at(FaultPoint moment, SimulationRun world, int client) {
            if (moment == FaultPoint.WORKING && !begun) {
                begun = true;
                world.makeConnectionsStale(MANY_STALE);
            }
        }
    }
}
