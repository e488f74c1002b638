package org.mongolocks.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.LockClient;

class ContentionTest {
    @Test
    void everyGrantIsCountedAndItsCommandsToo() throws InterruptedException {
        LockStrategy strategy = LockStrategies.named("findandmodify-counter");
        try (EmbeddedBench server = new EmbeddedBench();
                LockClient client = server.bench().client(strategy)) {
            Contention contention = new Contention(
                    List.of(client),
                    server.bench().protectedData(strategy),
                    server.bench().commands(),
                    Contention.THREADS);

            Contended contended = contention.run(Duration.ofMillis(400));

            assertThat(contended.errors()).isEmpty();
            assertThat(contended.violations().total()).isZero();
            assertThat(contended.grants()).isPositive();
            assertThat(contended.commandsPerGrant()).isGreaterThanOrEqualTo(2);
            assertThat(contended.fairness()).isBetween(1.0 / contended.threads(), 1.0);
            assertThat(contended.longestWaitNanos()).isPositive();
            assertThat(contended.seconds()).isBetween(0.4, 5.0);
        }
    }
}
