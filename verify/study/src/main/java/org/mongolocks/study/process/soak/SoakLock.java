package org.mongolocks.study.process.soak;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.RELEASE;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.History;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.process.observer.RunObserver;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/**
 * One lock of a run, and its history. The history is checked and cut when no worker uses the lock, so that every
 * acquisition in it has ended. Kept over a cut are the grant with the largest token, which later tokens must exceed,
 * and acquisitions that may have been granted without a reply. Thread-safe.
 */
final class SoakLock {
    private static final int STAGES = 7;
    /** A history is also cut when it has this many events. */
    private static final int MAX_EVENTS = 4_000;
    /** How long an acquisition without a reply is kept; longer than a lease and the commands that may come late. */
    private static final long INDETERMINATE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final int number;
    private final Technique technique;
    private final long maxAgeNanos;
    private final Set<Long> inProgress = new HashSet<>();
    private RunObserver observer;
    private Set<Integer> kept = Set.of();
    private long cutNanos;
    private int events;
    private int users;
    private boolean isResting;

    /**
     * Creates a lock that was never used.
     *
     * @param number its number, from 1
     * @param technique its strategy
     * @param cutAfter the age at which its history is cut
     */
    SoakLock(int number, Technique technique, Duration cutAfter) {
        this.number = number;
        this.technique = technique;
        this.maxAgeNanos = cutAfter.toNanos();
        this.observer = new RunObserver(Matrix.claimsOf(technique).hasTokens());
        // The locks of a strategy are not all cut at the same time.
        this.cutNanos = System.nanoTime() - number % STAGES * maxAgeNanos / STAGES;
    }

    int number() {
        return number;
    }

    Technique technique() {
        return technique;
    }

    /** Returns whether an orphaned transaction may block it, until the server ends the transaction. */
    boolean needsTransactions() {
        return technique
                .strategies()
                .apply(InstantSource.system())
                .traits()
                .contains(LockStrategy.Trait.NEEDS_TRANSACTIONS);
    }

    synchronized RunObserver observer() {
        return observer;
    }

    /** Adds a user, unless the lock is to be cut. */
    synchronized boolean enter() {
        if (isResting || isDue()) {
            return false;
        }
        users++;
        return true;
    }

    synchronized boolean isUsed() {
        return users > 0;
    }

    /** Removes a user. */
    synchronized void leave() {
        users--;
    }

    /** Returns true once if the history is to be cut now; the lock then rests until {@link #cut}. */
    synchronized boolean rests() {
        if (users > 0 || isResting || !isDue()) {
            return false;
        }
        isResting = true;
        return true;
    }

    private boolean isDue() {
        return events >= MAX_EVENTS || System.nanoTime() - cutNanos >= maxAgeNanos;
    }

    /** Records an event; a loss that is reported after the release is left out. Returns whether it was recorded. */
    synchronized boolean record(int child, Event event) {
        long key = ((long) child << Integer.SIZE) + event.grant();
        if (event.is(ACQUIRE, INVOKE)) {
            inProgress.add(key);
        }
        if (event.grant() != 0 && !inProgress.contains(key)) {
            return false;
        }
        boolean isEnd = event.is(ACQUIRE, FAIL)
                || event.is(ACQUIRE, INFO)
                || (event.op() == RELEASE && event.phase() != INVOKE);
        if (isEnd) {
            inProgress.remove(key);
        }
        events++;
        observer.record(child, event);
        return true;
    }

    synchronized ProtectedResources.Values read(int child, GrantToken grantToken) {
        events++;
        return observer.read(child, grantToken);
    }

    synchronized void write(int child, GrantToken grantToken, ProtectedResources.Values read) {
        events++;
        observer.write(child, grantToken, read);
    }

    /** Ends the acquisitions of a process that was killed. */
    synchronized void gone(int child) {
        inProgress.removeIf(key -> key >> Integer.SIZE == child);
    }

    /**
     * Checks the history, and begins the next part of it. The lock is in use again afterwards.
     *
     * @return the violations that earlier parts did not have
     */
    synchronized List<CounterExample> cut() {
        History history = observer.history(RealTechniques.TTL);
        Verdict verdict = Checker.check(history, Matrix.claimsOf(technique));
        List<CounterExample> fresh = verdict.violations().stream()
                .filter(violation -> violation.second() == 0 || !kept.contains(violation.second()))
                .map(violation -> CounterExample.of(history, violation))
                .toList();
        kept = toKeep(history);
        observer = observer.successor(kept);
        cutNanos = System.nanoTime();
        events = 0;
        isResting = false;
        return fresh;
    }

    private static Set<Integer> toKeep(History history) {
        List<Event> all = history.events();
        long last = all.isEmpty() ? 0 : all.get(all.size() - 1).atNanos();
        Stream<Integer> largest = all.stream()
                .filter(event -> event.is(ACQUIRE, OK))
                .max(Comparator.comparingLong(Event::token))
                .map(Event::grant)
                .stream();
        Set<Integer> ended = all.stream()
                .filter(event -> event.is(RELEASE, OK)
                        || (event.is(ACQUIRE, FAIL) && event.note().isEmpty()))
                .map(Event::grant)
                .collect(Collectors.toSet());
        Stream<Integer> open = all.stream()
                .filter(event -> event.grant() != 0 && last - event.atNanos() < INDETERMINATE_NANOS)
                .map(Event::grant)
                .filter(grant -> !ended.contains(grant));
        return Stream.concat(largest, open).collect(Collectors.toUnmodifiableSet());
    }
}
