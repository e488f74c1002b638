package org.mongolocks.study.sim.client;

import java.time.Duration;

/**
 * The driver settings of a client.
 *
 * @param hasTimeLimit whether operations have a timeout, within which the driver retries without limit; otherwise it
 *     retries once, and {@code timeout} is the socket timeout
 * @param timeout the timeout
 * @param awaitsMajority whether writes wait for a majority
 */
public record DriverConfig(boolean hasTimeLimit, Duration timeout, boolean awaitsMajority) {}
