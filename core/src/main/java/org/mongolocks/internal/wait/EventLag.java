package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;
import org.mongolocks.TimeSource;
import org.mongolocks.spi.Reply;

/**
 * A measure of how late the events of a change stream are. A client knows when its own releases were answered, and
 * therefore how much later their events arrive: milliseconds from a replica set, a second and more through the router
 * of a sharded cluster, which holds an event back until no shard can have an older one. An event belongs to a release
 * if it is of the same lock and newer than all that the server had shown when the release began.
 *
 * <p>Two states. <i>Timely</i>: waiters rely on events. <i>Late</i>: they poll beside the stream. One event that is
 * later than {@link #MAX_TIMELY}, or does not arrive for that long, makes them late; some timely events in a row make
 * them timely again. Before the first measurement events count as late behind a router, and as timely elsewhere. Away from
 * routers they count as timely again a minute after the last late one, and twice as long after each time that this was
 * wrong, up to an hour: a client that hardly ever releases a lock would otherwise poll for days after a single late event.
 *
 * <p>A poll is a measurement too: a reply shows a revision of the lock, so the release of a newer one was executed after
 * that command had begun, and its event is no later than the time since. Any other event of a polled lock may be late. So
 * clients whose events were late by overload, and which hardly ever get the lock, soon rely on events again. Thread-safe.
 */
public final class EventLag {
    /**
     * The largest delay of a timely event, and the longest polling interval beside a stream while attempts are quick: an
     * event that is later than that is of little use.
     */
    static final Duration MAX_TIMELY = Duration.ofMillis(250);

    /** A router delivers an event after ten seconds at the latest, when each shard has written something. */
    private static final Duration FIRST_MISSING = Duration.ofSeconds(15);
    /** The releases of a strategy of one's own may have no events at all. */
    private static final Duration MAX_MISSING = Duration.ofHours(1);

    private static final Duration FIRST_TRUST = Duration.ofMinutes(1);
    private static final Duration MAX_TRUST = Duration.ofHours(1);
    private static final int TIMELY_NEEDED = 3;
    /** Releases without an event must not accumulate while a stream delivers nothing. */
    private static final int MAX_AWAITED = 100;

    private static final BsonString ROUTER = new BsonString("isdbgrid");

    private final TimeSource time;
    private final Map<String, Release> releases = new LinkedHashMap<>();
    private @Nullable BsonTimestamp newest;
    private boolean late;
    private boolean becameLate;
    private boolean isRouter;
    private long lastLateNanos;
    private Duration trustedAfter = FIRST_TRUST;
    private int timelyInARow;
    private OptionalLong missingSinceNanos = OptionalLong.empty();
    private Duration missingAfter = FIRST_MISSING;

    /**
     * Creates a measure without data.
     *
     * @param time the monotonic time of the client
     */
    public EventLag(TimeSource time) {
        this.time = time;
    }

    /** A release of this client whose event has not arrived. */
    private static final class Release {
        private final @Nullable BsonTimestamp after;
        private boolean answered;
        private long answeredNanos;

        Release(@Nullable BsonTimestamp after) {
            this.after = after;
        }

        boolean mayHaveCaused(@Nullable BsonTimestamp at) {
            return after == null || at == null || at.compareTo(after) > 0;
        }
    }

    /**
     * Records the server's description and time in a reply.
     *
     * @param reply the reply
     * @param operationTime the server's logical time, null if it has none
     */
    public synchronized void recordReply(Reply reply, @Nullable BsonTimestamp operationTime) {
        BsonTimestamp before = newest;
        if (operationTime != null && (before == null || operationTime.compareTo(before) > 0)) {
            newest = operationTime;
        }
        if (reply instanceof Reply.Found found && timelyInARow == 0) {
            isRouter |= found.document()
                    .filter(document -> ROUTER.equals(document.get("msg")))
                    .isPresent();
            late |= isRouter;
        }
    }

    /** Returns whether waiters poll beside the stream. */
    synchronized boolean isLate() {
        if (late && !isRouter && time.nanoTime() - lastLateNanos > trustedAfter.toNanos()) {
            late = false;
            trustedAfter = doubled(trustedAfter, MAX_TRUST);
        }
        return late;
    }

    /**
     * Returns whether no event has come for long since the event of a release of this client was due: then another stream
     * may deliver events. After that it takes twice as long until this is true again, unless one does.
     */
    synchronized boolean needsAnotherStream() {
        recordOverdue();
        boolean isMissing = missingSinceNanos.isPresent()
                && time.nanoTime() - missingSinceNanos.getAsLong() > missingAfter.toNanos();
        if (isMissing) {
            missingSinceNanos = OptionalLong.empty();
            missingAfter = doubled(missingAfter, MAX_MISSING);
        }
        return isMissing;
    }

    /** Records that a release is about to be sent. */
    synchronized void releasing(String name) {
        releases.remove(name);
        releases.put(name, new Release(newest));
        if (releases.size() > MAX_AWAITED) {
            Iterator<Release> eldest = releases.values().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    /** Records the reply: the event is due. */
    synchronized void released(String name, boolean freed) {
        Release release = releases.get(name);
        if (release != null && freed) {
            release.answered = true;
            release.answeredNanos = time.nanoTime();
        } else {
            releases.remove(name);
        }
    }

    /**
     * Records that this client is about to register as waiting: the stream may leave out a release that is executed
     * after that.
     */
    synchronized void registering(String name) {
        Release release = releases.get(name);
        if (release != null && !release.answered) {
            releases.remove(name);
        }
    }

    /**
     * Records an event; it may arrive before the reply of its release.
     *
     * @param name the name of the lock
     * @param at the logical time of the event, null if the server does not report it
     * @param isPolled whether waiters poll the lock because events are late, and the event shows its revision
     * @param afterNanos a time before the release was executed, empty if none is known
     */
    synchronized void event(String name, @Nullable BsonTimestamp at, boolean isPolled, OptionalLong afterNanos) {
        missingSinceNanos = OptionalLong.empty();
        missingAfter = FIRST_MISSING;
        Release release = releases.get(name);
        if (release != null && release.mayHaveCaused(at)) {
            releases.remove(name);
            record(isOverdue(release));
        } else if (isPolled) {
            record(afterNanos.isEmpty() || isOverdue(afterNanos.getAsLong()));
        }
    }

    /** Drops the releases from before a stream was opened, whose events it may not deliver. */
    synchronized void streamOpened() {
        releases.clear();
        missingSinceNanos = OptionalLong.empty();
    }

    /** Checks for overdue events. Returns whether events have become late since the last check. */
    synchronized boolean becameLate() {
        recordOverdue();
        boolean became = becameLate;
        becameLate = false;
        return became;
    }

    private void recordOverdue() {
        if (!releases.isEmpty() && releases.values().removeIf(this::isOverdue)) {
            missingSinceNanos = missingSinceNanos.isPresent() ? missingSinceNanos : OptionalLong.of(time.nanoTime());
            record(true);
        }
    }

    private void record(boolean isLate) {
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

    private boolean isOverdue(Release release) {
        return release.answered && isOverdue(release.answeredNanos);
    }

    private boolean isOverdue(long dueNanos) {
        return time.nanoTime() - dueNanos > MAX_TIMELY.toNanos();
    }
}
