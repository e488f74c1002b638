package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.Observation;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/**
 * The waiting side of one acquisition: the lock that it waits for and, once that lock was contended, its entry in the
 * local queue. An acquisition of several locks waits for the one that was contended last. One object serves one
 * acquisition, on one thread at a time.
 */
public final class Waiter {
    private final WaiterQueues queues;
    private final boolean isFair;
    private LockName awaited;
    private WaiterQueue queue;
    private boolean hasYielded;
    private boolean isLeaving;
    private CompletableFuture<Void> signal = new CompletableFuture<>();

    /**
     * Creates a waiter in the queue of a lock.
     *
     * @param name the lock that is contended, or may be
     * @param isFair whether it has a position of its own in the list, not that of its client
     */
    public Waiter(WaiterQueues queues, LockName name, boolean isFair) {
        this.queues = queues;
        this.awaited = name;
        this.isFair = isFair;
        this.queue = queues.join(this, isFair);
    }

    /**
     * The next action of a waiter.
     *
     * @param isHead whether it is the head of the local queue
     * @param isTimeOnly whether only the time is a reason for the action: nothing was heard of the lock
     * @param isRead whether it reads the lock instead of an attempt
     * @param delay how long the head waits before that; zero if it should act now
     * @param signal completes when the next action should be computed; a new one each time, so that callbacks do not
     *     accumulate
     */
    public record NextAction(
            boolean isHead, boolean isTimeOnly, boolean isRead, Duration delay, CompletableFuture<Void> signal) {
        public boolean isNow() {
            return isHead && delay.isZero();
        }

        private Duration waitAtMost(Duration left) {
            return isHead && delay.compareTo(left) < 0 ? delay : left;
        }
    }

    public LockName awaited() {
        return awaited;
    }

    /**
     * Returns the waiter as which the attempt that begins now is made; empty if it is in no list. The last attempt
     * leaves it.
     */
    public Optional<AcquireContext.Waiter> listed(boolean isLastAttempt) {
        return queues.listed(queue, this, isLastAttempt);
    }

    /** Returns the revision of the lock after its release, if the next attempt begins because of its event. */
    public OptionalLong releasedRevision() {
        synchronized (queues) {
            return queue.releasedRevision();
        }
    }

    /**
     * Returns the program that removes this client from that list, if it may be in it and has no other waiter that stays.
     * From now on this one does not count as such a waiter.
     */
    public Optional<Step<Boolean>> withdrawal() {
        return queues.withdrawal(queue, this);
    }

    /** Returns whether there is such a program. From now on this waiter is about to leave. */
    public boolean needsWithdrawal() {
        return queues.needsWithdrawal(queue, this);
    }

    /** Records that an attempt begins now, and returns what earlier attempts of this queue saw of the lock. */
    public Optional<Observation> beginAttempt(long nowNanos) {
        synchronized (queues) {
            queue.beginAttempt(this, nowNanos);
            return queue.observed(nowNanos);
        }
    }

    /**
     * Records that another owner holds a lock, and waits in the queue of that lock from now on.
     *
     * @return the program that removes this client from the list of those that wait for another lock, which it waited
     *     for until now; see {@link #withdrawal}
     */
    public Optional<Step<Boolean>> contended(LockOutcome.Contended seen) {
        Optional<Step<Boolean>> withdrawal = Optional.empty();
        if (!seen.lock().name().equals(awaited)) {
            withdrawal = withdrawal();
            leave(Optional.empty());
            hasYielded = false;
            isLeaving = false;
            awaited = seen.lock().name();
            queue = queues.join(this, isFair);
        }
        queues.contended(queue, this, seen);
        return withdrawal;
    }

    /** Returns whether to repeat at once an attempt that conflicted with another write: it is the turn of this client. */
    public boolean claimsAgain() {
        synchronized (queues) {
            return queue.isHead(this) && queue.claimsAgain();
        }
    }

    /** Records that the attempt lost every race, or was blocked: the next one is made after the polling interval. */
    public void pollsNext() {
        queues.lostRace(queue, this);
    }

    public NextAction nextAction() {
        synchronized (queues) {
            signal = new CompletableFuture<>();
            boolean isHead = queue.isHead(this);
            Duration delay = queue.headDelay(queues.nanoTime());
            return new NextAction(isHead, !queue.isDue(), queues.isReadFirst(queue), delay, signal);
        }
    }

    /** Returns the program that reads the lock. */
    public Step<Boolean> look() {
        return queues.look(queue, this);
    }

    /** Returns how long to wait for the signal of the next action, at most the time left. */
    public Duration waitAtMost(NextAction next, Duration left) {
        queues.ensureWatching();
        return next.waitAtMost(left);
    }

    /** Returns the newest known state of the lock. */
    public LockSnapshot newestSnapshot(long nowNanos) {
        synchronized (queues) {
            return queue.observed(nowNanos).map(Observation::snapshot).orElse(LockSnapshot.unused(awaited));
        }
    }

    /** Gives all other waiters of its queue precedence over this one, also those that join later. */
    public void yieldToOthers() {
        queues.yieldToOthers(queue, this);
    }

    /** Leaves the queue, with the lock or without. Further calls have no effect. */
    public void leave(Optional<LockOutcome.Acquired> granted) {
        queues.leave(queue, this, granted);
    }

    /** Records that it is about to leave its queue; its {@link WaiterQueues} is locked. */
    void leaves() {
        isLeaving = true;
    }

    /** Returns whether it is about to leave its queue. */
    boolean isLeaving() {
        return isLeaving;
    }

    /** Returns whether all others in its queue go before it, even if they joined later. */
    boolean hasYielded() {
        return hasYielded;
    }

    void yieldsToOthers() {
        hasYielded = true;
    }

    CompletableFuture<Void> signal() {
        return signal;
    }
}
