package org.mongolocks;

/** A listener that is called when the server's clock or this machine's clock has jumped. */
@FunctionalInterface
public interface ClockJumpListener {
    /**
     * Handles a clock jump. Called once for each jump, at most once a minute, on a listener thread of the client.
     *
     * @param jump the offset before and after
     */
    void onClockJump(ClockJump jump);
}
