package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext.Observation;

/**
 * The local queue of the waiters for one lock in one client. Only the head makes attempts; all share what its replies
 * show. Guarded by its {@link WaiterQueues}.
 */
public class WaiterQueue {
    private final String name;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private @Nullable LockSnapshot newest;
    private long unchangedSinceNanos;
    private boolean due;
    private boolean attemptInFlight;
    private long nextAttemptNanos;
    private int polls;

    /** The action of the head when its wait is over. */
    public enum HeadAction {
        /** Attempts to acquire the lock. */
        ATTEMPT,
        /** Reads the tickets before its own. */
        READ_TICKETS,
        /** Renews the tickets of this client. */
        RENEW_TICKETS
    }

    WaiterQueue(String name) {
        this.name = name;
    }

    /** Returns the name of the lock. */
    String name() {
        return name;
    }

    void add(Waiter waiter) {
        waiters.add(waiter);
    }

    /** Returns whether the queue is strictly first come, first served. */
    boolean isFair() {
        return false;
    }

    /** Sorts the waiters; equal ones keep their order. */
    void sort(ToIntFunction<Waiter> position) {
        List<Waiter> sorted =
                waiters.stream().sorted(Comparator.comparingInt(position)).toList();
        waiters.clear();
        waiters.addAll(sorted);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    Stream<Waiter> waiters() {
        return waiters.stream();
    }

    Optional<Waiter> head() {
        return waiters.stream()
                .filter(waiter -> !waiter.isLast() || isFair())
                .findFirst()
                .or(() -> Optional.ofNullable(waiters.peek()));
    }

    boolean isHead(Waiter waiter) {
        return head().filter(waiter::equals).isPresent();
    }

    int countPoll() {
        return ++polls;
    }

    /** Records a reason for an attempt now. One that arrives during an attempt stays until the next attempt. */
    void makeDue(boolean reason) {
        due |= reason;
    }

    boolean isDue() {
        return due;
    }

    /** Records that an attempt begins. Only the head updates the shared state. */
    void beginAttempt(Waiter waiter) {
        if (isHead(waiter)) {
            due = false;
            attemptInFlight = true;
        }
    }

    /** Records that the head got a reply. */
    void endAttempt() {
        attemptInFlight = false;
    }

    /** Records the holder in a reply to the head. */
    void contended(Waiter waiter, LockSnapshot holder, long nowNanos) {
        if (isHead(waiter)) {
            unchangedSinceNanos = isUnchanged(holder) ? unchangedSinceNanos : nowNanos;
            newest = holder;
        }
    }

    /** Sets the latest time of the head's next attempt. */
    void scheduleAttempt(Waiter waiter, long nowNanos, Duration delay) {
        if (isHead(waiter)) {
            attemptInFlight = false;
            nextAttemptNanos = nowNanos + delay.toNanos();
        }
    }

    /** Records that a waiter of this queue holds the lock now. */
    void granted(Waiter waiter, long nowNanos, Duration delay) {
        scheduleAttempt(waiter, nowNanos, delay);
        polls = 0;
    }

    /**
     * Removes a waiter, and returns whether it was the head. The reply that it no longer receives may have been that
     * the lock is free.
     */
    boolean remove(Waiter waiter) {
        boolean wasHead = isHead(waiter);
        if (wasHead) {
            due |= attemptInFlight;
            attemptInFlight = false;
        }
        waiters.remove(waiter);
        return wasHead;
    }

    /** Returns how long the head waits until its next action. */
    Duration headDelay(long nowNanos) {
        return due ? Duration.ZERO : Duration.ofNanos(Math.max(0, nextAttemptNanos - nowNanos));
    }

    /** Returns the action of the head when its wait is over. */
    HeadAction headAction(long nowNanos) {
        return HeadAction.ATTEMPT;
    }

    /** Returns whether the head may attempt to acquire the lock. */
    boolean headMayAttempt() {
        return true;
    }

    /** Returns the lock as last seen by a head, and for how long it has not changed by this client's clock. */
    Optional<Observation> observed(long nowNanos) {
        LockSnapshot seen = newest;
        return seen == null
                ? Optional.empty()
                : Optional.of(new Observation(seen, Duration.ofNanos(nowNanos - unchangedSinceNanos)));
    }

    private boolean isUnchanged(LockSnapshot now) {
        LockSnapshot before = newest;
        return before != null
                && before.revision() == now.revision()
                && before.holder().equals(now.holder())
                && before.leaseId().equals(now.leaseId());
    }
}
