package org.mongolocks.study.sim.client;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Technique.TechniqueConfig;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/** The settings of a client, from the library's builder, with simulated time and randomness. */
public final class SimulatedSettings {
    private SimulatedSettings() {}

    /** The clocks of a client, what runs its tasks, and its random source. */
    public record Machine(
            TimeSource time, InstantSource wallClock, Timer timer, Executor listeners, RandomGenerator random) {}

    /** Returns the settings of the client with a number. */
    public static ClientSettings of(Technique technique, int client, Machine machine, Duration commandTimeout) {
        return with(technique, client, machine, commandTimeout).build();
    }

    /** Returns the same of a client that attempts only so often, unless it is one of an article, which attempts once. */
    public static ClientSettings of(
            Technique technique, int client, Machine machine, Duration commandTimeout, int maxAttempts) {
        ClientOptions<ClientSettings> options = with(technique, client, machine, commandTimeout);
        if (technique.config().isShipped()) {
            RetryConfig attempts = RetryConfig.custom().maxAttempts(maxAttempts).build();
            options.faultRetry(Retry.of("simulated", attempts));
        }
        return options.build();
    }

    private static ClientOptions<ClientSettings> with(
            Technique technique, int client, Machine machine, Duration commandTimeout) {
        TechniqueConfig config = technique.config();
        ClientOptions<ClientSettings> options = new ClientOptions<ClientSettings>(ClientOptions::settings)
                .strategy(technique.strategies().apply(machine.wallClock()))
                .collection("locks")
                .commandTimeout(commandTimeout)
                .instance("client-" + client)
                .time(machine.time())
                .timer(machine.timer())
                .listenerExecutor(machine.listeners())
                .random(machine.random());
        config.retryInterval().ifPresent(interval -> asInTheArticle(options, interval));
        return options;
    }

    /** Configures no jitter, and no retries after a fault. */
    private static void asInTheArticle(ClientOptions<?> options, Duration retryInterval) {
        options.polling(retryInterval, retryInterval).random(() -> -1L).faultRetry(1, retryInterval, retryInterval);
    }
}
