package org.mongolocks.study.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/** Checks the bounds of a row, for one lock. O(n), and O(n) more for each time at which locks were discarded. */
public final class Promptness {
    /** The note of an acquisition with an indeterminate outcome. */
    public static final String INDETERMINATE = "INDETERMINATE";

    /**
     * The note of an acquisition that ends with an error: the name of the fault, if the outcome is not indeterminate.
     */
    private static final Set<String> ERRORS = Stream.concat(
                    Stream.of(INDETERMINATE), Arrays.stream(Fault.values()).map(Enum::name))
            .collect(Collectors.toUnmodifiableSet());

    private Promptness() {}

    static List<Violation> check(History history, List<Grant> grants, HandoverLimits bounds) {
        List<Event> events = history.events();
        List<Violation> found = new ArrayList<>();
        bounds.handOver().ifPresent(most -> found.addAll(lateHandOvers(history, most)));
        bounds.lossNotice().ifPresent(most -> found.addAll(lateNotices(events, grants, most)));
        if (!bounds.failuresExcused()) {
            found.addAll(failures(events));
        }
        if (bounds.isShared()) {
            found.addAll(starved(events));
        }
        return found;
    }

    /** A lease that ends by itself is a hand-over too: from a ttl after its grant or its last renewal was known. */
    private static List<Violation> lateHandOvers(History history, Duration most) {
        List<Violation> found = new ArrayList<>();
        Map<Integer, Long> asked = new HashMap<>();
        Map<Integer, Long> free = new HashMap<>();
        Set<Integer> released = new HashSet<>();
        Event last = null;
        for (Event event : history.events()) {
            if (event.is(Op.ACQUIRE, Phase.INVOKE)) {
                asked.put(event.grant(), event.atNanos());
            } else if (event.is(Op.RELEASE, Phase.INVOKE) && released.add(event.grant())) {
                free.merge(event.grant(), event.atNanos(), Math::min);
            } else if (mayRenew(event) && !released.contains(event.grant())) {
                free.put(event.grant(), event.atNanos() + history.ttlNanos());
            } else if (event.is(Op.ACQUIRE, Phase.OK)) {
                long since = Math.max(
                        last == null ? 0 : free.getOrDefault(last.grant(), 0L), asked.getOrDefault(event.grant(), 0L));
                if (last != null && event.atNanos() - since > most.toNanos()) {
                    found.add(new Violation(Finding.HAND_OVER_LATE, last.grant(), event.grant(), event.atNanos()));
                }
                last = event;
                free.put(event.grant(), event.atNanos() + history.ttlNanos());
            }
        }
        return found;
    }

    /** A renewal whose reply is lost may have been executed. A guarded transaction renews the lease, too. */
    private static boolean mayRenew(Event event) {
        return (event.op() == Op.RENEW && event.phase() != Phase.FAIL) || event.is(Op.WRITE_GUARDED, Phase.OK);
    }

    private static List<Violation> lateNotices(List<Event> events, List<Grant> grants, Duration most) {
        return events.stream()
                .filter(event -> event.is(Op.DISCARDED, Phase.OK))
                .map(Event::atNanos)
                .flatMap(discarded -> grants.stream()
                        .filter(grant -> grant.okNanos() <= discarded)
                        .filter(grant -> isBelievedAt(grant, discarded + most.toNanos()))
                        .map(grant ->
                                new Violation(Finding.LOSS_NOTICED_LATE, grant.id(), 0, discarded + most.toNanos())))
                .toList();
    }

    /** Checks the bounds of a row on lost locks of the library's holders. O(n). */
    static List<Violation> losses(List<Event> events, HandoverLimits bounds) {
        List<Violation> found = new ArrayList<>();
        bounds.lossNotice().ifPresent(most -> found.addAll(new LeaseEnds(most).unnoticed(events)));
        bounds.losers()
                .ifPresent(losers -> events.stream()
                        .filter(event -> event.op() == Op.LOST && !losers.contains(event.process()))
                        .map(event -> new Violation(Finding.LOCK_LOST, event.grant(), 0, event.atNanos()))
                        .forEach(found::add));
        return found;
    }

    /** The ends of leases whose holders were neither notified nor have released. A paused holder may be notified when it resumes. */
    private static final class LeaseEnds {
        private final Duration most;
        private final Map<Integer, Long> byGrant = new HashMap<>();
        private final Map<Integer, Set<Integer>> grants = new HashMap<>();
        private final List<Violation> found = new ArrayList<>();

        LeaseEnds(Duration most) {
            this.most = most;
        }

        List<Violation> unnoticed(List<Event> events) {
            events.forEach(this::take);
            List.copyOf(byGrant.keySet()).forEach(grant -> ended(grant, events.get(events.size() - 1)));
            return found;
        }

        private void take(Event event) {
            if (event.is(Op.ACQUIRE, Phase.OK) || event.is(Op.RENEW, Phase.OK)) {
                byGrant.merge(event.grant(), event.untilNanos(), Math::max);
                grants.computeIfAbsent(event.process(), process -> new HashSet<>())
                        .add(event.grant());
            } else if (event.op() == Op.LOST || event.is(Op.RELEASE, Phase.INVOKE)) {
                ended(event.grant(), event);
            } else if (event.op() == Op.CRASH) {
                byGrant.keySet().removeAll(grantsOf(event));
            } else if (event.is(Op.PAUSE, Phase.OK)) {
                grantsOf(event)
                        .forEach(grant -> byGrant.computeIfPresent(grant, (id, end) -> Math.max(end, event.atNanos())));
            }
        }

        private Set<Integer> grantsOf(Event event) {
            return grants.getOrDefault(event.process(), Set.of());
        }

        private void ended(int grant, Event event) {
            Long end = byGrant.remove(grant);
            if (end != null && event.atNanos() - end > most.toNanos()) {
                found.add(new Violation(Finding.LOSS_NOTICED_LATE, grant, 0, end + most.toNanos()));
            }
        }
    }

    private static boolean isBelievedAt(Grant grant, long nanos) {
        return grant.believed().stream()
                .anyMatch(interval -> interval.fromNanos() <= nanos && nanos < interval.untilNanos());
    }

    private static List<Violation> failures(List<Event> events) {
        return events.stream()
                .filter(event -> event.op() == Op.ACQUIRE && ERRORS.contains(event.note()))
                .map(event -> new Violation(Finding.ACQUIRE_FAILED, 0, event.grant(), event.atNanos()))
                .toList();
    }

    /** Reports each process that was never granted the lock, at its last request. */
    private static List<Violation> starved(List<Event> events) {
        Map<Integer, Event> requests = new TreeMap<>();
        events.stream()
                .filter(event -> event.is(Op.ACQUIRE, Phase.INVOKE))
                .forEach(event -> requests.put(event.process(), event));
        events.stream()
                .filter(event -> event.is(Op.ACQUIRE, Phase.OK))
                .forEach(event -> requests.remove(event.process()));
        return requests.values().stream()
                .map(event -> new Violation(Finding.STARVED, 0, event.grant(), event.atNanos()))
                .toList();
    }

    /**
     * The bounds that a row sets on time and errors. Safety is checked in every row; these bounds are checked only in rows
     * without a fault that excuses them.
     *
     * @param handOver the longest time in which a waiter gets a lock, from its release, from the end of its lease, or from
     *     the request if that is later
     * @param lossNotice the longest time until a holder is notified that the server has discarded its lock, or that its
     *     lease has ended
     * @param failuresExcused whether an acquisition may end with an error, because messages are lost or members fail
     * @param losers the processes that may lose locks; empty for all
     * @param isShared whether each client that asks for the lock must be granted it at least once
     */
    public record HandoverLimits(
            Optional<Duration> handOver,
            Optional<Duration> lossNotice,
            boolean failuresExcused,
            Optional<Set<Integer>> losers,
            boolean isShared) {
        /** No bounds. */
        public static final HandoverLimits NONE =
                new HandoverLimits(Optional.empty(), Optional.empty(), true, Optional.empty(), false);

        /**
         * Returns these bounds with a limit on hand-overs.
         *
         * @param most the longest time from a release, or the end of a lease, to the next grant, if a waiter has asked by then
         */
        public HandoverLimits handOver(Duration most) {
            return new HandoverLimits(Optional.of(most), lossNotice, failuresExcused, losers, isShared);
        }

        /**
         * Returns these bounds with a limit on the notification of a loss.
         *
         * @param most the longest time from the loss of all locks on the server, or from the end of a lease, to the
         *     notification of a holder
         */
        public HandoverLimits lossNotice(Duration most) {
            return new HandoverLimits(handOver, Optional.of(most), failuresExcused, losers, isShared);
        }

        /** Returns these bounds without errors: each acquisition is granted, or contended at its deadline. */
        public HandoverLimits withoutFailures() {
            return new HandoverLimits(handOver, lossNotice, false, losers, isShared);
        }

        /**
         * Returns these bounds with the requirement that others lose no lock.
         *
         * @param processes the processes that may lose locks
         */
        public HandoverLimits lossesOnlyOf(Set<Integer> processes) {
            return new HandoverLimits(
                    handOver, lossNotice, failuresExcused, Optional.of(Set.copyOf(processes)), isShared);
        }

        /** Returns these bounds with the requirement that each client that asks for the lock is granted it. */
        public HandoverLimits shared() {
            return new HandoverLimits(handOver, lossNotice, failuresExcused, losers, true);
        }
    }

    /** Measures the time from a release to the next grant while clients wait. O(n log n). */
    static final class Handovers {
        /** With fewer hand-overs the median says nothing. */
        private static final int MIN_HAND_OVERS = 5;

        private final Set<Integer> waiting = new HashSet<>();
        private final List<Handover> all = new ArrayList<>();
        private long freeNanos = Long.MAX_VALUE;

        private Handovers(List<Event> events) {
            events.forEach(this::take);
        }

        /** A grant, with the time since the release before it. */
        private record Handover(int grant, long atNanos, long tookNanos) {}

        static List<Violation> check(History history) {
            List<Handover> sorted = new Handovers(history.events())
                    .all.stream()
                            .sorted(Comparator.comparingLong(Handover::tookNanos))
                            .toList();
            if (sorted.size() < MIN_HAND_OVERS
                    || sorted.get(sorted.size() / 2).tookNanos() <= history.handoverNanos()) {
                return List.of();
            }
            Handover longest = sorted.get(sorted.size() - 1);
            return List.of(new Violation(Finding.SLOW_HANDOVER, 0, longest.grant(), longest.atNanos()));
        }

        private void take(Event event) {
            if (event.op() == Op.ACQUIRE) {
                acquire(event);
            } else if (event.is(Op.RELEASE, Phase.OK)) {
                freeNanos = waiting.isEmpty() ? Long.MAX_VALUE : event.atNanos();
            }
        }

        private void acquire(Event event) {
            if (event.phase() == Phase.INVOKE) {
                waiting.add(event.grant());
            } else {
                waiting.remove(event.grant());
            }
            if (event.phase() == Phase.OK && freeNanos != Long.MAX_VALUE) {
                all.add(new Handover(event.grant(), event.atNanos(), event.atNanos() - freeNanos));
                freeNanos = Long.MAX_VALUE;
            }
        }
    }
}
