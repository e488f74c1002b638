package org.mongolocks.study.process;

import static org.mongolocks.study.history.Event.Op.ACQUIRE;
import static org.mongolocks.study.history.Event.Op.CRASH;
import static org.mongolocks.study.history.Event.Op.PAUSE;
import static org.mongolocks.study.history.Event.Op.RELEASE;
import static org.mongolocks.study.history.Event.Op.RENEW;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INFO;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.History;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.technique.Column;

/**
 * One lock of a run: the resources that it protects, and what the processes report, merged into one history in the order of
 * time. In a long run the history is checked and cut now and then, when no worker uses the lock, so that every acquisition in it
 * has ended. Kept over a cut are the grant with the largest token, which later tokens must exceed, and acquisitions that may
 * have been granted without a reply. Thread-safe.
 *
 * <p>No server reports in which order it granted the lock. The fencing token is used instead of the position of the
 * deciding command that the simulator has. For a technique without tokens stale writes cannot be detected; lost updates
 * can. The order of a release among the grants is unknown too: the release of another owner's lock shows only
 * by its consequences, two holders at the same time, or a holder that loses a live lease.
 */
final class LockHistory {
    /** How long an acquisition without a reply is kept; longer than a lease and the commands that may come late. */
    private static final long INDETERMINATE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final Set<Event.Op> PROCESS_FAULTS = EnumSet.of(CRASH, PAUSE);

    private final long originNanos = System.nanoTime();
    private final int number;
    private final Column technique;
    private final Claims claims;
    private final boolean isTransactional;
    private final Set<Long> inProgress = new HashSet<>();
    private final Map<Long, Integer> grants = new HashMap<>();
    private final List<Noted> noted = new ArrayList<>();
    private Recorder uses = new Recorder(System::nanoTime);
    private ProtectedResources resources = new ProtectedResources(uses, 0);
    private Set<Integer> kept = Set.of();
    private int lastGrant;

    /** An event with the numbers of its process and its grant in the history. */
    private record Noted(int process, int grant, Event event) {}

    /**
     * Creates a lock that was never used.
     *
     * @param number its number, from 1
     * @param technique its technique
     */
    LockHistory(int number, Column technique) {
        this.number = number;
        this.technique = technique;
        this.claims = Matrix.claimsOf(technique);
        this.isTransactional = Need.isTransactional(technique);
    }

    int number() {
        return number;
    }

    Column technique() {
        return technique;
    }

    /** Returns whether an orphaned transaction may block the lock, until the server ends the transaction. */
    boolean isTransactional() {
        return isTransactional;
    }

    /**
     * Records an event of a process; the number of the grant is the process's own. A loss that is reported after the release
     * is left out. Returns whether it was recorded.
     */
    synchronized boolean record(int process, Event event) {
        long key = key(process, event.grant());
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
        noted.add(new Noted(process, event.grant() == 0 ? 0 : grant(key), event));
        return true;
    }

    synchronized ProtectedResources.Values read(int process, GrantToken grantToken) {
        return resources.read(user(process, grantToken));
    }

    synchronized void write(int process, GrantToken grantToken, ProtectedResources.Values read) {
        resources.write(user(process, grantToken), read);
    }

    private ProtectedResources.User user(int process, GrantToken grantToken) {
        return new ProtectedResources.User(
                process, grant(key(process, grantToken.grant())), grantToken.token(), order(grantToken.token()));
    }

    private long order(long token) {
        return claims.hasTokens() ? token : 0;
    }

    private int grant(long key) {
        return grants.computeIfAbsent(key, added -> ++lastGrant);
    }

    private static long key(int process, int grant) {
        return ((long) process << Integer.SIZE) + grant;
    }

    /** Ends the acquisitions of a process that was killed. */
    synchronized void gone(int process) {
        inProgress.removeIf(key -> key >> Integer.SIZE == process);
    }

    /** Returns what was recorded since the last cut. Events of the same time stay in the order in which they were recorded. */
    synchronized History history() {
        List<Noted> all = new ArrayList<>(noted);
        uses.history(technique.ttl().toNanos())
                .events()
                .forEach(use -> all.add(new Noted(use.process(), use.grant(), use)));
        all.sort(Comparator.comparingLong(one -> one.event().atNanos()));
        List<Event> events = new ArrayList<>();
        all.forEach(one -> events.add(placed(events.size(), one)));
        return new History(technique.ttl().toNanos(), events);
    }

    private Event placed(int seq, Noted one) {
        Event event = one.event();
        boolean hasLease = event.is(ACQUIRE, OK) || event.is(RENEW, OK);
        boolean isEndless = event.untilNanos() == Long.MAX_VALUE;
        return new Event(
                seq,
                event.atNanos() - originNanos,
                one.process(),
                event.op(),
                event.phase(),
                one.grant(),
                event.token(),
                event.is(ACQUIRE, OK) ? order(event.token()) : event.commit(),
                hasLease ? event.fromNanos() - originNanos : 0,
                hasLease && !isEndless ? event.untilNanos() - originNanos : event.untilNanos(),
                event.value(),
                event.note());
    }

    /**
     * Checks the history, and begins the next part of it, with unused resources.
     *
     * @return the violations that earlier parts did not have
     */
    synchronized List<CounterExample> cut() {
        History history = history();
        List<CounterExample> fresh = Checker.check(history, claims).violations().stream()
                .filter(violation -> violation.second() == 0 || !kept.contains(violation.second()))
                .map(violation -> CounterExample.of(history, violation))
                .toList();
        kept = toKeep(history.events());
        Set<Integer> processes = noted.stream()
                .filter(one -> kept.contains(one.grant()))
                .map(Noted::process)
                .collect(Collectors.toSet());
        noted.removeIf(one -> !kept.contains(one.grant())
                && !(PROCESS_FAULTS.contains(one.event().op()) && processes.contains(one.process())));
        grants.clear();
        uses = new Recorder(System::nanoTime);
        resources = new ProtectedResources(uses, 0);
        return fresh;
    }

    private static Set<Integer> toKeep(List<Event> all) {
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
