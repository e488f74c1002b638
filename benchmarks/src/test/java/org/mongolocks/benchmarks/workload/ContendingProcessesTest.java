package org.mongolocks.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.StubStrategy;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/** Runs short contentions of real processes. Asserts on what is counted, not on the rates. */
class ContendingProcessesTest {
    private static final Duration TIME = Duration.ofMillis(300);
    private static final LockStrategy STRATEGY = LockStrategies.named("findandmodify-counter");

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    @AutoClose
    private final ContendingProcesses processes = new ContendingProcesses(server.environment());

    @Test
    void sameProcessesServeOneContentionAfterAnother() throws InterruptedException {
        for (Client client : Client.values()) {
            ProcessContention contention = contendUntilHandedOver(client);

            assertThat(contention.totals().threads()).isEqualTo(2);
            assertThat(contention.totals().commandsPerGrant()).isGreaterThanOrEqualTo(2);
            assertThat(contention.totals().violations().total()).isZero();
            assertThat(contention.totals().seconds()).isGreaterThanOrEqualTo(0.3);
        }
    }

    @Test
    void failureOfAProcessIsReportedWithItsReasonAndTheNextContentionHasNewProcesses() throws InterruptedException {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> processes.contend(2, new StubStrategy("stub", Set.of()), Client.SYNC, TIME))
                .withMessageStartingWith("A client process failed: ")
                .withMessageContaining("stub");

        assertThat(contendUntilHandedOver(Client.SYNC).totals().grants()).isPositive();
    }

    /** On a busy machine a process may not run for longer than the time. */
    private ProcessContention contendUntilHandedOver(Client client) throws InterruptedException {
        ProcessContention contention;
        do {
            contention = processes.contend(2, STRATEGY, client, TIME);
        } while (contention.handOverNanos().getTotalCount() == 0);
        return contention;
    }
}
