package org.mongolocks.internal.run;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.mongolocks.internal.base.JitteredBackoff;
import org.mongolocks.time.TimeSource;

/**
 * The pace of one client's retries and polls while its server sheds load: so that the waits, renewals and retries of many
 * clients do not keep it overloaded.
 *
 * <ul>
 *   <li>From a refusal on, each retry or poll gets a turn. The turns are {@value #INTERVAL_MILLIS} milliseconds apart;
 *       those of acquisitions, and those of renewals, releases and others, are counted by themselves.
 *   <li>After each refusal the next turn of an acquisition also comes later, by the rule of MongoDB's drivers. After
 *       the n-th refusal in a row it is a random part of 100 ms * 2<sup>n</sup>, at most ten seconds. The server may
 *       name another first wait than 100 ms: {@code baseBackoffMS}.
 *   <li>It ends after {@value #CALM_REPLIES} replies in a row that are no refusals, or {@value #FORGET_SECONDS} seconds
 *       after the last refusal. Whatever waits for its turn then goes on.
 * </ul>
 *
 * <p>A turn is a wish: what cannot wait for it, because its lease or its deadline ends, does not. The first command of an
 * operation does not wait either, nor do the statements of a transaction. Thread-safe.
 */
public final class Backpressure {
    private static final int INTERVAL_MILLIS = 1_000;
    private static final int CALM_REPLIES = 5;
    private static final int FORGET_SECONDS = 20;

    private static final long INTERVAL_NANOS =
            Duration.ofMillis(INTERVAL_MILLIS).toNanos();
    private static final long FORGET_NANOS = Duration.ofSeconds(FORGET_SECONDS).toNanos();
    private static final double FIRST_MILLIS = 100;
    private static final double MAX_MILLIS = 10_000;

    private final TimeSource time;
    private final RandomGenerator random;
    private volatile boolean isOverloaded;
    private boolean isStopped;
    private CompletableFuture<Void> calm = CompletableFuture.completedFuture(null);
    private int refusals;
    private int repliesInARow;
    private long refusedNanos;
    private long nextPatientNanos;
    private long nextUrgentNanos;

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

    /** Returns whether nothing waits. */
    boolean isCalm() {
        return !isOverloaded;
    }

    /** Returns what completes when the server is not overloaded any more, or the client is closed. */
    synchronized CompletableFuture<Void> calm() {
        return calm;
    }

    /**
     * Takes the next turn.
     *
     * @param isPatient whether it is that of an acquisition
     * @return the time until then; zero if nothing waits
     */
    synchronized Duration turn(boolean isPatient) {
        long now = time.nanoTime();
        if (isOverloaded && now - refusedNanos > FORGET_NANOS) {
            end();
        }
        if (!isOverloaded) {
            return Duration.ZERO;
        }
        long next = isPatient ? nextPatientNanos : nextUrgentNanos;
        long turn = next - now > 0 ? next : now;
        if (isPatient) {
            nextPatientNanos = turn + INTERVAL_NANOS;
        } else {
            nextUrgentNanos = turn + INTERVAL_NANOS;
        }
        return Duration.ofNanos(turn - now);
    }

    /**
     * Records a reply, or an error that is no overload. The reply to a command that was sent before the newest refusal says
     * nothing about the time after it.
     *
     * @param sentNanos when the command was sent
     */
    void answered(long sentNanos) {
        if (isOverloaded) {
            recordReply(sentNanos);
        }
    }

    private synchronized void recordReply(long sentNanos) {
        if (isOverloaded && sentNanos - refusedNanos >= 0 && ++repliesInARow == CALM_REPLIES) {
            end();
        }
    }

    /**
     * Records that the server has refused a command because of its load. Refusals of commands that were under way at the
     * same time count as one.
     *
     * @param cause the driver's exception
     * @param sentNanos when the command was sent
     */
    synchronized void refused(MongoException cause, long sentNanos) {
        if (isStopped) {
            return;
        }
        long now = time.nanoTime();
        repliesInARow = 0;
        boolean isFirst = !isOverloaded || now - refusedNanos > FORGET_NANOS;
        if (isFirst) {
            refusals = 0;
            nextPatientNanos = now;
            nextUrgentNanos = now;
            calm = isOverloaded ? calm : new CompletableFuture<>();
            isOverloaded = true;
        }
        if (isFirst || sentNanos - refusedNanos >= 0) {
            refusals++;
            long backoff = now + backoff(cause, refusals, random).toNanos();
            nextPatientNanos = backoff - nextPatientNanos > 0 ? backoff : nextPatientNanos;
            refusedNanos = now;
        }
    }

    /** Delays nothing any more: the client is closed, and sends little. */
    public synchronized void stop() {
        isStopped = true;
        end();
    }

    private void end() {
        isOverloaded = false;
        calm.complete(null);
    }

    /**
     * Returns how long to wait after a refusal, by the rule of the drivers.
     *
     * @param cause the driver's exception
     * @param refusals the number of refusals in a row, from 1
     * @param random the source of the jitter
     * @return the wait, at most ten seconds
     */
    public static Duration backoff(MongoException cause, int refusals, RandomGenerator random) {
        double longest = JitteredBackoff.longestMillis(firstMillis(cause), refusals, MAX_MILLIS);
        return Duration.ofMillis(Math.round(longest * random.nextDouble()));
    }

    private static double firstMillis(MongoException cause) {
        BsonValue named = cause instanceof MongoCommandException refusal
                ? refusal.getResponse().get("baseBackoffMS")
                : null;
        return named instanceof BsonNumber millis && millis.doubleValue() > 0 ? millis.doubleValue() : FIRST_MILLIS;
    }
}
