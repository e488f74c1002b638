package org.mongolocks.internal.wait;

import static org.mongolocks.internal.base.Durations.longer;
import static org.mongolocks.internal.base.Durations.shorter;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.internal.run.EventLag;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/**
 * How long the head of a queue waits until it reads or attempts its lock next. The wait lasts until its turn if a reply
 * shows that, until an event that it relies on is taken for missing, or until its next poll.
 */
final class LookDelays {
    /** While events are delivered, a read without an event only guards against a missed one. */
    private static final Duration MAX_DELAY_WHEN_NOTIFIED = Duration.ofSeconds(9);
    /** The part of that delay which is random, so that the reads of many queues do not come together. */
    private static final int PARTS_OF_JITTER = 2;
    /**
     * How long one that no event notifies waits for the next look: not much longer than all claims before it take if their
     * waiters have died. While looks show that the waiters before it get their turns, each delay is twice the one before.
     */
    private static final Duration FAR_BACK = Duration.ofMillis(2_200);
    /** How much later each further waiter looks at a lock whose lease has ended: those before it may have given up. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(1);

    private static final Duration MAX_AFTER_END = Duration.ofMillis(250);
    /** How much later each further waiter claims a lock that all of them may claim. */
    private static final Duration BETWEEN_CLAIMS = Duration.ofMillis(5);

    private static final Duration MAX_AFTER_CLAIMS = Duration.ofMillis(450);
    /** One that polls and has its turn soon does so within the time for its claim. */
    private static final Duration MAX_POLL_IN_TURN = Duration.ofMillis(200);

    private static final Duration MAX_POLL_FAR_BACK = Duration.ofMillis(500);
    /** If more queues wait, and any of their locks may have been released, their reads are spread over a time. */
    private static final int MAX_AT_ONCE = 100;
    /** That time, for each queue, and the shortest polling interval for each queue. */
    private static final Duration TIME_PER_READ = Duration.ofMillis(1);
    /** That delay for each queue, if it is more, up to a limit: so many queues send few reads of locks that stay held. */
    private static final Duration TIME_PER_LOOK = Duration.ofMillis(16);

    private static final Duration MAX_DELAY_OF_MANY = Duration.ofSeconds(40);
    /** How often to make an attempt in one lease where the reply does not show the end of the lease. */
    private static final int ATTEMPTS_PER_LEASE = 3;
    /** The longest pause before a poll, in durations of the last attempt, if that is more than the other limit. */
    private static final int ATTEMPT_TIMES_PER_POLL = 4;

    private final IntervalFunction polling;
    private final ReleaseWatcher stream;
    private final RandomGenerator random;

    LookDelays(IntervalFunction polling, ReleaseWatcher stream, RandomGenerator random) {
        this.polling = polling;
        this.stream = stream;
        this.random = random;
    }

    /** Returns how long to wait for the turn of a queue, as far as a reply shows it; zero if only a later look does. */
    static Duration untilTurn(ListEntry entry, LockOutcome.Contended seen) {
        if (isLeaseOfHolder(seen.lock()) || seen.turn().isEmpty()) {
            return untilFree(seen.lock()).plus(shorter(BETWEEN_LOOKS.multipliedBy(entry.before()), MAX_AFTER_END));
        }
        Duration after = seen.turn().get().after();
        if (isUnclaimed(seen)) {
            // The list does not distinguish the positions beyond all claims: the first that is left should be granted
            // it.
            int beyond = Math.max(0, entry.before() - LockStrategy.MAX_CLAIMS);
            return after.plus(shorter(BETWEEN_CLAIMS.multipliedBy(beyond), MAX_AFTER_CLAIMS));
        }
        return entry.isAmongNotified() ? after : Duration.ZERO;
    }

    /** Returns whether a lock has been free for at least the time that the first waiter has for its claim. */
    static boolean isUnclaimed(LockOutcome.Contended seen) {
        return seen.turn()
                .filter(turn -> turn.freeFor().compareTo(LockStrategy.CLAIM_TIME) >= 0)
                .isPresent();
    }

    /** The end of a minimum hold is known to the next waiters; the end of another lease shows that its holder has died. */
    private static boolean isLeaseOfHolder(LockSnapshot lock) {
        return lock.isHeld()
                && lock.holder().filter(Owner::isStoredAfterRelease).isEmpty();
    }

    /** Returns when a lease ends, as far as is known; zero if the lock was free: the attempt lost every race. */
    private static Duration untilFree(LockSnapshot lock) {
        return lock.isHeld() ? lock.remaining().orElse(lock.ttl().dividedBy(ATTEMPTS_PER_LEASE)) : Duration.ZERO;
    }

    /**
     * Returns how long to wait for an event that shows the turn of a queue, before it looks without one.
     *
     * @param queues how many queues wait
     */
    Duration withoutEvent(WaiterQueue queue, int queues) {
        ListEntry entry = queue.entry();
        Duration many = shorter(TIME_PER_LOOK.multipliedBy(queues), MAX_DELAY_OF_MANY);
        Duration most = longer(MAX_DELAY_WHEN_NOTIFIED, many);
        boolean isFarBack = entry.position().isPresent() && !entry.isAmongNotified();
        if (!isFarBack || most.compareTo(MAX_DELAY_WHEN_NOTIFIED) > 0) {
            return most.minusNanos(
                    random.nextLong(most.dividedBy(PARTS_OF_JITTER).toNanos()));
        }
        return shorter(FAR_BACK.multipliedBy(1L << entry.moves()), MAX_DELAY_WHEN_NOTIFIED);
    }

    /** Returns the polling interval. One in the list polls more often the sooner its turn may come. */
    Duration nextPoll(WaiterQueue queue, Duration attemptTime, int queues) {
        ListEntry entry = queue.entry();
        Duration spread = TIME_PER_READ.multipliedBy(queues);
        Duration poll = Duration.ofMillis(polling.apply(queue.countPoll())).multipliedBy(1 + entry.before());
        if (entry.position().isEmpty() && !stream.isListening()) {
            return longer(spread, poll);
        }
        return longer(spread, halvedUntil(poll, longestPoll(entry), attemptTime));
    }

    private static Duration longestPoll(ListEntry entry) {
        return entry.position().isEmpty()
                ? EventLag.MAX_TIMELY
                : entry.isAmongNotified() ? MAX_POLL_IN_TURN : MAX_POLL_FAR_BACK;
    }

    /** Returns when one of many queues looks, all of whose locks may have been released: at once, or at a random time soon. */
    Duration spreadOver(int many) {
        return many <= MAX_AT_ONCE ? Duration.ZERO : TIME_PER_READ.multipliedBy(random.nextInt(many));
    }

    /**
     * Halves a polling interval until it is short enough, which keeps its jitter. Attempts that take long show that
     * servers or clients are overloaded, perhaps by polls.
     */
    private static Duration halvedUntil(Duration poll, Duration most, Duration attemptTime) {
        Duration limit = longer(most, attemptTime.multipliedBy(ATTEMPT_TIMES_PER_POLL));
        Duration halved = poll;
        while (halved.compareTo(limit) > 0) {
            halved = halved.dividedBy(2);
        }
        return halved;
    }
}
