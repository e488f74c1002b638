package org.mongolocks.study.sim.client;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.study.sim.driver.SimulatedProcess;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Technique.TechniqueConfig;

/** The settings of a client, from the library's builder, with simulated time and randomness. */
final class SimulatedSettings extends LockClientBuilder<SimulatedSettings> {
    private SimulatedSettings() {}

    static ClientSettings of(
            Technique technique, SimulatedProcess process, SimulatedClient.Identity identity, Duration commandTimeout) {
        TechniqueConfig config = technique.config();
        SimulatedSettings settings = new SimulatedSettings()
                .strategy(technique.strategies().apply(process.clock()))
                .collection("locks")
                .commandTimeout(commandTimeout)
                .instance("client-" + identity.id())
                .timeSource(process.clock())
                .wallClock(process.clock())
                .timer(process.timer())
                .listenerExecutor(task -> process.after(0, task))
                .random(identity.source("jitter"));
        config.retryInterval().ifPresent(settings::asInTheArticle);
        return settings.settings();
    }

    @Override
    protected SimulatedSettings self() {
        return this;
    }

    /** Configures no jitter, and no retries after a fault. */
    private void asInTheArticle(Duration retryInterval) {
        RetryConfig once = RetryConfig.custom().maxAttempts(1).build();
        polling(retryInterval, retryInterval).random(() -> -1L).faultRetry(Retry.of("never", once));
    }
}
