package org.mongolocks.spi;

import java.time.Duration;
import org.mongolocks.LockSnapshot;

/**
 * The lock as earlier attempts of an acquisition saw it, and for how long it has not changed.
 *
 * @param snapshot the lock as the newest attempt saw it
 * @param unchangedFor for how long, at least, every attempt saw the same lease of the same holder at the same revision:
 *     by the client's own monotonic clock, from after the first reply that showed it until now
 */
public record Observation(LockSnapshot snapshot, Duration unchangedFor) {}
