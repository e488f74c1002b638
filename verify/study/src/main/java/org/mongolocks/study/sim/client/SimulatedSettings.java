package org.mongolocks.study.sim.client;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.mongolocks.ClientSettings;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.TimeSource;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Technique.TechniqueConfig;

/** The settings of a client, from the library's builder, with simulated time and randomness. */
public final class SimulatedSettings extends LockClientBuilder<SimulatedSettings> {
    private SimulatedSettings() {}

    /** The clocks of a client, what runs its tasks, and its random source. */
    public record Machine(
            TimeSource time, InstantSource wallClock, Timer timer, Executor listeners, RandomGenerator random) {}

    /** Returns the settings of the client with a number. */
    public static ClientSettings of(Technique technique, int client, Machine machine, Duration commandTimeout) {
        return with(technique, client, machine, commandTimeout).settings();
    }

    /** Returns the same of a client that attempts only so often, unless it is one of an article, which attempts once. */
    public static ClientSettings of(
            Technique technique, int client, Machine machine, Duration commandTimeout, int maxAttempts) {
        SimulatedSettings settings = with(technique, client, machine, commandTimeout);
        return technique.config().isShipped()
                ? settings.faultRetry(attempts(maxAttempts)).settings()
                : settings.settings();
    }

    private static SimulatedSettings with(Technique technique, int client, Machine machine, Duration commandTimeout) {
        TechniqueConfig config = technique.config();
        SimulatedSettings settings = new SimulatedSettings()
                .strategy(technique.strategies().apply(machine.wallClock()))
                .collection("locks")
                .commandTimeout(commandTimeout)
                .instance("client-" + client)
                .timeSource(machine.time())
                .timer(machine.timer())
                .listenerExecutor(machine.listeners())
                .random(machine.random());
        config.retryInterval().ifPresent(settings::asInTheArticle);
        return settings;
    }

    @Override
    protected SimulatedSettings self() {
        return this;
    }

    /** Configures no jitter, and no retries after a fault. */
    private void asInTheArticle(Duration retryInterval) {
        polling(retryInterval, retryInterval).random(() -> -1L).faultRetry(attempts(1));
    }

    private static Retry attempts(int most) {
        return Retry.of("simulated", RetryConfig.custom().maxAttempts(most).build());
    }
}
