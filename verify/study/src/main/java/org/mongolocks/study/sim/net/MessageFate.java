package org.mongolocks.study.sim.net;

import java.time.Duration;

/**
 * The fate of a message.
 *
 * @param arrives whether it arrives
 * @param resets whether the connection breaks, so that the client soon gets an error
 * @param extra the additional delay
 */
public record MessageFate(boolean arrives, boolean resets, Duration extra) {
    /** It arrives. */
    public static final MessageFate ARRIVES = new MessageFate(true, false, Duration.ZERO);
    /** It is lost, and the connection breaks. */
    public static final MessageFate LOST = new MessageFate(false, true, Duration.ZERO);
    /** It is lost, and the client gets no error. */
    public static final MessageFate SWALLOWED = new MessageFate(false, false, Duration.ZERO);

    /**
     * Returns a delay.
     *
     * @param by the delay
     * @return the fate
     */
    public static MessageFate delayed(Duration by) {
        return new MessageFate(true, false, by);
    }

    /**
     * Returns a broken connection on which the message still arrives, late.
     *
     * @param by the delay
     * @return the fate
     */
    public static MessageFate late(Duration by) {
        return new MessageFate(true, true, by);
    }
}
