package org.mongolocks.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mongolocks.ClientSettings;
import org.mongolocks.Timer;
import org.mongolocks.spi.LockSchema;

/**
 * Says how operations are sent and pauses waited, whichever driver does it.
 *
 * @param commandTimeout the time limit of one command
 * @param collections gives the real name of a collection
 * @param timer ends pauses; empty for real time
 * @param watch sees each operation and its reply
 */
public record RunnerSettings(
        Duration commandTimeout, UnaryOperator<String> collections, Optional<Timer> timer, CommandWatch watch) {
    private static final Duration LEAST_COMMAND_TIMEOUT = Duration.ofMillis(10);
    private static final Duration MOST_COMMAND_TIMEOUT = Duration.ofMinutes(5);

    /**
     * Sends the operations of a lock client.
     *
     * @param settings the settings of the client
     * @param watch sees each operation and its reply
     * @return how to send
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
     * Sends the operations of programs that name the user's own collections.
     *
     * @param commandTimeout the time limit of one command, from 10 milliseconds to 5 minutes
     * @param driversClient the driver's client, which has the pool
     * @return how to send
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
        if (limit.compareTo(LEAST_COMMAND_TIMEOUT) < 0 || limit.compareTo(MOST_COMMAND_TIMEOUT) > 0) {
            throw new IllegalArgumentException("A command timeout is from " + LEAST_COMMAND_TIMEOUT + " to "
                    + MOST_COMMAND_TIMEOUT + ", but it was " + limit);
        }
    }
}
