package org.mongolocks.study.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.study.sim.time.ClientClock;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.VirtualTime;

/** Tests that a run of the simulation has the same time limits as the clients' ports. */
class TimeLimitTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final VirtualTime time = new VirtualTime();
    private final TimeLimit limit = new TimeLimit(TimeBudget.perCommand(LIMIT), new ClientClock(time, ClockFault.NONE));

    @Test
    void theStatementsOfATransactionShareItsTime() {
        limit.beginTransaction();

        time.runUntil(Duration.ofMillis(1_500).toNanos());

        assertThat(limit.ofStatement()).isEqualTo(Duration.ofMillis(500));
        assertThat(limit.ofEnd()).isEqualTo(LIMIT);
    }

    @Test
    void aStatementThatComesTooLateHasHardlyAnyTime() {
        limit.beginTransaction();

        time.runUntil(Duration.ofSeconds(5).toNanos());

        assertThat(limit.ofStatement()).isLessThan(Duration.ofMillis(1));
    }

    @Test
    void outsideOfTransactionsEachCommandHasTheUsualTime() {
        time.runUntil(Duration.ofSeconds(5).toNanos());

        assertThat(limit.ofCommand(LIMIT)).isEqualTo(LIMIT);
    }
}
