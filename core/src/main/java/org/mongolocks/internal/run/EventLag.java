package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.OptionalLong;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.time.TimeSource;

/**
 * A measure of how late the events of a change stream are: milliseconds from a replica set, a second and more through a
 * router. A router holds an event back until no shard can have an older one. The measure is taken from the server's own
 * times. The reply to a grant that an event has caused shows how long the lock had been free. So does the reply that
 * shows a free lock to a waiter that should have been notified.
 *
 * <p>Two states. <i>Timely</i>: waiters rely on events. <i>Late</i>: they poll beside the stream. One event that is
 * later than {@link #MAX_TIMELY}, or still missing after half of that, makes them late; some timely events in a row make
 * them timely again. Before the first measurement events count as late behind a router, and as timely elsewhere. Away from
 * routers they count as timely again a minute after the last late one, and twice as long after each time that this was
 * wrong, up to an hour. Thread-safe.
 */
public final class EventLag {
    /**
     * The largest delay of a timely event, and the longest polling interval beside a stream while attempts are quick: an
     * event that is later than that is of little use.
     */
    public static final Duration MAX_TIMELY = LockStrategy.CLAIM_TIME;

    /** After that time without an event, one that comes is of no use: others attempt soon. */
    private static final Duration MISSING_AFTER = MAX_TIMELY.dividedBy(2);

    /** A router delivers an event after ten seconds at the latest, when each shard has written something. */
    private static final Duration FIRST_MISSING = Duration.ofSeconds(15);
    /** The releases of a strategy of one's own may have no events at all. */
    private static final Duration MAX_MISSING = Duration.ofHours(1);

    private static final Duration FIRST_TRUST = Duration.ofMinutes(1);
    private static final Duration MAX_TRUST = Duration.ofHours(1);
    private static final int TIMELY_NEEDED = 3;

    private final TimeSource time;
    private boolean late;
    private boolean becameLate;
    private boolean isRouter;
    private long lastLateNanos;
    private Duration trustedAfter = FIRST_TRUST;
    private int timelyInARow;
    private OptionalLong missingSinceNanos = OptionalLong.empty();
    private Duration missingAfter = FIRST_MISSING;

    public EventLag(TimeSource time) {
        this.time = time;
    }

    /** Records that the events come through a router. */
    public synchronized void recordRouter() {
        forgetOldLateness();
        isRouter = true;
        late |= timelyInARow == 0;
    }

    /** Returns whether waiters poll beside the stream. */
    public synchronized boolean isLate() {
        return late && (isRouter || time.nanoTime() - lastLateNanos <= trustedAfter.toNanos());
    }

    private void forgetOldLateness() {
        if (late && !isLate()) {
            late = false;
            trustedAfter = doubled(trustedAfter, MAX_TRUST);
        }
    }

    /**
     * Returns whether no event has come for long since one was missed: then another stream may deliver events. After that it
     * takes twice as long until this is true again, unless one does.
     */
    public synchronized boolean needsAnotherStream() {
        boolean isMissing = missingSinceNanos.isPresent()
                && time.nanoTime() - missingSinceNanos.getAsLong() > missingAfter.toNanos();
        if (isMissing) {
            missingSinceNanos = OptionalLong.empty();
            missingAfter = doubled(missingAfter, MAX_MISSING);
        }
        return isMissing;
    }

    /** Records that an event has come. */
    public synchronized void event() {
        missingSinceNanos = OptionalLong.empty();
        missingAfter = FIRST_MISSING;
    }

    /**
     * Records a grant to a waiter that an event has notified.
     *
     * @param freeFor how long the lock was free before; zero if that is not known, which shows nothing
     */
    public synchronized void grantedByEvent(Duration freeFor) {
        if (!freeFor.isZero()) {
            record(freeFor.compareTo(MAX_TIMELY) > 0);
        }
    }

    /** Records that an event is missing: a waiter that should have been notified has lost its turn to another. */
    public synchronized void eventMissing() {
        missingSinceNanos = missingSinceNanos.isPresent() ? missingSinceNanos : OptionalLong.of(time.nanoTime());
        record(true);
    }

    /** Records that a waiter which should have been notified has seen a free lock, by how long that was free. */
    public synchronized void seenWithoutEvent(Duration freeFor) {
        if (freeFor.compareTo(MISSING_AFTER) > 0) {
            eventMissing();
        }
    }

    /** Forgets the events that were missed before a stream was opened. */
    public synchronized void streamOpened() {
        missingSinceNanos = OptionalLong.empty();
    }

    /** Returns whether events have become late since the last check. */
    public synchronized boolean becameLate() {
        boolean became = becameLate;
        becameLate = false;
        return became;
    }

    private void record(boolean isLate) {
        forgetOldLateness();
        timelyInARow = isLate ? 0 : timelyInARow + 1;
        becameLate |= isLate && !late;
        late = isLate || (late && timelyInARow < TIMELY_NEEDED);
        if (isLate) {
            lastLateNanos = time.nanoTime();
        } else if (!late) {
            trustedAfter = FIRST_TRUST;
        }
    }

    private static Duration doubled(Duration time, Duration most) {
        return time.compareTo(most.dividedBy(2)) < 0 ? time.multipliedBy(2) : most;
    }
}
