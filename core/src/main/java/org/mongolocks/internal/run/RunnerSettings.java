package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mongolocks.ClientSettings;
import org.mongolocks.Timer;
import org.mongolocks.spi.LockSchema;

/**
 * The settings of a runner of either driver.
 *
 * @param commandTimeout the time limit of one command
 * @param collections returns the name of a collection in the database
 * @param timer ends pauses; empty for real time
 * @param watch observes each operation and its reply
 */
public record RunnerSettings(
        Duration commandTimeout, UnaryOperator<String> collections, Optional<Timer> timer, CommandWatch watch) {
    private static final Duration MIN_COMMAND_TIMEOUT = Duration.ofMillis(10);
    private static final Duration MAX_COMMAND_TIMEOUT = Duration.ofMinutes(5);

    /**
     * Returns the settings of a lock client's runner.
     *
     * @param settings the settings of the client
     * @param watch observes each operation and its reply
     * @return the settings
     */
    public static RunnerSettings of(ClientSettings settings, CommandWatch watch) {
        LockSchema schema = settings.strategy().schema();
        return new RunnerSettings(
                settings.commandTimeout(),
                collection -> schema.resolve(collection, settings.collection()),
                settings.holding().timer(),
                watch);
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
        CommandWatch watch = CommandWatch.ofPrograms(ConnectionShortage.of(driversClient));
        return new RunnerSettings(commandTimeout, UnaryOperator.identity(), Optional.empty(), watch);
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
