package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.mongolocks.ClientClosedException;
import org.mongolocks.ClientStatus.ChangeStream;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.CloseSignals;
import org.mongolocks.internal.run.EventLag;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.ReleaseEvents.Numbers;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Step;
import org.mongolocks.time.Timer;

/**
 * The waiter queues of one client: one for each lock, and one for each fair waiter. Thread-safe.
 *
 * <p>The head of a queue makes an attempt when a change stream reports that it has its turn, when the holder's lease
 * ends, or, without such a stream, when its next poll is due. The other waiters send no command until they are the
 * head. The command that acquires a lock decides whose turn it is, by the
 * {@linkplain org.mongolocks.spi.LockStrategy#waitingList list of waiters} in the lock document. Its reply shows the
 * position, and when the next attempt may be granted the lock.
 *
 * <pre>
 * the head knows                                    what it does next
 * ------------------------------------------------  -----------------------------------------------------------
 * nothing; or not in the list, and the lock held    attempts, and joins the list
 * an event with its number first                    attempts
 * an event with others before it                    reads the lock when these have had the time for their claims
 * held, first in the list                           attempts at the end of the lease
 * held, others before it                            reads the lock at the end of the lease
 * free, others before it                            reads the lock when these have had the time for their claims
 * a read that shows its turn                        attempts
 * held by this client, and nobody else waits        attempts when this client releases the lock
 * behind the first four                             reads the lock after 2.2 s, or when its turn is expected
 * none of these for long                            reads the lock
 * </pre>
 */
public final class WaiterQueues implements AutoCloseable {
    /** So that all numbers fit into a long; none is negative. */
    private static final long MAX_CLIENTS = Long.MAX_VALUE / Numbers.COUNT;

    private final ClientSettings settings;
    private final ReleaseWatcher releaseWatcher;
    private final LookDelays delays;
    private final ClientRuns runs;
    private final EventLag lag;
    private final LastSeenCache lastSeen = new LastSeenCache();
    private final Map<String, Map<Long, WaiterQueue>> queues = new HashMap<>();
    private final Optional<Numbers> numbers;
    private final CloseSignals closeSignals = new CloseSignals();
    private volatile boolean closed;
    private final boolean isFenced;
    private final boolean isClockFree;
    private int count;
    private long fairNumbers;

    /**
     * What a client supplies for its change streams.
     *
     * @param feed opens them
     * @param checks calls quick tasks that do not block, in the time that the replies of servers take: a stream whose server
     *     hangs is noticed
     * @param collectionEnded called when the collection was dropped or renamed, so that held locks may be lost; it returns
     *     quickly
     */
    public record Streams(ChangeFeed feed, Timer checks, Runnable collectionEnded) {}

    /**
     * Creates empty queues.
     *
     * @param runs the runs of the client, which measure how late events are
     */
    public WaiterQueues(ClientSettings settings, ClientRuns runs, Streams streams) {
        this.settings = settings;
        this.runs = runs;
        this.lag = runs.lag();
        Random random = ClientRuns.jitter(settings);
        this.isFenced = settings.strategy().traits().contains(Trait.STRICT_FENCING);
        this.isClockFree = settings.strategy().traits().contains(Trait.CLOCK_FREE);
        this.numbers = settings.strategy()
                .waitingList()
                .map(revision -> new Numbers(random.nextLong(MAX_CLIENTS) * Numbers.COUNT, revision));
        this.releaseWatcher = new ReleaseWatcher(this, settings, runs, streams);
        this.delays = new LookDelays(settings.polling(), releaseWatcher, random);
    }

    /**
     * Notifies the waiters of a lock that a program of this client releases: those that rely on no event. If the
     * program ends with false, the client had lost the lock, which may be free all the same.
     */
    public Step<Boolean> notifyingWaiters(LockName name, Step<Boolean> program) {
        Function<Boolean, Step<Boolean>> notify = freed -> {
            if (freed) {
                lastSeen.recordRelease(name);
            }
            if (!isEmpty()) {
                wake(() -> queuesOf(name.value()).values().stream().filter(this::isWokenByReply), queue -> {
                    boolean isFree = freed && !queue.entry().othersWait();
                    queue.recordState(isFree ? LastKnownState.FREE : LastKnownState.HELD, false);
                    queue.makeDue();
                });
            }
            return new Step.Done<>(freed);
        };
        return program.then(notify, Step.Fail::new);
    }

    /** Those that no event notifies; of the fair waiters of this client, only the first. */
    private boolean isWokenByReply(WaiterQueue queue) {
        return queue.entry().position().isEmpty() || (!releaseWatcher.isTimely() && isFirstHere(queue));
    }

    private boolean isFirstHere(WaiterQueue queue) {
        return queuesOf(queue.name().value()).values().stream()
                .noneMatch(other -> other.entry().before() < queue.entry().before());
    }

    public ChangeStream changeStream() {
        return releaseWatcher.state();
    }

    /** Records the state of a lock in a reply of the server. */
    public void recordSeen(LockSnapshot seen) {
        recordState(seen.name(), LastKnownState.in(seen), isHeldHere(seen));
    }

    /** Records that another owner is about to acquire a lock, or holds it by now. */
    public void recordHeld(LockName name) {
        recordState(name, LastKnownState.HELD, false);
    }

    void recordState(LockName name, LastKnownState seen, boolean isHeldHere) {
        lastSeen.record(name, seen, isHeldHere);
        synchronized (this) {
            queuesOf(name.value()).values().forEach(queue -> queue.recordState(seen, isHeldHere));
        }
    }

    private boolean isHeldHere(LockSnapshot seen) {
        return seen.holder()
                .flatMap(Owner::parse)
                .filter(owner -> owner.instance().equals(settings.instance()))
                .isPresent();
    }

    /** Records a grant to this client; it is contended if others wait for the lock, or this client has waited. */
    public void granted(Lease lease, boolean isContended) {
        lastSeen.recordGrant(lease, isContended);
        synchronized (this) {
            if (!queues.isEmpty()) {
                queuesOf(lease.name().value()).values().forEach(queue -> queue.recordState(LastKnownState.HELD, true));
            }
        }
    }

    /** Returns the grant with the largest token that this client remembers, if the tokens of the strategy must grow. */
    public Optional<Lease> newestGrant(LockName name) {
        return isFenced ? lastSeen.newestGrant(name) : Optional.empty();
    }

    /**
     * Returns the state of a lock in the last reply; it may have changed since. The queue of an awaited lock knows it,
     * however many locks are awaited.
     */
    public LastKnownState lastSeen(LockName name) {
        synchronized (this) {
            Collection<WaiterQueue> awaiting =
                    queues.isEmpty() ? List.of() : queuesOf(name.value()).values();
            if (!awaiting.isEmpty()) {
                return awaiting.iterator().next().lastSeen();
            }
        }
        return lastSeen.of(name);
    }

    /** Returns the queues of a lock by their numbers in its list. */
    private Map<Long, WaiterQueue> queuesOf(String name) {
        return queues.getOrDefault(name, Map.of());
    }

    private Stream<WaiterQueue> all() {
        return queues.values().stream().flatMap(ofLock -> ofLock.values().stream());
    }

    /** Throws a {@link ClientClosedException} if these queues are closed. */
    public void requireOpen() {
        if (closed) {
            throw new ClientClosedException();
        }
    }

    /** Closes the change stream, and wakes all waiters: nobody waits any more. */
    @Override
    public void close() {
        closed = true;
        releaseWatcher.close();
        List<CompletableFuture<Void>> all;
        synchronized (this) {
            all = all().flatMap(WaiterQueue::waiters).map(Waiter::signal).toList();
        }
        all.forEach(signal -> signal.complete(null));
    }

    /** Returns the signals for programs of the client that await no lock. */
    public CloseSignals closeSignals() {
        return closeSignals;
    }

    /**
     * Returns whether waiters are in lists: the strategy keeps them, and the server can. Otherwise every waiter
     * attempts after each release, and there is no fair order.
     */
    public boolean hasLists() {
        return numbers.isPresent() && !runs.server().isOld();
    }

    /** Returns the numbers of this client in the lists; empty if the strategy keeps none. */
    Optional<Numbers> numbers() {
        return hasLists() ? numbers : Optional.empty();
    }

    /** Returns the number in the lists that all waiters without a fair request share. */
    private long sharedNumber() {
        return numbers.map(Numbers::first).orElse(0L);
    }

    private long nextFairNumber() {
        return sharedNumber() + 1 + fairNumbers++ % (Numbers.COUNT - 1);
    }

    /**
     * Returns whether an acquisition joins the queue of a lock before its first attempt. It does if the queue has
     * waiters, or if that attempt may add this client to the list, so that no event after it is missed.
     */
    public synchronized boolean joinsBeforeAttempt(LockName name, boolean isFair) {
        return isFair
                || queuesOf(name.value()).containsKey(sharedNumber())
                || (hasLists() && lastSeen(name) != LastKnownState.FREE);
    }

    /**
     * Joins the queue of a lock. A new queue makes an attempt at once if there are lists or events: the lock may have been
     * released between the reply that showed it held and this call.
     */
    synchronized WaiterQueue join(Waiter waiter, boolean isFair) {
        LockName name = waiter.awaited();
        LastKnownState seen = lastSeen(name);
        long number = isFair ? nextFairNumber() : sharedNumber();
        WaiterQueue queue = queues.computeIfAbsent(name.value(), unknown -> new HashMap<>())
                .computeIfAbsent(number, unknown -> {
                    WaiterQueue added = new WaiterQueue(name, number, !isFair);
                    count++;
                    added.recordState(seen, lastSeen.isHeldHere(name));
                    return added;
                });
        if (queue.isEmpty() && (hasLists() || releaseWatcher.isListening())) {
            queue.makeDue();
        }
        queue.add(waiter);
        return queue;
    }

    /** Opens a change stream unless one is open: there is a waiter. */
    void ensureWatching() {
        releaseWatcher.ensureOpen();
    }

    /** Handles that a change stream reports a release: the queues whose turn it shows act. */
    void onReleaseEvent(String name, Release release) {
        wake(() -> queuesOf(name).values().stream().filter(queue -> isMeant(queue, release)), queue -> {
            if (queue.released(release, nanoTime()) && !queue.isDue()) {
                queue.readWithin(nanoTime(), lookDelay(queue, Duration.ZERO));
            }
        });
    }

    /** While events are late, a waiter behind others polls. */
    private boolean isMeant(WaiterQueue queue, Release release) {
        int before = release.turn().indexOf(queue.number());
        return release.turn().isEmpty() || before == 0 || (before > 0 && releaseWatcher.isTimely());
    }

    /** Has the head of each queue look at its lock once: any may have been released. With many queues, at random times soon. */
    void wakeAll() {
        wake(this::all, queue -> queue.readWithin(nanoTime(), delays.spreadOver(count)));
    }

    public synchronized boolean isEmpty() {
        return queues.isEmpty();
    }

    long nanoTime() {
        return settings.time().nanoTime();
    }

    /**
     * Records what a reply to the head of a queue shows: the lock is held, or others come first, or, after a read, an attempt
     * may be granted the lock.
     */
    synchronized void contended(WaiterQueue queue, Waiter waiter, LockOutcome.Contended seen) {
        if (queue.isAnswered(waiter)) {
            contended(queue, seen);
        }
    }

    private void contended(WaiterQueue queue, LockOutcome.Contended seen) {
        ListEntry entry = queue.entry();
        Optional<Entry> asked = entry.asked();
        Duration attemptTime = attemptTime(queue);
        boolean wasClaiming = queue.isClaiming();
        Optional<Release> missed = queue.endAttempt();
        OptionalInt before = entry.position();
        boolean wasNotified = entry.isAmongNotified() && releaseWatcher.isListening();
        if (wasNotified && entry.hasMissedEvent(seen)) {
            lag.seenWithoutEvent(seen.turn().orElseThrow().freeFor());
        }
        queue.recordReply(seen, nanoTime());
        if (asked.equals(Optional.of(Entry.REMOVE))) {
            entry.withdrawn();
        }
        boolean showsList = seen.turn().isPresent() || asked.isEmpty();
        boolean isOvertaken = wasClaiming && seen.lock().isHeld();
        boolean isBehind = showsList && entry.position().orElse(Integer.MAX_VALUE) > before.orElse(Integer.MAX_VALUE);
        if (wasNotified && (isOvertaken || isBehind)) {
            lag.eventMissing();
            if (wasClaiming || missed.isPresent()) {
                // The event has come, but too late.
                lag.event();
            }
        }
        boolean isHeldHere = isHeldHere(seen.lock());
        queue.recordState(seen.turn().isPresent() ? LastKnownState.HELD : LastKnownState.in(seen.lock()), isHeldHere);
        if (missed.isPresent() && queue.released(missed.get(), nanoTime())) {
            return;
        }
        boolean mayJoin = isUnlisted(queue) && !asked.equals(Optional.of(Entry.ADD));
        boolean mayBeGranted = seen.turn().filter(turn -> turn.after().isZero()).isPresent();
        if (mayBeGranted || mayJoin) {
            queue.recordState(mayBeGranted ? LastKnownState.BECAME_FREE : LastKnownState.HELD, isHeldHere);
            queue.makeDue();
        } else {
            schedule(queue, seen, attemptTime);
        }
    }

    /** Schedules an attempt at the end of the lease, a read if others come first then, or earlier the next look. */
    private void schedule(WaiterQueue queue, LockOutcome.Contended seen, Duration attemptTime) {
        boolean isRaceLost = seen.turn().isEmpty() && !seen.lock().isHeld();
        Duration look = isRaceLost ? delays.nextPoll(queue, attemptTime, count) : lookDelay(queue, attemptTime);
        Duration left = LookDelays.untilTurn(queue.entry(), seen);
        boolean isTurn = !left.isZero() && left.compareTo(look) < 0;
        boolean isClaim = queue.entry().before() == 0 || LookDelays.isUnclaimed(seen);
        queue.actAfter(nanoTime(), isTurn ? left : look, isTurn && isClaim);
    }

    /** Returns how long to wait for the next look at a lock, as far as only the time is a reason for it. */
    private Duration lookDelay(WaiterQueue queue, Duration attemptTime) {
        return releaseWatcher.isTimely() && !isUnlisted(queue)
                ? delays.withoutEvent(queue, count)
                : delays.nextPoll(queue, attemptTime, count);
    }

    /** Returns whether a queue is not in the list, but should be. */
    private boolean isUnlisted(WaiterQueue queue) {
        return hasLists() && queue.usesList() && queue.entry().position().isEmpty();
    }

    /**
     * Returns the waiter as which the attempt that begins now is made, and what it does with its entry in the list. Not
     * every strategy changes the list in an attempt for a lock that may be free.
     *
     * @param isLastAttempt whether the waiter leaves if it does not acquire the lock
     */
    synchronized Optional<AcquireContext.Waiter> listed(WaiterQueue queue, Waiter waiter, boolean isLastAttempt) {
        if (!hasLists() || !queue.isHead(waiter) || !queue.usesList()) {
            return Optional.empty();
        }
        boolean othersStay = queue.waiters().anyMatch(other -> other != waiter && !other.isLeaving());
        boolean removes = !othersStay && queue.lastSeen() == LastKnownState.HELD;
        Entry entry = !isLastAttempt ? Entry.ADD : removes ? Entry.REMOVE : Entry.KEEP;
        queue.entry().asks(entry);
        return Optional.of(new AcquireContext.Waiter(queue.number(), entry));
    }

    /** Returns the program that removes a queue from the list if this waiter is the last to leave it. */
    synchronized Optional<Step<Boolean>> withdrawal(WaiterQueue queue, Waiter waiter) {
        if (!needsWithdrawal(queue, waiter)) {
            return Optional.empty();
        }
        queue.entry().withdrawn();
        return Optional.of(settings.strategy().unregister(queue.name(), queue.number()));
    }

    /** Several waiters may leave at the same time: the last of them that asks withdraws. */
    synchronized boolean needsWithdrawal(WaiterQueue queue, Waiter waiter) {
        waiter.leaves();
        return queue.entry().mayBeStored() && queue.waiters().allMatch(Waiter::isLeaving);
    }

    /** Records that an attempt of a waiter ended without a reply that shows the lock. */
    synchronized void lostRace(WaiterQueue queue, Waiter waiter) {
        if (!queue.isAnswered(waiter)) {
            return;
        }
        Duration poll = delays.nextPoll(queue, attemptTime(queue), count);
        Optional<Release> missed = queue.endAttempt();
        queue.actAfter(nanoTime(), poll, true);
        missed.ifPresent(release -> queue.released(release, nanoTime()));
    }

    /** Lets all other waiters of the queue go first, also those that join later. */
    void yieldToOthers(WaiterQueue queue, Waiter waiter) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            waiter.yieldsToOthers();
            next = queue.head().filter(head -> head != waiter).map(Waiter::signal);
        }
        next.ifPresent(signal -> signal.complete(null));
    }

    /** Removes a waiter from its queue; the next one becomes the head. */
    void leave(WaiterQueue queue, Waiter waiter, Optional<LockOutcome.Acquired> granted) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            granted.ifPresent(grant -> granted(queue, grant));
            boolean isNews = queue.remove(waiter, nanoTime());
            if (isNews && isUnlisted(queue)) {
                queue.makeDue();
            }
            removeIfEmpty(queue);
            next = isNews ? queue.head().map(Waiter::signal) : Optional.empty();
        }
        next.ifPresent(signal -> signal.complete(null));
    }

    private void granted(WaiterQueue queue, LockOutcome.Acquired grant) {
        if (queue.isClaiming()) {
            lag.grantedByEvent(grant.freeFor());
        }
        queue.endAttempt();
        queue.granted(grant.waiters());
        queue.actAfter(nanoTime(), Durations.shorter(grant.lease().ttl(), lookDelay(queue, Duration.ZERO)), false);
    }

    private void removeIfEmpty(WaiterQueue queue) {
        queues.computeIfPresent(queue.name().value(), (name, ofLock) -> {
            if (queue.isEmpty()) {
                count -= ofLock.remove(queue.number(), queue) ? 1 : 0;
            }
            return ofLock.isEmpty() ? null : ofLock;
        });
    }

    /** Returns whether the head of a queue reads the lock next, and makes no attempt. */
    boolean isReadFirst(WaiterQueue queue) {
        return hasLists() && !isClockFree && queue.isReadNext() && !isUnlisted(queue);
    }

    /** Returns the program that reads the lock of a queue. */
    Step<Boolean> look(WaiterQueue queue, Waiter waiter) {
        synchronized (this) {
            queue.beginAttempt(waiter, nanoTime());
        }
        return settings.strategy().look(queue.name(), queue.number()).andThen(seen -> {
            looked(queue, waiter, seen);
            return Step.done(true);
        });
    }

    private synchronized void looked(WaiterQueue queue, Waiter waiter, Optional<LockOutcome.Contended> seen) {
        if (queue.isAnswered(waiter)) {
            recordRead(queue, seen);
        }
    }

    /** A lock that is not held, and for which nobody waits, is due. */
    private void recordRead(WaiterQueue queue, Optional<LockOutcome.Contended> seen) {
        boolean isFree = seen.map(LockOutcome.Contended::lock)
                .filter(lock -> lock.isHeld() || lock.waiters() > 0)
                .isEmpty();
        if (isFree) {
            // The event may be older than the read, which shows the state: it only makes the attempt a claim.
            queue.endAttempt().ifPresent(release -> queue.released(release, nanoTime()));
            queue.recordState(seen.isPresent() ? LastKnownState.BECAME_FREE : LastKnownState.UNKNOWN, false);
            queue.makeDue();
        } else {
            contended(queue, seen.orElseThrow());
        }
    }

    /** Returns how long the attempt of the head takes so far. */
    private Duration attemptTime(WaiterQueue queue) {
        long now = nanoTime();
        return Duration.ofNanos(now - queue.beganNanos().orElse(now));
    }

    /** Changes some queues, and lets their heads compute their next action. */
    private void wake(Supplier<Stream<WaiterQueue>> selected, Consumer<WaiterQueue> change) {
        List<CompletableFuture<Void>> signals;
        synchronized (this) {
            List<WaiterQueue> woken = selected.get().toList();
            woken.forEach(change);
            signals = woken.stream()
                    .flatMap(queue -> queue.head().stream())
                    .map(Waiter::signal)
                    .toList();
        }
        signals.forEach(signal -> signal.complete(null));
    }
}
