package org.mongolocks;

/** A listener for jumps: the server's clock, or this machine's, has jumped. */
@FunctionalInterface
public interface ClockJumpListener {
    /**
     * Learns of a jump. It is called once for each jump, but not more than once a minute, on a thread of the client's
     * listeners.
     *
     * @param jump the offset before and after
     */
    void onClockJump(ClockJump jump);
}
