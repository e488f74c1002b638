package org.mongolocks;

import java.time.Duration;

/**
 * A change of the offset between the server's clock and this machine's clock. Either one of the two clocks was set, or
 * another server answers now: the next primary after an election, or another router.
 *
 * @param before how far the server's clock was ahead of this machine's; negative if it was behind
 * @param after how far the server's clock is ahead now
 * @param uncertainty the largest error of {@code after} in either direction: half of a round trip
 */
public record ClockJump(Duration before, Duration after, Duration uncertainty) {}
