package org.mongolocks.study.simulation;

import java.time.Duration;

/**
 * The fate of a message.
 *
 * @param arrives whether it arrives
 * @param resets whether the connection breaks, so that the client soon gets an error
 * @param extra the additional delay
 */
public record Fate(boolean arrives, boolean resets, Duration extra) {
    /** It arrives. */
    public static final Fate ARRIVES = new Fate(true, false, Duration.ZERO);
    /** It is lost, and the connection breaks. */
    public static final Fate LOST = new Fate(false, true, Duration.ZERO);
    /** It is lost, and the client gets no error. */
    public static final Fate SWALLOWED = new Fate(false, false, Duration.ZERO);

    /**
     * Returns a delay.
     *
     * @param by the delay
     * @return the fate
     */
    public static Fate delayed(Duration by) {
        return new Fate(true, false, by);
    }

    /**
     * Returns a broken connection on which the message still arrives, late.
     *
     * @param by the delay
     * @return the fate
     */
    public static Fate late(Duration by) {
        return new Fate(true, true, by);
    }
}
