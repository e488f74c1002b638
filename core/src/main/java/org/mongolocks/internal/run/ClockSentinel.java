package org.mongolocks.internal.run;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.ClientSettings.ClockJump;
import org.mongolocks.ClientSettings.ClockJumpListener;
import org.mongolocks.ClientSettings.LeaseSettings;
import org.mongolocks.ClientStatus.ClockOffset;
import org.mongolocks.TimeSource;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;

/**
 * A detector of jumps of the offset between the server's clock and this machine's clock. It sends no command: replies
 * that show a lock carry the server's time.
 *
 * <p>Each such reply gives a lower and an upper bound of the offset, from the times at which the command was sent and
 * answered. Bounds that overlap those known before narrow them; a slow drift therefore is never a jump. If two replies
 * have bounds that are further apart than the skew margin, one of the clocks has jumped. At most one jump is reported
 * in a minute, because several routers with different clocks may reply in turn. Thread-safe.
 */
public final class ClockSentinel {
    /** The server's time in a reply to {@code hello}. */
    private static final String LOCAL_TIME = "localTime";

    private static final Duration MIN_BETWEEN_REPORTS = Duration.ofMinutes(1);

    private final InstantSource wallClock;
    private final TimeSource time;
    private final Duration margin;
    private final ClockJumpListener listener;
    private volatile Executor executor = Runnable::run;
    private @Nullable Offset known;
    private boolean reported;
    private long reportedNanos;

    /**
     * Creates a detector without any measurement.
     *
     * @param time the monotonic time of the client, for the length of a round trip
     * @param margin how far the offset may jump without a report
     */
    public ClockSentinel(InstantSource wallClock, TimeSource time, Duration margin, ClockJumpListener listener) {
        this.wallClock = wallClock;
        this.time = time;
        this.margin = margin;
        this.listener = listener;
    }

    public static ClockSentinel of(ClientSettings settings) {
        LeaseSettings holding = settings.holding();
        return new ClockSentinel(holding.wallClock(), settings.time(), holding.clockMargin(), holding.clockJumps());
    }

    /**
     * The bounds of how far a server's clock is ahead of this machine's clock, at the moment of one reply. Numbers,
     * because each reply makes new ones.
     *
     * @param leastNanos the least possible offset, in nanoseconds; negative if the server's clock may be behind
     * @param mostNanos the largest possible offset, in nanoseconds
     */
    public record Offset(long leastNanos, long mostNanos) {
        /** Servers truncate their time to milliseconds. */
        private static final long GRANULARITY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

        /**
         * Calculates the bounds from one round trip.
         *
         * @param sent this machine's time before the command was sent
         * @param roundTripNanos how long its reply took, on a monotonic clock
         * @param serverMillis the server's time in the reply, in milliseconds since 1970
         * @return the bounds; their distance is the round trip and a millisecond
         */
        public static Offset measured(Instant sent, long roundTripNanos, long serverMillis) {
            long aheadNanos = aheadNanos(sent, serverMillis);
            return new Offset(aheadNanos - roundTripNanos, aheadNanos + GRANULARITY_NANOS);
        }

        /** Returns the offset in the middle of the bounds. */
        public Duration middle() {
            return Duration.ofNanos(leastNanos).plus(uncertainty());
        }

        /** Returns the largest error of {@link #middle()}: half of the distance of the bounds. */
        public Duration uncertainty() {
            return Duration.ofNanos((mostNanos - leastNanos) / 2);
        }

        /**
         * Returns the least difference of two offsets, wherever they are within their bounds; zero if these overlap.
         */
        public Duration distanceTo(Offset other) {
            return Duration.ofNanos(nanosFrom(other));
        }

        private long nanosFrom(Offset other) {
            return Math.max(0, Math.max(leastNanos - other.mostNanos, other.leastNanos - mostNanos));
        }

        /** Returns the intersection of two bounds that overlap. */
        private Offset intersect(Offset other) {
            return new Offset(Math.max(leastNanos, other.leastNanos), Math.min(mostNanos, other.mostNanos));
        }
    }

    /** Sets the executor of the listener; until then it is called on the thread that reads the reply. */
    public void reportOn(Executor listeners) {
        executor = listeners;
    }

    /** Returns the time of this machine, to be read just before a command is sent. */
    Instant wallTime() {
        return wallClock.instant();
    }

    /**
     * Compares the clocks, if a reply carries the server's time.
     *
     * @param op the operation that sent the command
     * @param reply the reply, which has just arrived
     * @param sent the {@linkplain #wallTime time} before the command was sent
     * @param roundTripNanos how long ago that was, on the monotonic clock
     */
    void answered(MongoOp op, Reply reply, Instant sent, long roundTripNanos) {
        Optional<BsonDocument> found = reply instanceof Reply.Found shown ? shown.document() : Optional.empty();
        if (found.isEmpty()) {
            return;
        }
        BsonDocument document = found.get();
        BsonValue stamp = document.get(isStamped(op) ? LockFields.RENEWED_AT : LockFields.NOW);
        BsonValue server = stamp instanceof BsonDateTime ? stamp : document.get(LOCAL_TIME);
        if (server instanceof BsonDateTime date && mayBeNews(aheadNanos(sent, date.getValue()), roundTripNanos)) {
            update(Offset.measured(sent, roundTripNanos, date.getValue())).ifPresent(this::report);
        }
    }

    private static long aheadNanos(Instant sent, long serverMillis) {
        long wholeSeconds = TimeUnit.SECONDS.toMillis(sent.getEpochSecond());
        return TimeUnit.MILLISECONDS.toNanos(serverMillis - wholeSeconds) - sent.getNano();
    }

    /** Most replies neither narrow the bounds nor contradict them. */
    private synchronized boolean mayBeNews(long aheadNanos, long roundTripNanos) {
        Offset before = known;
        return before == null
                || aheadNanos - roundTripNanos > before.leastNanos
                || aheadNanos + Offset.GRANULARITY_NANOS < before.mostNanos;
    }

    /** Returns the bounds of the offset; empty before the first reply that carried the server's time. */
    public synchronized Optional<Offset> offset() {
        return Optional.ofNullable(known);
    }

    /** Returns the offset as the users of a client see it: the middle of the bounds. */
    public Optional<ClockOffset> status() {
        return offset().map(bounds -> new ClockOffset(bounds.middle(), bounds.uncertainty()));
    }

    /** Returns whether the server stores its time in a document that it returns. */
    private static boolean isStamped(MongoOp op) {
        return op instanceof MongoOp.FindOneAndUpdate update
                && update.change() instanceof UpdateSpec.Operators change
                && change.operators().get("$currentDate") instanceof BsonDocument dates
                && dates.containsKey(LockFields.RENEWED_AT);
    }

    /** Bounds that overlap narrow each other; otherwise the new ones replace the old ones. */
    private synchronized Optional<ClockJump> update(Offset now) {
        Offset before = known;
        long apartNanos = before == null ? 0 : now.nanosFrom(before);
        known = before != null && apartNanos == 0 ? now.intersect(before) : now;
        return before == null || apartNanos <= margin.toNanos() || !mayReport()
                ? Optional.empty()
                : Optional.of(new ClockJump(before.middle(), now.middle(), now.uncertainty()));
    }

    private boolean mayReport() {
        long nowNanos = time.nanoTime();
        boolean may = !reported || nowNanos - reportedNanos >= MIN_BETWEEN_REPORTS.toNanos();
        if (may) {
            reported = true;
            reportedNanos = nowNanos;
        }
        return may;
    }

    private void report(ClockJump jump) {
        BackgroundLog.log(
                WARNING,
                "The server's clock was " + jump.before().toMillis() + " ms ahead of this machine's, and is "
                        + jump.after().toMillis() + " ms ahead now (within "
                        + jump.uncertainty().toMillis()
                        + " ms): one of them was set, or another server answers. Leases end by the server's clock");
        try {
            executor.execute(() -> listen(jump));
        } catch (RejectedExecutionException e) {
            BackgroundLog.log(WARNING, "The listener for clock jumps cannot be called: its executor has ended", e);
        }
    }

    private void listen(ClockJump jump) {
        try {
            listener.onClockJump(jump);
        } catch (RuntimeException e) {
            BackgroundLog.log(WARNING, "The listener for clock jumps failed", e);
        }
    }
}
