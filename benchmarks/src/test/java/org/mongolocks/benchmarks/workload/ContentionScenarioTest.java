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

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    @Test
    void everyGrantIsCountedAndItsCommandsToo() throws InterruptedException {
        try (LockImplementation contender =
                new StrategyLock(server.environment(), LockStrategies.named("findandmodify-counter"), Client.SYNC)) {
            ContentionResult contended = contend(ContentionScenario.of(8, 0), contender);

            assertThat(contended.threads()).isEqualTo(9);
            assertThat(contended.violations().total()).isZero();
            assertThat(contended.grants()).isPositive();
            assertThat(contended.commandsPerGrant()).isGreaterThanOrEqualTo(2);
            assertThat(contended.fairness()).isBetween(1.0 / contended.threads(), 1.0);
            assertThat(contended.longestWaitNanos()).isPositive();
            assertThat(contended.seconds()).isBetween(0.3, 5.0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatAScenarioSendsToGatherAndToStopIsNotCounted(Client client) throws InterruptedException {
        try (LockImplementation contender =
                new StrategyLock(server.environment(), LockStrategies.named("transactional"), client)) {
            ContentionResult contended = contend(ContentionScenario.of(64, 0), contender);

            assertThat(contended.commands())
                    .as("%d grants", contended.grants())
                    .isLessThan(64 + 6 * (contended.grants() + 2));
        }
    }

    @Test
    void allThreadsShareOneClientWhichIsClosed() throws InterruptedException {
        LocksInMemory contender = new LocksInMemory(1);

        contend(ContentionScenario.of(4, 0), contender);

        assertThat(contender.opened()).isEqualTo(1);
        assertThat(contender.closed()).isEqualTo(1);
    }

    @Test
    void thoseWhoAreInAtOnceAreDetected() throws InterruptedException {
        assertThat(contend(ContentionScenario.of(8, 1), new LocksInMemory(2))
                        .violations()
                        .total())
                .isPositive();
    }

    @Test
    void whoLosesALockFails() {
        assertThatThrownBy(() -> contend(ContentionScenario.of(1, 0), LocksInMemory.losing()))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("had been lost when it was released");
    }

    private ContentionResult contend(ContentionScenario scenario, LockImplementation contender)
            throws InterruptedException {
        return scenario.contend(contender, server.environment().protectedData(contender.id()), TIME);
    }
}
