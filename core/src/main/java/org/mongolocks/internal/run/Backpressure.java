package org.mongolocks.internal.run;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.mongolocks.TimeSource;

/**
 * The pace of one client's commands while its server sheds load: so that waiters, renewals and retries of many clients
 * do not keep it overloaded.
 *
 * <ul>
 *   <li>From a refusal on, commands go one after another, {@value #INTERVAL_MILLIS} milliseconds apart.
 *   <li>After each refusal, commands that can wait do so for longer, by the rule of MongoDB's drivers: a random part of
 *       100 ms * 2<sup>n</sup> after the n-th refusal in a row, at most ten seconds. The server may name another first
 *       wait than 100 ms: {@code baseBackoffMS}.
 *   <li>Urgent commands, which renew or release a lock, do not wait for that, and go first: a lock that is lost costs
 *       more than a command.
 *   <li>After {@value #CALM_REPLIES} replies in a row that are no refusals, nothing is delayed any more.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class Backpressure {
    private static final int INTERVAL_MILLIS = 500;
    private static final int CALM_REPLIES = 5;

    private static final long INTERVAL_NANOS =
            Duration.ofMillis(INTERVAL_MILLIS).toNanos();
    /** An urgent command that does not come when its turn has begun has ended otherwise. */
    private static final long TURN_NANOS = INTERVAL_NANOS / 5;

    private static final double FIRST_MILLIS = 100;
    private static final double MAX_MILLIS = 10_000;
    /** More doublings than these exceed the longest wait. */
    private static final int MAX_DOUBLINGS = 20;

    private final TimeSource time;
    private final RandomGenerator random;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private volatile boolean isOverloaded;
    private volatile @Nullable MongoException newestRefusal;
    private int refusals;
    private int repliesInARow;
    private long refusedNanos;
    private long nextNanos;
    private long nextOfOthersNanos;
    private long urgentTurnNanos;
    private boolean isUrgentAwaited;

    /**
     * Creates the pace of a client whose server is not overloaded.
     *
     * @param time the monotonic time of the client
     * @param random the source of the jitter
     */
    public Backpressure(TimeSource time, RandomGenerator random) {
        this.time = time;
        this.random = random;
    }

    /** Returns whether no command waits. */
    public boolean isCalm() {
        return !isOverloaded;
    }

    /**
     * Returns how long a command waits before it asks again whether it may be sent. If it need not wait, its turn is
     * used by that.
     *
     * @param isUrgent whether it renews or releases a lock
     * @return the wait; zero if it is to be sent now
     */
    Duration await(boolean isUrgent) {
        return isOverloaded ? awaitTurn(isUrgent) : Duration.ZERO;
    }

    /** Records a command that cannot wait, because it belongs to a transaction that is open. */
    synchronized void sentAtOnce() {
        long now = time.nanoTime();
        nextNanos = (nextNanos - now > 0 ? nextNanos : now) + INTERVAL_NANOS;
    }

    /** Delays no command any more: the client is closed, and sends few. */
    public void stop() {
        stopped.complete(null);
        isOverloaded = false;
    }

    /** Returns the newest refusal; empty if there was none. */
    Optional<MongoException> newestRefusal() {
        return Optional.ofNullable(newestRefusal);
    }

    /** Returns what completes when commands that wait need not wait any more. */
    CompletableFuture<Void> stopped() {
        return stopped;
    }

    private synchronized Duration awaitTurn(boolean isUrgent) {
        long now = time.nanoTime();
        long wait = Math.max(0, (isUrgent ? nextNanos : earliestOfOthers(now)) - now);
        if (wait == 0) {
            nextNanos = now + INTERVAL_NANOS;
            isUrgentAwaited &= !isUrgent;
        } else if (isUrgent) {
            isUrgentAwaited = true;
            urgentTurnNanos = now + wait;
        } else {
            // Those that have waited for the same turn do not ask for the next one at the same time.
            wait += (long) (random.nextDouble() * INTERVAL_NANOS);
        }
        return Duration.ofNanos(wait);
    }

    private long earliestOfOthers(long now) {
        long earliest = nextNanos - nextOfOthersNanos > 0 ? nextNanos : nextOfOthersNanos;
        if (isUrgentAwaited && now - urgentTurnNanos > TURN_NANOS) {
            isUrgentAwaited = false;
        }
        long afterUrgent = urgentTurnNanos + TURN_NANOS;
        return isUrgentAwaited && afterUrgent - earliest > 0 ? afterUrgent : earliest;
    }

    /**
     * Records a reply, or an error that is no overload.
     */
    void answered() {
        if (isOverloaded) {
            recordReply();
        }
    }

    private synchronized void recordReply() {
        refusals = 0;
        isOverloaded = ++repliesInARow < CALM_REPLIES;
    }

    /**
     * Records that the server has refused a command because of its load. Refusals of commands that were under way at the
     * same time count as one.
     *
     * @param cause the driver's exception
     * @param sentNanos when the command was sent
     */
    synchronized void refused(MongoException cause, long sentNanos) {
        boolean isFirst = !isOverloaded;
        newestRefusal = cause;
        repliesInARow = 0;
        isOverloaded = !stopped.isDone();
        long now = time.nanoTime();
        if (isFirst || sentNanos - refusedNanos >= 0) {
            refusals = isFirst ? 1 : refusals + 1;
            refusedNanos = now;
            nextNanos = now + INTERVAL_NANOS;
            nextOfOthersNanos = now + backoff(cause, refusals).toNanos();
        }
    }

    /**
     * Returns how long to wait after a refusal, by the rule of the drivers.
     *
     * @param cause the driver's exception
     * @param refusals the number of refusals in a row, from 1
     * @return the wait, at most ten seconds
     */
    public Duration backoff(MongoException cause, int refusals) {
        double longest = Math.min(MAX_MILLIS, Math.scalb(firstMillis(cause), Math.min(refusals, MAX_DOUBLINGS)));
        return Duration.ofMillis(Math.round(longest * random.nextDouble()));
    }

    private static double firstMillis(MongoException cause) {
        BsonValue named = cause instanceof MongoCommandException refusal
                ? refusal.getResponse().get("baseBackoffMS")
                : null;
        return named instanceof BsonNumber millis && millis.doubleValue() > 0 ? millis.doubleValue() : FIRST_MILLIS;
    }
}
