package org.mongolocks.internal.hold;

import static java.lang.System.Logger.Level.INFO;

import com.mongodb.connection.ClusterDescription;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mongolocks.ClientClosedException;
import org.mongolocks.Lease;
import org.mongolocks.LockEvent;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.DeadlineQueue;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.Step;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * All locks that one client holds: it watches them, keeps alive those that request it, and releases them when the
 * client is closed. A lock that is released or lost is removed. Thread-safe.
 */
public final class HoldRegistry {
    /** The most locks in one command: bounds the number that one slow or failed command can delay. */
    static final int MAX_TOGETHER = 100;

    /** A lease of which no more than this part is left is reported to the observer of the client. */
    private static final int PARTS_BEFORE_ENDANGERED = 3;

    private final ClientSettings settings;
    private final TimeSource time;
    private final Executor listeners;
    private final DeadlineQueue deadlines;
    /** Most locks are released before it is due; those that are held then are queued themselves. */
    private final DeadlineQueue.Entry firstLook = new DeadlineQueue.Entry() {
        @Override
        protected void onDue() {
            queueDeadlines();
        }
    };

    private final KeepAlive keepAlive;
    private final ReleaseQueue releases;
    private final HoldObserver observer = new HoldObserver();
    private final boolean isObserved;
    private final Set<Hold> held = new LinkedHashSet<>();
    /** The newest of the held locks of each name; an older one has ended, which is not known yet. */
    private final Map<LockName, Hold> newest = new HashMap<>();

    private final Optional<PrimaryWatch> primaryWatch;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private Phase phase = Phase.OPEN;

    /** It never goes back. */
    private enum Phase {
        OPEN,
        /** No lock is registered any more; those that are held stay held. */
        DRAINING,
        /** The holders were notified, and the locks are released. */
        ENDED
    }

    /**
     * Creates an empty registry.
     *
     * @param timer schedules later tasks
     * @param listeners runs the listeners of the user, never on the calling thread
     * @param background runs renewals, and the releases when the client is closed
     * @param wakingWaiters returns a program that runs another one, which releases the lock of that name, and wakes its
     *     waiters
     * @param deployment returns the driver's description of the servers: as soon as it shows another primary, every lock
     *     that is kept alive is renewed; empty if there is none
     */
    public HoldRegistry(
            ClientSettings settings,
            Timer timer,
            Executor listeners,
            BackgroundRunner background,
            BiFunction<LockName, Step<Boolean>, Step<Boolean>> wakingWaiters,
            Optional<Supplier<ClusterDescription>> deployment) {
        this.settings = settings;
        this.time = settings.time();
        this.listeners = listeners;
        this.isObserved = settings.holding().observer().isPresent();
        this.deadlines = new DeadlineQueue(timer, time);
        this.keepAlive = new KeepAlive(deadlines, background, settings, hold -> new RenewalSchedule(hold, settings));
        this.releases = new ReleaseQueue(settings, deadlines, background, wakingWaiters);
        this.primaryWatch =
                deployment.map(seen -> new PrimaryWatch(deadlines, seen, this::isAnyKeptAlive, this::renewSoon));
    }

    /**
     * Registers a grant.
     *
     * @param askedNanos when the acquisition began, on the clock of the client
     * @param nowNanos the time on that clock
     * @return the lock, or empty if the client was closed meanwhile: then the caller must release the grant
     */
    public Optional<Hold> add(LockRequest request, Lease lease, long askedNanos, long nowNanos) {
        Hold hold = new Hold(lease, time, listeners, observer, nowNanos);
        if (!request.minimumHold().isZero()) {
            hold.holdAtLeast(request.minimumHold());
        }
        if (!register(hold, lease.name())) {
            return Optional.empty();
        }
        if (isObserved) {
            observer.reportGrant(hold, askedNanos);
        }
        if (request.isKeptAlive()) {
            keepAlive(hold, request.keepAliveLimit());
        } else {
            deadlines.putNoLaterThan(firstLook, hold.validUntilNanos());
        }
        return Optional.of(hold);
    }

    /**
     * Renews the lease of a lock from now on, until it is released or lost, or until its last lease would end after
     * the limit, counted from now. If it is renewed already, the later of the two limits is in force.
     */
    public void keepAlive(Hold hold, Optional<Duration> limit) {
        keepAlive.allow(hold, limit);
        if (deadlines.contains(hold)) {
            keepAlive.add(hold);
        } else {
            deadlines.putNoLaterThan(firstLook, earliestRenewalNanos(hold));
        }
        primaryWatch.ifPresent(PrimaryWatch::begin);
    }

    /**
     * Begins to release a lock, and returns {@linkplain Hold#releaseProgram(ClientSettings) the program that does it}
     * and wakes the waiters of this client.
     */
    public Step<Boolean> releasing(Hold hold) {
        return releases.ofCaller(hold);
    }

    /**
     * Renews every lock that is kept alive, within tens of milliseconds: an event on the server may have ended them,
     * and a renewal detects that.
     */
    public void renewSoon() {
        queueDeadlines();
        keepAlive.renewSoon();
    }

    /** Stops renewing the lease of a lock. A renewal in flight continues. */
    public void stopKeepAlive(Hold hold) {
        keepAlive.stop(hold);
    }

    /** Returns how many locks were neither released nor lost. */
    public synchronized int size() {
        return held.size();
    }

    /**
     * Returns whether the owner that the server showed is an acquisition of the calling thread, and nobody has
     * released it.
     */
    public boolean isHeldByThisThread(LockSnapshot seen) {
        return newest(seen.name())
                .filter(Hold::isAcquiredByThisThread)
                .map(hold -> hold.lease().owner().stored())
                .filter(owner -> seen.holder().equals(Optional.of(owner)))
                .isPresent();
    }

    /** Returns whether the calling thread has acquired a lock, and holds it, as far as nobody else has released it. */
    public boolean isHeldByThisThread(LockName name) {
        return newest(name)
                .filter(Hold::isAcquiredByThisThread)
                .filter(Hold::isHeld)
                .isPresent();
    }

    private synchronized Optional<Hold> newest(LockName name) {
        return Optional.ofNullable(newest.get(name));
    }

    /** Throws a {@link ClientClosedException} if the client is closed, or drains. */
    public synchronized void requireOpen() {
        if (isClosing()) {
            throw new ClientClosedException();
        }
    }

    /**
     * Closes: stops registering and renewing, notifies every holder, and starts to release the locks. The future
     * completes when all are released as far as possible, and never fails; that of a later call waits for the releases
     * of the first.
     */
    public CompletableFuture<Void> close() {
        return end().map(last -> release(last, settings.holding().closeTimeout())
                        .whenComplete((done, error) -> released.complete(null)))
                .orElse(released);
    }

    /**
     * Checks a time for draining.
     *
     * @param time how long to wait for the work, zero or more
     * @return the time, bounded so that a deadline can be computed
     * @throws IllegalArgumentException if it is negative
     */
    public static Duration drainTime(Duration time) {
        if (Objects.requireNonNull(time, "The time is null").isNegative()) {
            throw new IllegalArgumentException("drain must be zero or more, was " + time);
        }
        return time.compareTo(LockRequest.MAX_WAIT) < 0 ? time : LockRequest.MAX_WAIT;
    }

    /**
     * Stops registering. The locks that are held stay held, and are renewed. The future completes when none is held
     * any more.
     */
    public CompletableFuture<Void> drain() {
        List<Hold> last = drainAndSnapshot();
        if (last.isEmpty()) {
            drained.complete(null);
        } else {
            BackgroundLog.log(
                    INFO,
                    "A lock client that is being closed waits for the work under " + last.size()
                            + " locks, the first of them " + last.get(0));
        }
        return drained;
    }

    /** Returns whether this registers no more locks, after {@link #drain()} or {@link #end()}. */
    public synchronized boolean isClosing() {
        return phase != Phase.OPEN;
    }

    /**
     * Stops registering and renewing, and notifies every holder. The holders are notified first: once a lock is
     * released another owner may acquire it. The first caller must release the locks.
     *
     * @return the locks that were held, to be released; empty if an earlier call has returned them
     */
    public Optional<List<Hold>> end() {
        return closeAndSnapshot().map(this::end);
    }

    private List<Hold> end(List<Hold> last) {
        keepAlive.close();
        boolean unused = deadlines.remove(firstLook);
        deadlines.rearm();
        last.forEach(hold -> hold.markLost(LossReason.CLIENT_CLOSED));
        // One that was lost before needs no release, and one that its holder releases at this moment no second one.
        return last.stream()
                .filter(hold -> hold.loss().equals(Optional.of(LossReason.CLIENT_CLOSED)))
                .toList();
    }

    /**
     * Starts to release locks whose holders were notified, and those whose release got no reply before. A release without
     * a reply is repeated for at most that time from now.
     *
     * @return completes as {@link #allReleased} does
     */
    public CompletableFuture<Void> release(List<Hold> last, Duration limit) {
        releases.close(last, limit);
        return releases.ended();
    }

    /** Completes when no release is left to be answered or repeated, and never fails. */
    public CompletableFuture<Void> allReleased() {
        return releases.ended();
    }

    /** Ends the timer of a client that is closed: releases that are left are not repeated any more. */
    public void endTimer() {
        deadlines.close();
    }

    /** Returns the message for a client whose time for closing is over too early. */
    public String unreleasedMessage() {
        return "A lock client was closed before all its locks were released: " + unreleased() + " are left";
    }

    /** Returns how many locks are left to be released, or could not be released when the client was closed. */
    int unreleased() {
        return releases.unreleased();
    }

    /** Splits locks into batches for one command each. */
    static <T> Stream<List<T>> batches(List<T> all) {
        return batches(all, MAX_TOGETHER);
    }

    /** Splits locks into batches of at most that many. */
    static <T> Stream<List<T>> batches(List<T> all, int most) {
        return IntStream.iterate(0, from -> from < all.size(), from -> from + most)
                .mapToObj(from -> all.subList(from, Math.min(from + most, all.size())));
    }

    /** Queues the deadlines of the locks that are still held. */
    private void queueDeadlines() {
        for (Hold hold : snapshot()) {
            if (!deadlines.contains(hold)) {
                checkLater(hold);
            }
            if (hold.isKeptAlive()) {
                keepAlive.add(hold);
            }
        }
    }

    /** Returns when a quarter of the lease has passed: before then no renewal is sent, not even with that of another. */
    private long earliestRenewalNanos(Hold hold) {
        long now = time.nanoTime();
        return now + (hold.validUntilNanos() - now) / RenewalSchedule.PARTS_BEFORE_RENEWAL;
    }

    private synchronized boolean isAnyKeptAlive() {
        return held.stream().anyMatch(Hold::isKeptAlive);
    }

    private synchronized List<Hold> snapshot() {
        return List.copyOf(held);
    }

    /** Computes the time of the next check in the monitor: a concurrent call may know of a nearer one. */
    private void checkLater(Hold hold) {
        boolean isRemoved = false;
        synchronized (deadlines) {
            if (hold.isOver()) {
                isRemoved = deadlines.remove(hold);
            } else {
                deadlines.put(hold, hold.nextCheckNanos());
            }
        }
        if (isRemoved) {
            keepAlive.remove(hold);
        }
    }

    private synchronized boolean register(Hold hold, LockName name) {
        if (phase != Phase.OPEN) {
            return false;
        }
        newest.put(name, hold);
        return held.add(hold);
    }

    /** Returns whether this was the last lock of a client that drains. */
    private synchronized boolean unregister(Hold hold) {
        newest.remove(hold.name(), hold);
        held.remove(hold);
        return phase != Phase.OPEN && held.isEmpty();
    }

    private synchronized List<Hold> drainAndSnapshot() {
        phase = phase == Phase.OPEN ? Phase.DRAINING : phase;
        return List.copyOf(held);
    }

    private synchronized Optional<List<Hold>> closeAndSnapshot() {
        boolean isFirst = phase != Phase.ENDED;
        phase = Phase.ENDED;
        return isFirst ? Optional.of(List.copyOf(held)) : Optional.empty();
    }

    /**
     * The observer of the held locks: each is checked when an expiry warning is due and when its lease ends, and is
     * removed, with its check, when the hold ends. Thread-safe.
     */
    private final class HoldObserver implements Hold.Observer {
        private void reportGrant(Hold hold, long askedNanos) {
            Duration waited = Duration.ofNanos(hold.grantedNanos() - askedNanos);
            send(hold, LockEvent.Kind.ACQUIRED, Optional.of(waited), Optional.empty(), Optional.empty());
            hold.onEndangered(
                    hold.lease().ttl().dividedBy(PARTS_BEFORE_ENDANGERED),
                    (lease, left) -> happened(hold, LockEvent.Kind.ENDANGERED, Optional.empty()));
        }

        @Override
        public void happened(Hold hold, LockEvent.Kind kind, Optional<LossReason> lossReason) {
            if (isObserved) {
                Duration held = Duration.ofNanos(time.nanoTime() - hold.grantedNanos());
                send(hold, kind, Optional.empty(), Optional.of(held), lossReason);
            }
        }

        private void send(
                Hold hold,
                LockEvent.Kind kind,
                Optional<Duration> waited,
                Optional<Duration> held,
                Optional<LossReason> lossReason) {
            Lease lease = hold.lease();
            LockEvent event = LockEvent.of(
                            kind, lease.name(), settings.strategy().name())
                    .fencingToken(OptionalLong.of(lease.fencingToken()))
                    .waited(waited)
                    .held(held)
                    .lossReason(lossReason);
            settings.holding().observer().ifPresent(told -> told.onEvent(event));
        }

        /** Most renewals do not move a check: it finds that nothing is due, and is queued again. */
        @Override
        public void checkIsDue(Hold hold) {
            try {
                hold.checkExpiry();
            } finally {
                checkLater(hold);
            }
        }

        @Override
        public void checkIsNearer(Hold hold) {
            checkLater(hold);
        }

        @Override
        public void ended(Hold hold) {
            if (deadlines.remove(hold)) {
                keepAlive.remove(hold);
            }
            if (unregister(hold)) {
                drained.complete(null);
            }
        }

        @Override
        public void releaseUnanswered(Hold hold) {
            releases.repeat(hold);
        }

        @Override
        public void forgotten(Hold hold, Hold.ForgottenHandle handle) {
            releases.ofForgotten(hold, handle);
        }
    }
}
