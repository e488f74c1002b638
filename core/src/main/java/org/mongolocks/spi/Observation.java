package org.mongolocks.spi;

import java.time.Duration;
import org.mongolocks.LockSnapshot;

/**
 * Tells what an earlier attempt of the same client saw while it waited for this lock.
 *
 * @param snapshot what it saw
 * @param unchangedFor for how long, at least, every attempt saw the same lease of the same holder at the same revision: by the client's
 *     own monotonic clock, from after the first reply that showed it until now
 */
public record Observation(LockSnapshot snapshot, Duration unchangedFor) {}
