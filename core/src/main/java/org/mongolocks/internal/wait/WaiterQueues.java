package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
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
import org.mongolocks.ClientSettings;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.ClientStatus.ChangeStream;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.ClosePauses;
import org.mongolocks.internal.run.EventLag;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.ReleaseEvents.Numbers;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.LockStrategy.WaiterOf;
import org.mongolocks.spi.Step;

/**
 * The waiter queues of one client: one for each lock, and one for each fair waiter. Thread-safe.
 *
 * <p>The head of a queue makes an attempt when a change stream reports that it has its turn, when the holder's lease
 * ends, or, without such a stream, when its next poll is due. The other waiters send no command until they are the
 * head. The command that acquires a lock decides whose turn it is, by the {@linkplain
 * org.mongolocks.spi.LockStrategy#waitingList list of waiters} in the lock document; its reply shows the position, and when
 * the next attempt may be granted the lock.
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
    /** While events are delivered, a read without an event only guards against a missed one. */
    private static final Duration MAX_DELAY_WHEN_NOTIFIED = Duration.ofSeconds(9);
    /** The part of that delay which is random, so that the reads of many queues do not come together. */
    private static final int PARTS_OF_JITTER = 2;
    /**
     * How long one that no event notifies waits for the next look: not much longer than all claims before it take if their
     * waiters have died.
     */
    private static final Duration FAR_BACK = Duration.ofMillis(2_200);
    /** How much later than expected one that is far back looks for its turn. */
    private static final Duration LATER_THAN_EXPECTED = Duration.ofSeconds(1);
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
    /** That time, for each queue. */
    private static final Duration TIME_PER_READ = Duration.ofMillis(1);
    /** How often to make an attempt in one lease where the reply does not show the end of the lease. */
    private static final int ATTEMPTS_PER_LEASE = 3;
    /** How much longer than an attempt the pause before the next poll is at most, if it exceeds the longest of a stream. */
    private static final int ATTEMPT_TIMES_PER_POLL = 4;

    /** Numbers are positive. */
    private static final long MAX_CLIENTS = Long.MAX_VALUE / Numbers.COUNT;

    private final ClientSettings settings;
    private final ReleaseWatcher releaseWatcher;
    private final EventLag lag;
    private final LastSeenCache lastSeen = new LastSeenCache();
    private final Map<String, Map<Long, WaiterQueue>> queues = new HashMap<>();
    private final Random random;
    private final Optional<Numbers> numbers;
    private final ClosePauses pauses = new ClosePauses();
    private volatile boolean closed;
    private final boolean isFenced;
    private volatile boolean readsOneByOne;
    private long fairNumbers;
    private volatile Runnable collectionEnded = () -> {};

    public WaiterQueues(ClientSettings settings, ChangeFeed feed) {
        this(settings, feed, new ConnectionShortage(settings.time()), new EventLag(settings.time()));
    }

    /**
     * Creates empty queues.
     *
     * @param feed opens change streams
     * @param shortage detects that a stream takes a connection that commands need
     * @param lag measures how late events are
     */
    public WaiterQueues(ClientSettings settings, ChangeFeed feed, ConnectionShortage shortage, EventLag lag) {
        this.settings = settings;
        this.lag = lag;
        this.random =
                new Random(settings.instance().hashCode() ^ settings.time().nanoTime());
        this.isFenced = settings.strategy().traits().contains(Trait.STRICT_FENCING);
        this.readsOneByOne = settings.strategy().traits().contains(Trait.CLOCK_FREE);
        this.numbers = settings.strategy()
                .waitingList()
                .map(revision -> new Numbers(random.nextLong(MAX_CLIENTS) * Numbers.COUNT, revision));
        this.releaseWatcher = new ReleaseWatcher(this, settings, feed, shortage);
    }

    /**
     * Has change streams checked, so that one whose server hangs is noticed. Without a timer they are checked only while
     * they are heard of.
     *
     * @param timer calls quick tasks that do not block, in the time that the replies of servers take
     */
    public void checkStreamsOn(Timer timer) {
        releaseWatcher.checkOn(timer);
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
                    boolean isFree = freed && !queue.othersWait();
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
        return queue.position().isEmpty() || (!isNotified() && isFirstHere(queue));
    }

    private boolean isFirstHere(WaiterQueue queue) {
        return queuesOf(queue.name().value()).values().stream()
                .noneMatch(
                        other -> other.position().orElse(0) < queue.position().orElse(0));
    }

    /** Force-releases a lock as the operator saw it, wakes the waiters of this client, and logs who did it. */
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return notifyingWaiters(seen.name(), settings.strategy().forceRelease(seen))
                .andThen(freed -> {
                    if (freed) {
                        BackgroundLog.log(WARNING, forcedBy(seen));
                    }
                    return Step.done(freed);
                });
    }

    private String forcedBy(LockSnapshot seen) {
        String holder = seen.holder().map(owner -> " of '" + owner + "'").orElse(" without a holder");
        return "Lock '" + seen.name() + "'" + holder + " (token " + seen.fencingToken() + ") was released by force, by"
                + " instance '" + settings.instance() + "'";
    }

    /**
     * Sets the callback for when a change stream reports that the collection was dropped or renamed.
     *
     * @param action returns quickly
     */
    public void whenCollectionEnds(Runnable action) {
        collectionEnded = action;
    }

    /** Handles that the collection was dropped or renamed: held locks may be lost. */
    void collectionEnded() {
        collectionEnded.run();
    }

    /** Returns the state of the change stream. */
    public ChangeStream changeStream() {
        ChangeStream stream = releaseWatcher.state();
        return stream.state() == State.OPEN && lag.isLate() ? new ChangeStream(State.LATE, Optional.empty()) : stream;
    }

    /** Records the state of a lock in a reply of the server. */
    public void recordSeen(LockSnapshot seen) {
        recordState(seen.name(), LastKnownState.in(seen), isHeldHere(seen));
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

    /** Returns the pauses of programs of the client that await no lock. */
    public ClosePauses pauses() {
        return pauses;
    }

    /**
     * Returns whether waiters are in lists: the strategy keeps them, and the server can. Otherwise every waiter
     * attempts after each release, and there is no fair order.
     */
    public boolean hasLists() {
        return numbers.isPresent() && !lag.isOldServer();
    }

    /** Returns the numbers of this client in the lists; empty if the strategy keeps none. */
    Optional<Numbers> numbers() {
        return hasLists() ? numbers : Optional.empty();
    }

    /** Returns the number in the lists that all waiters without a fair request share. */
    private long sharedNumber() {
        return numbers.map(Numbers::first).orElse(0L);
    }

    /** Returns a number in the lists for one fair waiter. */
    private long nextFairNumber() {
        return sharedNumber() + 1 + fairNumbers++ % (Numbers.COUNT - 1);
    }

    /**
     * Joins the queue of a lock before the first attempt, if it has waiters already, or if that attempt may add this client
     * to the list: no event after it is missed.
     */
    synchronized boolean joinBeforeAttempt(Waiter waiter, boolean isFair) {
        boolean isAwaited = queuesOf(waiter.awaited().value()).containsKey(sharedNumber());
        boolean joins = isFair || isAwaited || (hasLists() && lastSeen(waiter.awaited()) != LastKnownState.FREE);
        if (joins) {
            join(waiter, isFair);
        }
        return joins;
    }

    /**
     * Joins the queue of a lock. The first waiter of a queue makes an attempt at once, unless an earlier one may still be
     * the newest knowledge and no events are delivered.
     */
    synchronized WaiterQueue join(Waiter waiter, boolean isFair) {
        LockName name = waiter.awaited();
        LastKnownState seen = lastSeen(name);
        WaiterOf numbered = new WaiterOf(name, isFair ? nextFairNumber() : sharedNumber());
        WaiterQueue queue = queues.computeIfAbsent(name.value(), unknown -> new HashMap<>())
                .computeIfAbsent(numbered.number(), unknown -> {
                    WaiterQueue added = new WaiterQueue(numbered, !isFair);
                    added.recordState(seen, lastSeen.isHeldHere(name));
                    return added;
                });
        if (queue.isEmpty() && (hasLists() || releaseWatcher.isListening())) {
            queue.makeDue();
        }
        waiter.enter(queue);
        return queue;
    }

    /** Opens a change stream unless one is open: there is a waiter. */
    void ensureWatching() {
        releaseWatcher.ensureOpen();
    }

    /** Handles that a change stream reports a release: the queues whose turn it shows act. */
    void onReleaseEvent(String name, Release release) {
        lag.event();
        wake(() -> queuesOf(name).values().stream().filter(queue -> isMeant(queue, release)), queue -> {
            if (queue.released(release, nanoTime()) && !queue.isDue()) {
                queue.readWithin(nanoTime(), lookDelay(queue, Duration.ZERO));
            }
        });
    }

    /** While events are late, a waiter behind others polls. */
    private boolean isMeant(WaiterQueue queue, Release release) {
        int before = release.turn().indexOf(queue.waiter().number());
        return release.turn().isEmpty() || before == 0 || (before > 0 && isNotified());
    }

    /** Handles that a change stream was opened. Releases before that may have given this client its turn. */
    void onStreamOpened() {
        lag.streamOpened();
        wakeAll();
    }

    /** Handles that a change stream works: waiters that relied on an event that has not arrived poll now. */
    void onStreamActive() {
        if (lag.becameLate()) {
            wakeAll();
        }
    }

    /** Returns whether events that were due have not arrived for long, and no other: the stream may be dead. */
    boolean needsAnotherStream() {
        return lag.needsAnotherStream();
    }

    /** Has the heads of all queues look at their locks: any may have been released. With many queues, at random times soon. */
    void wakeAll() {
        wake(this::all, queue -> {
            int many = queues.size();
            queue.readWithin(
                    nanoTime(), many <= MAX_AT_ONCE ? Duration.ZERO : TIME_PER_READ.multipliedBy(random.nextInt(many)));
        });
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
        LockSnapshot lock = seen.holder();
        Optional<Entry> asked = queue.asked();
        Duration attemptTime = attemptTime(queue);
        Optional<Release> missed = queue.endAttempt();
        if (releaseWatcher.isListening() && queue.hasMissedEvent(seen)) {
            lag.seenWithoutEvent(seen.turn().orElseThrow().freeFor());
        }
        OptionalInt before = queue.position();
        boolean wasNotified = queue.isNotifiedOfTurn();
        queue.recordReply(seen, nanoTime());
        if (asked.equals(Optional.of(Entry.REMOVE))) {
            queue.withdrawn();
        }
        boolean showsList = seen.turn().isPresent() || asked.isEmpty();
        if (wasNotified && releaseWatcher.isListening() && showsList && queue.isBehind(before.getAsInt())) {
            lag.eventMissing();
        }
        if (before.isPresent() && queue.position().isPresent()) {
            recordTurnTime(queue, !queue.isNotifiedOfTurn());
        }
        boolean isHeldHere = isHeldHere(lock);
        queue.recordState(seen.turn().isPresent() ? LastKnownState.HELD : LastKnownState.in(lock), isHeldHere);
        if (missed.isPresent() && queue.released(missed.get(), nanoTime())) {
            return;
        }
        boolean mayJoin = isUnlisted(queue) && !asked.equals(Optional.of(Entry.ADD));
        boolean mayBeGranted = seen.turn().filter(turn -> turn.after().isZero()).isPresent();
        if (mayBeGranted || mayJoin) {
            queue.recordState(mayBeGranted ? LastKnownState.NOTIFIED_FREE : LastKnownState.HELD, isHeldHere);
            queue.makeDue();
        } else {
            schedule(queue, seen, attemptTime);
        }
    }

    /** Schedules an attempt at the end of the lease, a read if others come first then, or earlier the next look. */
    private void schedule(WaiterQueue queue, LockOutcome.Contended seen, Duration attemptTime) {
        boolean isRaceLost = seen.turn().isEmpty() && !seen.holder().isHeld();
        Duration look = isRaceLost ? pollDelay(queue, attemptTime) : lookDelay(queue, attemptTime);
        Duration left = untilTurn(queue, seen);
        boolean isTurn = !left.isZero() && left.compareTo(look) < 0;
        boolean isClaim = queue.position().orElse(0) == 0 || isUnclaimed(seen);
        queue.actAfter(nanoTime(), isTurn ? left : look, isTurn ? isClaim : isUnlisted(queue));
    }

    /** Returns how long to wait for the turn of a queue, as far as a reply shows it; zero if only a later look does. */
    private static Duration untilTurn(WaiterQueue queue, LockOutcome.Contended seen) {
        int position = queue.position().orElse(0);
        if (isLeaseOfHolder(seen.holder()) || seen.turn().isEmpty()) {
            return untilFree(seen.holder()).plus(shorter(BETWEEN_LOOKS.multipliedBy(position), MAX_AFTER_END));
        }
        Duration after = seen.turn().get().after();
        if (isUnclaimed(seen)) {
            return after.plus(shorter(BETWEEN_CLAIMS.multipliedBy(beyondClaims(position)), MAX_AFTER_CLAIMS));
        }
        return queue.isNotifiedOfTurn() ? after : Duration.ZERO;
    }

    /** Returns whether a lock is free for longer than the first waiter takes for its claim. */
    private static boolean isUnclaimed(LockOutcome.Contended seen) {
        return seen.turn()
                .filter(turn -> turn.freeFor().compareTo(LockStrategy.CLAIM_TIME) >= 0)
                .isPresent();
    }

    /** The end of a minimum hold is known to the next waiters; the end of another lease shows that its holder has died. */
    private static boolean isLeaseOfHolder(LockSnapshot lock) {
        return lock.isHeld()
                && lock.holder().filter(Owner::isStoredAfterRelease).isEmpty();
    }

    /** Returns how many positions the list does not distinguish: the first that is left should be granted the lock. */
    private static int beyondClaims(int position) {
        return Math.max(0, position - LockStrategy.MAX_CLAIMS);
    }

    /** Returns whether a queue is not in the list, but should be. */
    private boolean isUnlisted(WaiterQueue queue) {
        return hasLists() && queue.usesList() && queue.position().isEmpty();
    }

    /**
     * Returns the waiter as which the attempt that begins now is made, and what it does with its entry in the list. Not
     * every strategy changes the list in an attempt for a lock that may be free.
     *
     * @param isLast whether the waiter leaves if it does not acquire the lock
     */
    synchronized Optional<AcquireContext.Waiter> listed(WaiterQueue queue, Waiter waiter, boolean isLast) {
        if (!hasLists() || !queue.isHead(waiter) || !queue.usesList()) {
            return Optional.empty();
        }
        boolean othersStay = queue.waiters().anyMatch(other -> other != waiter && !other.isLeaving());
        boolean removes = !othersStay && queue.lastSeen() == LastKnownState.HELD;
        Entry entry = !isLast ? Entry.ADD : removes ? Entry.REMOVE : Entry.KEEP;
        queue.asks(entry);
        return Optional.of(new AcquireContext.Waiter(queue.waiter().number(), entry));
    }

    /** Returns the program that removes a queue from the list if this waiter is the last to leave it. */
    synchronized Optional<Step<Boolean>> withdrawal(WaiterQueue queue, Waiter waiter) {
        if (!needsWithdrawal(queue, waiter)) {
            return Optional.empty();
        }
        queue.withdrawn();
        return Optional.of(
                settings.strategy().unregister(queue.name(), queue.waiter().number()));
    }

    /** Several waiters may leave at the same time: the last of them that asks withdraws. */
    synchronized boolean needsWithdrawal(WaiterQueue queue, Waiter waiter) {
        waiter.leaves();
        return queue.mayBeStored() && queue.waiters().allMatch(Waiter::isLeaving);
    }

    /** Records that an attempt of a waiter ended without a reply that shows the lock. */
    synchronized void lostRace(WaiterQueue queue, Waiter waiter) {
        if (!queue.isAnswered(waiter)) {
            return;
        }
        Duration poll = pollDelay(queue, attemptTime(queue));
        Optional<Release> missed = queue.endAttempt();
        queue.actAfter(nanoTime(), poll, true);
        missed.ifPresent(release -> queue.released(release, nanoTime()));
    }

    /** Lets all other waiters of the queue go first, also those that join later. */
    void yieldToOthers(WaiterQueue queue, Waiter waiter) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            waiter.makeLast();
            next = queue.head().filter(head -> head != waiter).map(Waiter::signal);
        }
        next.ifPresent(signal -> signal.complete(null));
    }

    /** Removes a waiter from its queue; the next one becomes the head. */
    void leave(WaiterQueue queue, Waiter waiter, Optional<LockOutcome.Acquired> granted) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            granted.ifPresent(grant -> granted(queue, grant));
            boolean isNews = queue.remove(waiter);
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
        recordTurnTime(queue, false);
        queue.endAttempt();
        queue.granted(grant.waiters());
        queue.actAfter(nanoTime(), shorter(grant.lease().ttl(), lookDelay(queue, Duration.ZERO)), false);
    }

    /** A lock that has not moved may have only dead waiters before this one. */
    private void recordTurnTime(WaiterQueue queue, boolean alsoUnmoved) {
        if (queue.turnNanos() > 0 || alsoUnmoved) {
            lastSeen.recordTurnTime(queue.name(), queue.turnNanos());
        }
    }

    private void removeIfEmpty(WaiterQueue queue) {
        queues.computeIfPresent(queue.name().value(), (name, ofLock) -> {
            if (queue.isEmpty()) {
                ofLock.remove(queue.waiter().number(), queue);
            }
            return ofLock.isEmpty() ? null : ofLock;
        });
    }

    /** Returns whether the head of a queue reads the lock next, perhaps with others, and makes no attempt. */
    boolean isReadFirst(WaiterQueue own) {
        return !readsOneByOne && own.isReadNext();
    }

    /** Begins to read the lock of a queue together with others; empty if the strategy reads locks only one by one. */
    Optional<Step<Boolean>> readTogether(WaiterQueue own, Waiter waiter) {
        SharedRead read = beginRead(own, waiter);
        Optional<Step<Boolean>> program = read.program(settings.strategy());
        readsOneByOne = program.isEmpty();
        return program;
    }

    private synchronized SharedRead beginRead(WaiterQueue own, Waiter waiter) {
        long now = nanoTime();
        List<WaiterQueue> soonest = Stream.concat(
                        Stream.of(own), all().filter(queue -> queue != own && queue.isReadable(now)))
                .sorted(Comparator.comparingLong(queue -> queue.untilNext(now)))
                .limit(SharedRead.MAX_QUEUES)
                .toList();
        SharedRead read = new SharedRead(this, soonest);
        own.beginAttempt(waiter, now);
        soonest.forEach(queue -> queue.beginRead(read, now));
        return read;
    }

    /** Records the locks in a reply; a queue that knows something newer than the read is skipped. */
    void locksRead(SharedRead read, Function<WaiterQueue, Optional<LockOutcome.Contended>> seen) {
        List<CompletableFuture<Void>> signals;
        synchronized (this) {
            List<WaiterQueue> shown =
                    read.queues().stream().filter(queue -> queue.endRead(read)).toList();
            shown.forEach(queue -> recordRead(queue, seen.apply(queue)));
            signals = heads(shown);
        }
        signals.forEach(signal -> signal.complete(null));
    }

    /** A lock that is not held, and for which nobody waits, is due. */
    private void recordRead(WaiterQueue queue, Optional<LockOutcome.Contended> seen) {
        boolean isFree = seen.map(LockOutcome.Contended::holder)
                .filter(lock -> lock.isHeld() || lock.waiters() > 0)
                .isEmpty();
        if (isFree) {
            queue.endAttempt();
            queue.recordState(seen.isPresent() ? LastKnownState.NOTIFIED_FREE : LastKnownState.UNKNOWN, false);
            queue.makeDue();
        } else {
            contended(queue, seen.orElseThrow());
        }
    }

    /** Returns how long to wait for the next look at a lock, as far as only the time is a reason for it. */
    private Duration lookDelay(WaiterQueue queue, Duration attemptTime) {
        if (!isNotified() || isUnlisted(queue)) {
            return pollDelay(queue, attemptTime);
        }
        if (queue.position().isEmpty() || queue.isNotifiedOfTurn()) {
            return jittered(MAX_DELAY_WHEN_NOTIFIED);
        }
        Duration turn = Duration.ofNanos(
                lastSeen.turnNanos(queue.name()) * queue.position().getAsInt());
        return shorter(longer(FAR_BACK, turn.plus(LATER_THAN_EXPECTED)), MAX_DELAY_WHEN_NOTIFIED);
    }

    /** One in the list polls when its turn may come, by the time that each waiter before it took. */
    private Duration pollDelay(WaiterQueue queue, Duration attemptTime) {
        if (queue.position().isEmpty()) {
            Duration poll = Duration.ofMillis(settings.polling().apply(queue.countPoll()));
            return releaseWatcher.isListening() ? halvedUntil(poll, EventLag.MAX_TIMELY, attemptTime) : poll;
        }
        int before = queue.position().getAsInt();
        long turnNanos = Math.max(lastSeen.turnNanos(queue.name()), queue.unmovedNanos(nanoTime()));
        Duration expected = Duration.ofNanos(before == 0 ? turnNanos / 3 : turnNanos * before / 2);
        Duration most = queue.isNotifiedOfTurn() ? MAX_POLL_IN_TURN : MAX_POLL_FAR_BACK;
        Duration least = Duration.ofMillis(settings.polling().apply(1));
        return halvedUntil(longer(expected, least), most, attemptTime);
    }

    private Duration jittered(Duration most) {
        return most.minusNanos(random.nextLong(most.dividedBy(PARTS_OF_JITTER).toNanos()));
    }

    /** Returns whether events are delivered, and in time. */
    private boolean isNotified() {
        return releaseWatcher.isListening() && !lag.isLate();
    }

    /** Returns how long the attempt of the head takes so far. */
    private Duration attemptTime(WaiterQueue queue) {
        long now = nanoTime();
        return Duration.ofNanos(now - queue.beganNanos().orElse(now));
    }

    /**
     * Halves a polling interval until it is short enough, which keeps its jitter. Attempts that take long show that
     * servers or clients are overloaded, perhaps by polls.
     */
    private static Duration halvedUntil(Duration poll, Duration most, Duration attemptTime) {
        Duration limit = longer(most, attemptTime.multipliedBy(ATTEMPT_TIMES_PER_POLL));
        Duration shorter = poll;
        while (shorter.compareTo(limit) > 0) {
            shorter = shorter.dividedBy(2);
        }
        return shorter;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /**
     * Returns when the holder's lease ends, as far as is known; zero if the lock was free: the attempt lost every race.
     */
    private static Duration untilFree(LockSnapshot holder) {
        return holder.isHeld() ? holder.remaining().orElse(holder.ttl().dividedBy(ATTEMPTS_PER_LEASE)) : Duration.ZERO;
    }

    /** Changes some queues, and lets their heads compute their next action. */
    private void wake(Supplier<Stream<WaiterQueue>> selected, Consumer<WaiterQueue> change) {
        List<CompletableFuture<Void>> signals;
        synchronized (this) {
            List<WaiterQueue> woken = selected.get().toList();
            woken.forEach(change);
            signals = heads(woken);
        }
        signals.forEach(signal -> signal.complete(null));
    }

    private static List<CompletableFuture<Void>> heads(List<WaiterQueue> queues) {
        return queues.stream()
                .flatMap(queue -> queue.head().stream())
                .map(Waiter::signal)
                .toList();
    }
}
