package org.mongolocks.study.simulation;

import java.time.Duration;

/**
 * Says how a client has set up its driver.
 *
 * @param hasTimeLimit whether operations have a time limit, within which the driver repeats as often as it likes; without
 *     one it repeats once, and {@code timeout} is that of the socket
 * @param timeout the time limit
 * @param awaitsMajority whether writes wait for a majority
 */
public record DriverHabits(boolean hasTimeLimit, Duration timeout, boolean awaitsMajority) {}
