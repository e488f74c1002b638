package org.mongolocks.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LocksInMemory;
import org.mongolocks.benchmarks.lock.StrategyLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.spi.LockStrategies;

/** Runs short contention scenarios. Asserts on what is counted, not on the rates. */
class ContentionScenarioTest {
    private static final Duration TIME = Duration.ofMillis(300);
    private static final int MIN_GRANTS = 20;
    private static final int MAX_RUNS = 50;

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    @Test
    void everyGrantIsCountedAndItsCommandsToo() throws InterruptedException {
        try (LockImplementation contender =
                new StrategyLock(server.environment(), LockStrategies.named("findandmodify-counter"), Client.SYNC)) {
            ContentionResult contended = contendUntilGranted(ContentionScenario.of(8, 0), contender);

            assertThat(contended.threads()).isEqualTo(9);
            assertThat(contended.violations().total()).isZero();
            assertThat(contended.grants()).isPositive();
            assertThat(contended.commandsPerGrant()).isGreaterThanOrEqualTo(2);
            assertThat(contended.fairness()).isBetween(1.0 / contended.threads(), 1.0);
            assertThat(contended.longestWaitNanos()).isPositive();
            assertThat(contended.seconds()).isGreaterThanOrEqualTo(0.3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void commandsThatStartAndStopAScenarioAreNotCounted(Client client) throws InterruptedException {
        try (LockImplementation contender =
                new StrategyLock(server.environment(), LockStrategies.named("transactional"), client)) {
            ContentionResult contended = contendUntilGranted(ContentionScenario.of(64, 0), contender);

            assertThat(contended.commands())
                    .as("%d grants", contended.grants())
                    .isLessThan(6 * (contended.grants() + 2));
        }
    }

    @Test
    void allThreadsShareOneClientWhichIsClosed() throws InterruptedException {
        LocksInMemory contender = new LocksInMemory(1);

        contend(ContentionScenario.of(4, 0), contender);

        assertThat(contender.opened()).isEqualTo(1);
        assertThat(contender.closed()).isEqualTo(1);
    }

    /** Whether two holders are inside at the same moment is up to the scheduler, so that some runs may be needed. */
    @Test
    void simultaneousHoldersAreDetected() throws InterruptedException {
        ContentionResult result;
        do {
            result = contend(ContentionScenario.of(8, 1), new LocksInMemory(2));
        } while (result.violations().total() == 0);
    }

    @Test
    void lossOfALockFailsTheScenario() {
        assertThatThrownBy(() -> contend(ContentionScenario.of(1, 0), LocksInMemory.losing()))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("had been lost when it was released");
    }

    /** Waiters poll also while a busy machine lets nobody work, so that commands for each grant need some grants. */
    private ContentionResult contendUntilGranted(ContentionScenario scenario, LockImplementation contender)
            throws InterruptedException {
        ContentionResult result = contend(scenario, contender);
        for (int run = 1; run < MAX_RUNS && result.grants() < MIN_GRANTS; run++) {
            result = contend(scenario, contender);
        }
        return result;
    }

    private ContentionResult contend(ContentionScenario scenario, LockImplementation contender)
            throws InterruptedException {
        return scenario.contend(contender, server.environment().protectedData(contender.id()), TIME);
    }
}
