package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.mongolocks.ClientSettings;
import org.mongolocks.Timer;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.Step;

/**
 * The settings of a runner of either driver, the same for all runs of a client.
 *
 * @param commandTimeout the time limit of one command
 * @param collections returns the name of a collection in the database
 * @param timer ends pauses; empty for real time
 * @param commands tracks each command
 */
public record RunnerSettings(
        Duration commandTimeout, UnaryOperator<String> collections, Optional<Timer> timer, CommandTracker commands) {
    private static final Duration MIN_COMMAND_TIMEOUT = Duration.ofMillis(10);
    private static final Duration MAX_COMMAND_TIMEOUT = Duration.ofMinutes(5);
    /** Longer than any pause: the timer ends it. */
    private static final Duration BY_TIMER = Duration.ofDays(400);

    /**
     * How a runner waits for the end of a pause.
     *
     * @param atMost how long to wait at most, in real time
     * @param signal ends the wait earlier when it completes, if present
     */
    public record PauseWait(Duration atMost, Optional<CompletableFuture<Void>> signal) {}

    /**
     * Returns the settings of a lock client's runner.
     *
     * @param settings the settings of the client
     * @param commands tracks each command
     * @return the settings
     */
    public static RunnerSettings of(ClientSettings settings, CommandTracker commands) {
        LockSchema schema = settings.strategy().schema();
        return new RunnerSettings(
                settings.commandTimeout(),
                collection -> schema.resolve(collection, settings.collection()),
                settings.holding().timer(),
                commands);
    }

    /**
     * Returns the settings of a runner of programs that name the user's own collections.
     *
     * @param commandTimeout the time limit of one command, from 10 milliseconds to 5 minutes
     * @param driversClient the driver's client, which has the pool
     * @return the settings
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public static RunnerSettings ofPrograms(Duration commandTimeout, Object driversClient) {
        requireCommandTimeout(commandTimeout);
        CommandTracker commands = CommandTracker.ofPrograms(ConnectionShortage.of(driversClient));
        return new RunnerSettings(commandTimeout, UnaryOperator.identity(), Optional.empty(), commands);
    }

    /**
     * Changes the time limit of one command.
     *
     * @param limit the limit, from 10 milliseconds to 5 minutes
     * @return settings with that limit, and the same tracker
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public RunnerSettings withCommandTimeout(Duration limit) {
        requireCommandTimeout(limit);
        return new RunnerSettings(limit, collections, timer, commands);
    }

    /**
     * Returns how to wait for the end of a pause: for its length in real time, or for the timer if there is one.
     *
     * @param pause the pause
     * @return the wait
     */
    public PauseWait waitFor(Step.Pause<?> pause) {
        return timer.map(ending -> waitFor(pause, ending))
                .orElseGet(() -> new PauseWait(pause.delay(), pause.wakeUp()));
    }

    private static PauseWait waitFor(Step.Pause<?> pause, Timer ending) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Timer.Timeout timeout = ending.schedule(pause.delay(), () -> end.complete(null));
        CompletableFuture<Void> either = pause.wakeUp()
                .map(signal -> signal.runAfterEither(end, timeout::cancel))
                .orElse(end);
        return new PauseWait(BY_TIMER, Optional.of(either));
    }

    /**
     * Checks the time limit of one command.
     *
     * @param limit the limit
     * @throws IllegalArgumentException if it is not from 10 milliseconds to 5 minutes
     */
    public static void requireCommandTimeout(Duration limit) {
        if (limit.compareTo(MIN_COMMAND_TIMEOUT) < 0 || limit.compareTo(MAX_COMMAND_TIMEOUT) > 0) {
            throw new IllegalArgumentException("commandTimeout must be from " + MIN_COMMAND_TIMEOUT + " to "
                    + MAX_COMMAND_TIMEOUT + ", was " + limit);
        }
    }
}
