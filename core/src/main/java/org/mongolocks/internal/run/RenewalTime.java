package org.mongolocks.internal.run;

import static org.mongolocks.internal.base.Durations.longer;
import static org.mongolocks.internal.base.Durations.shorter;

import java.time.Duration;

/**
 * The time for renewing a lease, which its tries share. A pooled connection may be stale: it accepts a command and
 * never answers, and each try may meet another one. Early tries are therefore short. A slow server answers none of
 * these, so that the last try gets all the time that is left. Without a reply, and with twelve parts left, the tries
 * get 1, 1, 1, 1, 1, 2 and 5 parts.
 *
 * <p>If a recent write was slow, the first tries are longer, so that a slow server answers the first one. But the write
 * may have been the only slow one: enough is left for six more tries, of half a part each, and a last one of five parts.
 * After the slowest of writes the tries get 4, six times a half, and 5 parts.
 *
 * @param left the time until the lease ends; if there are several, the one that ends first
 */
public record RenewalTime(Duration left, Duration part) {
    /** The most tries of a renewal that gets no reply. */
    public static final int MAX_TRIES = 12;

    /** Four stale connections, three tries more. */
    private static final int PARTS = 12;

    private static final int PARTS_FOR_LAST = 5;

    /** With less than these parts left, a try and a last one of its parts would leave one of them too little. */
    private static final int MIN_PARTS_FOR_TWO = 6;

    /** In half parts: with less than these, two tries are left. */
    private static final int HALF_PARTS_FOR_THREE = 15;

    /** A reply after more than this times the slowest recent one is not expected any more. */
    private static final int TIMES_SLOWEST = 4;

    /** Those that are left after a try for a slow server, besides the last one. */
    private static final int SHORT_TRIES = 6;

    /** Covers a new connection in one data centre, and a short pause of either process. */
    private static final Duration MIN_TRY = Duration.ofMillis(100);

    /** The tries of the shortest leases are shorter, so that there are three. */
    private static final int MAX_PARTS_FOR_SHORT = 3;

    /** Returns the time for a renewal with all its retries, until the lease ends. */
    public static RenewalTime of(Duration left) {
        return new RenewalTime(left, left.dividedBy(PARTS));
    }

    /**
     * Returns the time for one of the renewals that keep a lease alive, which begin when a third of it has passed.
     *
     * @param left the time until the lease ends
     * @param whole the time until the end of a lease that was just renewed
     */
    public static RenewalTime ofKeepAlive(Duration left, Duration whole) {
        return new RenewalTime(left, whole.multipliedBy(2).dividedBy(3 * PARTS));
    }

    /**
     * Returns how long the next try may take.
     *
     * @param now the time that is left now
     * @param slowest the longest time that a write took recently
     * @return the limit, at most the time that is left
     */
    Duration nextTry(Duration now, Duration slowest) {
        Duration usual = longer(longer(part, shortTry()), slowest.multipliedBy(TIMES_SLOWEST));
        Duration limit = usual.compareTo(part) > 0 ? withLongFirst(now, usual) : withLongLast(now);
        return shorter(limit, now);
    }

    private Duration shortTry() {
        return longer(part.dividedBy(2), shorter(MIN_TRY, part.multipliedBy(MAX_PARTS_FOR_SHORT)));
    }

    private Duration withLongFirst(Duration now, Duration usual) {
        Duration last = part.multipliedBy(PARTS_FOR_LAST);
        Duration spare = now.minus(last).minus(shortTry().multipliedBy(SHORT_TRIES));
        return now.minus(shortTry()).compareTo(last) < 0 ? now : longer(shortTry(), shorter(usual, spare));
    }

    private Duration withLongLast(Duration now) {
        if (now.multipliedBy(2).compareTo(part.multipliedBy(HALF_PARTS_FOR_THREE)) > 0) {
            return part;
        }
        return now.compareTo(part.multipliedBy(MIN_PARTS_FOR_TWO)) > 0
                ? now.minus(part.multipliedBy(PARTS_FOR_LAST))
                : now;
    }
}
