package org.mongolocks;

import java.time.Duration;

/**
 * A change of the offset between the server's clock and this machine's. One of the two was set, or another server
 * answers now: the next primary after an election, or another router.
 *
 * @param before how far the server's clock was ahead of this machine's; negative if it was behind
 * @param after how far it is ahead now
 * @param uncertainty how far {@code after} may be from the truth, either way: half of a round trip
 */
public record ClockJump(Duration before, Duration after, Duration uncertainty) {}
