package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import org.mongolocks.internal.wait.LastSeenCache.ReportedRelease;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.ReleaseEvents.ListMember;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.internal.wait.WaitingListEntry.Turn;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Registration;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Step;

/**
 * The waiter queues of one client, one for each lock. Thread-safe.
 *
 * <p>The head of a queue makes an attempt when a change stream reports a release of the lock, when the holder's lease
 * ends, or, without such a stream, when its next poll is due. The other waiters send no command until they are the
 * head, so that the cost of a grant does not grow with their number.
 */
public final class WaiterQueues implements AutoCloseable {
    /** While events are delivered, an attempt without an event only guards against a missed one. */
    private static final Duration MAX_DELAY_WHEN_NOTIFIED = Duration.ofSeconds(9);
    /** The part of that delay which is random, so that the attempts of many queues do not come together. */
    private static final int PARTS_OF_JITTER = 2;
    /** If more locks are awaited, and any may have been released, their attempts are spread over a time. */
    private static final int MAX_AT_ONCE = 100;
    /** That time, for each awaited lock. */
    private static final Duration TIME_PER_ATTEMPT = Duration.ofMillis(1);
    /** How often to make an attempt in one lease where the reply does not show the end of the lease. */
    private static final int ATTEMPTS_PER_LEASE = 3;
    /** How much longer than an attempt the pause before the next poll is at most, if it exceeds the longest of a stream. */
    private static final int ATTEMPT_TIMES_PER_POLL = 4;

    /** With more compensations than this between two attempts, the server has been unreachable for long. */
    static final int MAX_PAUSES = 1_000;

    /** The fair waiters have one queue, the others another. */
    private record Key(String name, boolean isFair) {
        static Key of(WaiterQueue queue) {
            return new Key(queue.name(), queue.isFair());
        }
    }

    private final ClientSettings settings;
    private final ReleaseWatcher releaseWatcher;
    private final EventLag lag;
    private final LastSeenCache lastSeen = new LastSeenCache();
    private final Map<Key, WaiterQueue> queues = new HashMap<>();
    private final Random random;
    private final Optional<ListMember> listMember;
    private final Set<CloseSignal> closeSignals = new HashSet<>();
    private boolean ending;
    private final boolean isFenced;
    private volatile boolean readsOneByOne;
    private volatile long streamOpenedNanos;
    private volatile Runnable collectionEnded = () -> {};

    /**
     * Creates empty queues for a client that never lacks connections.
     *
     * @param settings the settings of the client
     * @param feed opens change streams
     */
    public WaiterQueues(ClientSettings settings, ChangeFeed feed) {
        this(settings, feed, new ConnectionShortage(settings.time()), new EventLag(settings.time()));
    }

    /**
     * Creates empty queues.
     *
     * @param settings the settings of the client
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
        this.listMember =
                settings.strategy().waitingList().map(revision -> new ListMember(random.nextLong(), revision));
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
     * Notifies the waiters of a lock that a program of this client releases. While a change stream delivers events in
     * time, its event wakes the waiters. Otherwise the returned program wakes them itself.
     *
     * @param name the name of the lock
     * @param program ends with whether it released the lock
     * @return the program
     */
    public Step<Boolean> notifyingWaiters(LockName name, Step<Boolean> program) {
        if (releaseWatcher.isListening(name.value()) && !isLeftOut(name.value())) {
            lag.releasing(name.value());
        }
        return program.andThen(freed -> {
            lag.released(name.value(), freed);
            if (freed) {
                recordRelease(name);
            }
            if (freed && !isEmpty() && !isNotified(name.value())) {
                onRelease(name.value());
            }
            return Step.done(freed);
        });
    }

    /**
     * Force-releases a lock, wakes the waiters of this client, and logs who did it.
     *
     * @param seen the lock as the operator saw it
     * @return a program that ends with true if the lock was released
     */
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
     * Returns whether the stream may leave out a release of a lock, since it is the turn of another client. While events
     * are late all are expected: nothing else would end that, and no entry is added.
     */
    private synchronized boolean isLeftOut(String name) {
        return isNotified(name)
                && queuesOf(name).stream().anyMatch(queue -> queue.listEntry().mayBeFarBack());
    }

    /**
     * Returns whether waiters need the events of all releases of a lock: fair ones beside others, for which this client
     * may be in the list.
     */
    synchronized boolean needsEachRelease(String name) {
        return listMember.isPresent() && queuesOf(name).size() > 1;
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

    /**
     * Returns the state of the change stream.
     *
     * @return the state
     */
    public ChangeStream changeStream() {
        ChangeStream stream = releaseWatcher.state();
        return stream.state() == State.OPEN && lag.isLate() ? new ChangeStream(State.LATE, Optional.empty()) : stream;
    }

    /** Records the state of a lock in a reply of the server. */
    public void recordState(LockName name, LastKnownState seen) {
        if (recordInQueues(name, seen, false)) {
            lastSeen.touch(name);
        } else {
            lastSeen.record(name, seen, false);
        }
    }

    private void recordRelease(LockName name) {
        LastKnownState released = isLeftOut(name.value()) ? LastKnownState.HELD : LastKnownState.FREE;
        if (recordInQueues(name, released, false)) {
            lastSeen.touch(name);
        } else {
            lastSeen.recordReleaseReply(name, nanoTime(), listMember.isPresent() && isNotified(name.value()));
        }
    }

    /** Records a grant to this client. */
    public void granted(Lease lease) {
        synchronized (this) {
            recordInQueues(lease.name(), LastKnownState.HELD, true);
            queuesOf(lease.name().value()).forEach(queue -> queue.listEntry().granted());
        }
        lastSeen.recordGrant(lease);
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
            List<WaiterQueue> awaiting = queuesOf(name.value());
            if (!awaiting.isEmpty()) {
                return awaiting.get(0).lastSeen();
            }
        }
        return lastSeen.of(name);
    }

    private synchronized boolean recordInQueues(LockName name, LastKnownState seen, boolean isHeldHere) {
        List<WaiterQueue> awaiting = queuesOf(name.value());
        awaiting.forEach(queue -> queue.recordState(seen, isHeldHere));
        return !awaiting.isEmpty();
    }

    /** Nobody waits in most clients most of the time, in which this allocates nothing. */
    private List<WaiterQueue> queuesOf(String name) {
        return queues.isEmpty()
                ? List.of()
                : Stream.of(true, false)
                        .flatMap(isFair -> Stream.ofNullable(queues.get(new Key(name, isFair))))
                        .toList();
    }

    /** Closes the change stream, and wakes all waiters. */
    @Override
    public void close() {
        releaseWatcher.close();
        List<CompletableFuture<Void>> all;
        synchronized (this) {
            all = queues.values().stream()
                    .flatMap(WaiterQueue::waiters)
                    .map(Waiter::signal)
                    .toList();
        }
        all.forEach(signal -> signal.complete(null));
    }

    /** Ends the pauses of programs that await no lock: the client, whose locks may have drained, is being closed. */
    public void endPauses() {
        List<CloseSignal> all;
        synchronized (this) {
            ending = true;
            all = List.copyOf(closeSignals);
        }
        all.forEach(signal -> signal.future.complete(null));
    }

    /**
     * Returns a signal for one pause of a program that awaits no lock.
     *
     * @return completes at {@link #endPauses}; empty if that was called before, or {@value #MAX_PAUSES} programs pause
     */
    public synchronized Optional<CloseSignal> closeSignal() {
        if (ending || closeSignals.size() >= MAX_PAUSES) {
            return Optional.empty();
        }
        CloseSignal signal = new CloseSignal();
        closeSignals.add(signal);
        return Optional.of(signal);
    }

    private synchronized void remove(CloseSignal signal) {
        closeSignals.remove(signal);
    }

    /** Joins the queue of a lock if it has waiters. */
    synchronized boolean joinIfQueued(Waiter waiter) {
        WaiterQueue queue = queues.get(new Key(waiter.awaited().value(), false));
        if (queue != null) {
            waiter.enter(queue);
        }
        return queue != null;
    }

    /**
     * Joins the queue of a lock before the first attempt, if events are delivered and clients that wait are listed: so no
     * event after the attempt is missed.
     */
    synchronized boolean joinIfListed(Waiter waiter) {
        boolean isUseful = listMember.isPresent() && isNotified(waiter.awaited().value());
        if (isUseful) {
            join(waiter);
        }
        return isUseful;
    }

    /**
     * Joins the queue of a lock after a contended reply. Later changes are unknown: the first waiter of a queue makes
     * another attempt at once if changes are delivered already, and otherwise as soon as they are.
     */
    synchronized WaiterQueue join(Waiter waiter) {
        LastKnownState seen = lastSeen(waiter.awaited());
        boolean isHeldHere = lastSeen.isHeldHere(waiter.awaited());
        WaiterQueue queue = queues.computeIfAbsent(new Key(waiter.awaited().value(), false), key -> {
            WaiterQueue added = new WaiterQueue(key.name());
            added.recordState(seen, isHeldHere);
            return added;
        });
        queue.makeDue(queue.isEmpty() && releaseWatcher.isListening(queue.name()));
        waiter.enter(queue);
        return queue;
    }

    /** Joins the queue of the fair waiters, before a ticket is added: no release after that is missed. */
    synchronized FairWaiterQueue joinFair(Waiter waiter) {
        LastKnownState seen = lastSeen(waiter.awaited());
        Key key = new Key(waiter.awaited().value(), true);
        FairWaiterQueue queue = (FairWaiterQueue) queues.computeIfAbsent(
                key, absent -> new FairWaiterQueue(absent.name(), nanoTime(), newestRelease(waiter.awaited())));
        queue.recordState(seen, false);
        waiter.enter(queue);
        return queue;
    }

    /** Returns the last release of a lock that the stream that is open now has reported, if it delivers such events in time. */
    private Optional<ReportedRelease> newestRelease(LockName name) {
        return lastSeen.release(name)
                .filter(release -> release.atNanos() - streamOpenedNanos >= 0 && isNotified(name.value()));
    }

    /** Opens a change stream unless one is open that delivers the events of a lock: there is a waiter. */
    void ensureWatching(LockName name) {
        releaseWatcher.ensureOpen(name.value());
    }

    /**
     * Handles that a change stream reports a release. An event of a lock without waiters has no other effect than to be
     * counted.
     *
     * @return whether a waiter awaits the lock
     */
    boolean onReleaseEvent(String name, Release release) {
        boolean isAwaited = isAwaited(name);
        boolean isPolled = isAwaited && release.revision() > 0 && lag.isLate();
        lag.event(name, release.at(), isPolled, isPolled ? beforeRelease(name, release) : OptionalLong.empty());
        boolean isLate = lag.isLate();
        lastSeen.recordRelease(name, new ReportedRelease(nanoTime(), release.revision()), release.hasList() && !isLate);
        if (isLate) {
            onRelease(name);
            return isAwaited;
        }
        wake(() -> queuesOf(name).stream(), queue -> takeTurn(queue, queue.released(release, nanoTime())));
        return isAwaited;
    }

    private synchronized OptionalLong beforeRelease(String name, Release release) {
        return queuesOf(name).stream()
                .flatMapToLong(queue -> queue.beforeRelease(release).stream())
                .max();
    }

    /**
     * Returns whether the head of a queue acts after a release: its client was the first of those that wait, or the lock
     * has no list of them; a fair one, if its ticket should be the first.
     */
    private boolean takeTurn(WaiterQueue queue, Turn turn) {
        WaitingListEntry entry = queue.listEntry();
        if (turn == Turn.AFTER_TURN_OF_OTHER) {
            queue.postponeAttempt(nanoTime(), entry.afterTurnOfOther());
        } else if (turn == Turn.LATER && entry.isListed()) {
            queue.postponeAttempt(nanoTime(), entry.delay());
        } else if (turn == Turn.LATER) {
            queue.attemptWithin(nanoTime(), jittered(entry.delay()));
        }
        if (turn == Turn.LATER || turn == Turn.AFTER_TURN_OF_OTHER) {
            queue.recordState(LastKnownState.HELD, false);
        }
        return turn == Turn.CLAIM;
    }

    /**
     * Applies a function to the names of the awaited locks while no waiter joins: one that joins later finds out whether
     * the stream delivers its events. An empty set if there are more than that many queues.
     */
    synchronized <R> R withAwaitedNames(int most, Function<Set<String>, R> function) {
        return function.apply(
                queues.size() > most
                        ? Set.of()
                        : queues.keySet().stream().map(Key::name).collect(Collectors.toUnmodifiableSet()));
    }

    /** Handles that a change stream was opened. Releases before that may have given this client its turn. */
    void onStreamOpened() {
        lag.streamOpened();
        streamOpenedNanos = nanoTime();
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

    /** Wakes the heads of both queues of a lock that was released. */
    private void onRelease(String name) {
        wakeWithoutEvents(() -> queuesOf(name).stream(), queue -> true);
    }

    /** Wakes the heads of some queues, which do not rely on what they know from events. */
    private void wakeWithoutEvents(Supplier<Stream<WaiterQueue>> selected, Predicate<WaiterQueue> isDue) {
        wake(selected, queue -> {
            queue.forgetEvents();
            return isDue.test(queue);
        });
    }

    /** Wakes the heads of all queues: any lock may have been released, and no event shows the place in a list any more. */
    void wakeAll() {
        wakeWithoutEvents(() -> queues.values().stream(), this::isDueAtOnce);
    }

    /** Returns whether an attempt is due now; if many locks are awaited, it is due at a random time soon. */
    private boolean isDueAtOnce(WaiterQueue queue) {
        if (queue.isFair() || queues.size() <= MAX_AT_ONCE) {
            return true;
        }
        queue.attemptWithin(nanoTime(), TIME_PER_ATTEMPT.multipliedBy(random.nextInt(queues.size())));
        return false;
    }

    public synchronized boolean isEmpty() {
        return queues.isEmpty();
    }

    long nanoTime() {
        return settings.time().nanoTime();
    }

    /**
     * Records the server queue in a reply to a fair waiter, and wakes the head if it may not know that its ticket is
     * the first.
     */
    void onQueueRead(FairWaiterQueue queue, Waiter waiter, FairQueueSnapshot snapshot, boolean mayBeFree) {
        Optional<CompletableFuture<Void>> woken = Optional.empty();
        synchronized (this) {
            queue.recordNotified(isNotified(queue.name()));
            boolean headChanged = queue.queueRead(snapshot, mayBeFree, nanoTime());
            if (headChanged || queue.isHead(waiter)) {
                queue.scheduleRead(nanoTime(), pollingDelay(queue, MAX_DELAY_WHEN_NOTIFIED));
            }
            woken = headChanged ? queue.head().map(Waiter::signal) : woken;
        }
        woken.ifPresent(signal -> signal.complete(null));
    }

    /** Reads a lock whose first tickets may be those of dead clients. */
    Step<Boolean> inspect(FairWaiterQueue queue) {
        LockName name = LockName.of(queue.name());
        long started = nanoTime();
        return settings.strategy().inspect(name).andThen(seen -> {
            seen.ifPresent(lock -> recordState(name, LastKnownState.in(lock)));
            synchronized (this) {
                queue.inspected(seen, started, nanoTime());
            }
            return Step.done(true);
        });
    }

    void contended(WaiterQueue queue, Waiter waiter, LockSnapshot holder) {
        contended(queue, waiter, new LockOutcome.Contended(holder));
    }

    synchronized void contended(WaiterQueue queue, Waiter waiter, LockOutcome.Contended seen) {
        LockSnapshot holder = seen.holder();
        boolean hasAsked = queue.listEntry().isAsked();
        queue.recordState(
                LastKnownState.in(holder), holder.holder().filter(this::isOwn).isPresent());
        Turn turn = queue.contended(waiter, seen, nanoTime());
        queue.scheduleAttempt(waiter, nanoTime(), delayAfter(queue, untilFree(holder)));
        boolean isUnlisted = !hasAsked && mayJoinList(queue);
        boolean hasEnded = turn != Turn.AFTER_TURN_OF_OTHER && queue.listEntry().isListed() && !holder.isHeld();
        queue.makeDue(takeTurn(queue, turn) || isUnlisted || hasEnded);
    }

    /** Returns the delay until the lease ends and those before have had their turns, or until the next look at the lock. */
    private Duration delayAfter(WaiterQueue queue, Duration untilFree) {
        Duration delay = pollingDelay(queue, untilFree);
        WaitingListEntry entry = queue.listEntry();
        return delay.plus(delay.equals(untilFree) ? entry.afterFirst() : entry.afterLooksOfOthers());
    }

    private boolean isOwn(String holder) {
        return holder.startsWith(Owner.storedPrefix(settings.instance()));
    }

    /**
     * Returns how the attempt that begins now adds this client to the list of those that wait for the lock; empty if it
     * should not.
     */
    synchronized Optional<Registration> registration(WaiterQueue queue, Waiter waiter) {
        return listMember
                .filter(member -> queue.isHead(waiter) && mayJoinList(queue))
                .map(member -> {
                    lag.registering(queue.name());
                    return queue.listEntry().ask(member.client(), isTurnOfOther(queue));
                });
    }

    /** Returns whether the lock was just released for another client, which is expected to acquire it. */
    private boolean isTurnOfOther(WaiterQueue queue) {
        OptionalLong since = lastSeen.turnOfOtherNanos(LockName.of(queue.name()));
        return since.isPresent() && nanoTime() - since.getAsLong() < WaitingListEntry.CLAIM_EXPECTED.toNanos();
    }

    private boolean mayJoinList(WaiterQueue queue) {
        return listMember.isPresent() && isNotified(queue.name()) && queue.mayJoinList();
    }

    /**
     * Returns the program that removes this client from the list if this waiter is the last of its queue to leave, or if those
     * before it are to be removed too.
     */
    synchronized Optional<Step<Boolean>> withdrawal(WaiterQueue queue, Waiter waiter) {
        return listMember.filter(member -> needsWithdrawal(queue, waiter)).map(member -> {
            boolean passesOthers = queue.listEntry().passesOthers();
            queue.listEntry().withdrawn();
            return settings.strategy().unregister(LockName.of(queue.name()), member.client(), passesOthers);
        });
    }

    /** Several waiters may leave at the same time: the last of them that asks withdraws. */
    synchronized boolean needsWithdrawal(WaiterQueue queue, Waiter waiter) {
        waiter.leaves();
        WaitingListEntry entry = queue.listEntry();
        return entry.mayBeStored() && (entry.passesOthers() || queue.waiters().allMatch(Waiter::isLeaving));
    }

    /** Returns this client in the lists of waiting clients; empty if the strategy has none. */
    Optional<ListMember> listMember() {
        return listMember;
    }

    synchronized void lostRace(WaiterQueue queue, Waiter waiter) {
        queue.scheduleAttempt(waiter, nanoTime(), pollingDelay(queue, Duration.ZERO));
        queue.makeDue(takeTurn(queue, queue.unanswered(waiter)));
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

    void leave(WaiterQueue queue, Waiter waiter, Optional<Lease> granted) {
        Optional<CompletableFuture<Void>> next;
        synchronized (this) {
            granted.ifPresent(lease -> queue.granted(waiter, nanoTime(), pollingDelay(queue, lease.ttl())));
            boolean wasHead = queue.remove(waiter);
            queue.makeDue(granted.isPresent() && mayJoinList(queue));
            removeIfEmpty(queue);
            next = wasHead ? queue.head().map(Waiter::signal) : Optional.empty();
        }
        next.ifPresent(signal -> signal.complete(null));
    }

    /** What the last queue of a lock knows is remembered, as for locks that are not awaited. */
    private void removeIfEmpty(WaiterQueue queue) {
        if (queue.isEmpty() && queues.remove(Key.of(queue), queue)) {
            lastSeen.record(LockName.of(queue.name()), queue.lastSeen(), queue.isHeldHere());
        }
    }

    /** Returns whether the lock of this queue, which is due, is read before an attempt: with another one, or by itself. */
    synchronized boolean isReadFirst(WaiterQueue own) {
        return !readsOneByOne
                && isReadable(own)
                && (own.listEntry().looksFirst() || readableWith(own).limit(2).count() > 1);
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
        List<WaiterQueue> soonest = readableWith(own)
                .sorted(Comparator.comparingLong(queue -> queue.untilAttempt(now)))
                .limit(SharedRead.MAX_LOCKS)
                .toList();
        SharedRead read = new SharedRead(this, soonest);
        own.beginAttempt(waiter, now);
        soonest.forEach(queue -> queue.beginRead(read, now));
        return read;
    }

    /** Returns this queue and others whose heads are due soon. */
    private Stream<WaiterQueue> readableWith(WaiterQueue own) {
        return Stream.concat(
                Stream.of(own), queues.values().stream().filter(queue -> queue != own && isReadable(queue)));
    }

    private boolean isReadable(WaiterQueue queue) {
        return !queue.isFair() && queue.isReadable(nanoTime());
    }

    /** Records the locks in a reply; one of which something is known since the read began is skipped. */
    void locksRead(SharedRead read, Function<WaiterQueue, Optional<LockSnapshot>> seen) {
        List<CompletableFuture<Void>> signals;
        synchronized (this) {
            signals = read.queues().stream()
                    .filter(queue -> queue.endRead(read))
                    .filter(queue -> !recordHeld(queue, seen.apply(queue)))
                    .flatMap(queue -> queue.head().stream())
                    .map(Waiter::signal)
                    .toList();
        }
        signals.forEach(signal -> signal.complete(null));
    }

    /** Schedules the next attempt if the lock is held, or for others; otherwise it is due now. */
    private boolean recordHeld(WaiterQueue queue, Optional<LockSnapshot> seen) {
        queue.recordState(seen.map(LastKnownState::in).orElse(LastKnownState.FREE), false);
        Optional<LockSnapshot> holder = seen.filter(LockSnapshot::isHeld);
        Optional<Waiter> head = queue.head();
        if (holder.isPresent() && head.isPresent()) {
            contended(queue, head.get(), holder.get());
            return true;
        }
        queue.endAttempt();
        if (seen.isPresent() && isTurnOfThoseBefore(queue, seen.get())) {
            queue.recordState(LastKnownState.HELD, false);
            queue.postponeAttempt(nanoTime(), queue.listEntry().turnsOfOthers());
            return true;
        }
        queue.makeDue(true);
        return false;
    }

    /** Returns false if each client that has its turn before had it, and nobody has claimed the lock. */
    private static boolean isTurnOfThoseBefore(WaiterQueue queue, LockSnapshot free) {
        if (!queue.listEntry().looksFirst()) {
            return false;
        }
        boolean isUnclaimed = queue.listEntry().seenFree(free.revision());
        if (isUnclaimed) {
            queue.recordRelease(OptionalLong.of(free.revision()));
        }
        return !isUnclaimed;
    }

    private synchronized boolean isAwaited(String name) {
        return !queuesOf(name).isEmpty();
    }

    private Duration pollingDelay(WaiterQueue queue, Duration untilFree) {
        Duration poll = Duration.ofMillis(settings.polling().apply(queue.countPoll()));
        boolean isNotified = isNotified(queue.name());
        Duration limit = isNotified
                ? MAX_DELAY_WHEN_NOTIFIED
                : releaseWatcher.isListening(queue.name()) ? pollBesideStream(poll, attemptTime(queue)) : poll;
        if (!untilFree.isZero() && untilFree.compareTo(limit) < 0) {
            return untilFree;
        }
        return untilFree.isZero() ? poll : isNotified ? jittered(limit) : limit;
    }

    private Duration jittered(Duration most) {
        return most.minusNanos(random.nextLong(most.dividedBy(PARTS_OF_JITTER).toNanos()));
    }

    /**
     * Returns whether fair waiters for a lock skip the tickets of dead clients: they get events in time, and can see
     * the end of a lease.
     */
    synchronized boolean skipsTickets(String name) {
        return isNotified(name) && !settings.strategy().traits().contains(Trait.CLOCK_FREE);
    }

    /** Returns whether events of a lock are delivered, and in time. */
    private boolean isNotified(String name) {
        return releaseWatcher.isListening(name) && !lag.isLate();
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
    private static Duration pollBesideStream(Duration poll, Duration attemptTime) {
        Duration most = attemptTime.multipliedBy(ATTEMPT_TIMES_PER_POLL);
        Duration shorter = poll;
        while (shorter.compareTo(EventLag.MAX_TIMELY) > 0 && shorter.compareTo(most) > 0) {
            shorter = shorter.dividedBy(2);
        }
        return shorter;
    }

    /**
     * Returns when the holder's lease ends, as far as is known; zero if the lock was free: the attempt lost every race.
     */
    private static Duration untilFree(LockSnapshot holder) {
        return holder.isHeld() ? holder.remaining().orElse(holder.ttl().dividedBy(ATTEMPTS_PER_LEASE)) : Duration.ZERO;
    }

    /** Lets the heads of some queues compute their next action, of which some are due now. */
    private void wake(Supplier<Stream<WaiterQueue>> selected, Predicate<WaiterQueue> isDue) {
        List<CompletableFuture<Void>> signals;
        synchronized (this) {
            List<WaiterQueue> woken = selected.get().toList();
            woken.forEach(queue -> queue.makeDue(isDue.test(queue)));
            signals = woken.stream()
                    .flatMap(queue -> queue.head().stream())
                    .map(Waiter::signal)
                    .toList();
        }
        signals.forEach(signal -> signal.complete(null));
    }

    /** A signal that the client is closed, for one pause, at whose end it must be closed. */
    public final class CloseSignal implements AutoCloseable {
        private final CompletableFuture<Void> future = new CompletableFuture<>();

        private CloseSignal() {}

        /** Returns the future, which completes when the client is closed. */
        public CompletableFuture<Void> future() {
            return future;
        }

        @Override
        public void close() {
            remove(this);
        }
    }
}
