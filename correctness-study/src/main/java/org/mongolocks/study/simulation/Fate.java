package org.mongolocks.study.simulation;

import java.time.Duration;

/**
 * Says what becomes of a message.
 *
 * @param arrives whether it arrives
 * @param resets whether the connection breaks, so that the client soon sees an error
 * @param extra how much longer it takes
 */
public record Fate(boolean arrives, boolean resets, Duration extra) {
    /** It arrives. */
    public static final Fate ARRIVES = new Fate(true, false, Duration.ZERO);
    /** It is lost, and the connection breaks. */
    public static final Fate LOST = new Fate(false, true, Duration.ZERO);
    /** It is lost, and nobody tells the client. */
    public static final Fate SWALLOWED = new Fate(false, false, Duration.ZERO);

    /**
     * Delays a message.
     *
     * @param by how long
     * @return the fate
     */
    public static Fate delayed(Duration by) {
        return new Fate(true, false, by);
    }

    /**
     * Breaks the connection while the message stays on its way and arrives late.
     *
     * @param by how late
     * @return the fate
     */
    public static Fate late(Duration by) {
        return new Fate(true, true, by);
    }
}
