package org.mongolocks.study.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.check.Grant.Interval;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/**
 * Checks what needs no token, for any library: whether a holder learns of a loss, whether a release ends the lock of another
 * holder, and for how long a lock that nobody holds is granted to nobody. A holder learns by an answer, by a listener, or by a
 * release that is refused or fails. For histories of one lock. O(n²) in the events.
 */
public final class HolderCheck {
    /** How long a lock may be free beyond a lease: the longest interval of polling, and a busy machine. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(5);

    private static final long NEVER = Long.MAX_VALUE;

    private final History history;
    private final long freeAtMostNanos;
    private final Map<Integer, Attempt> attempts = new LinkedHashMap<>();
    private final Pauses pauses = new Pauses();
    private final Set<Integer> wrongClocks = new HashSet<>();
    private final Set<Integer> killed = new HashSet<>();
    private final List<Attempt> holds;
    /** When the lock may have been held, because a command has no answer: it may be granted, or not released, for a lease. */
    private final List<Interval> possible;

    private final List<Violation> found = new ArrayList<>();
    private final Map<Finding, Long> longest = new EnumMap<>(Finding.class);

    private HolderCheck(History history, Duration electionTime) {
        this.history = history;
        this.freeAtMostNanos = history.ttlNanos() + ALLOWANCE.plus(electionTime).toNanos();
        history.events().forEach(this::take);
        this.holds = attempts.values().stream()
                .filter(one -> one.isGranted)
                .sorted(Comparator.comparingLong(one -> one.answeredNanos))
                .toList();
        this.possible = attempts.values().stream()
                .filter(one -> one.unansweredNanos > 0)
                .map(one -> new Interval(one.grant, one.askedNanos, one.unansweredNanos + history.ttlNanos()))
                .toList();
    }

    /** A request, and what becomes of it. */
    private static final class Attempt {
        private final int process;
        private final int grant;
        private final long askedNanos;
        private long answeredNanos = NEVER;
        private boolean isGranted;
        /** When it was released, or its process was killed. */
        private long endNanos = NEVER;
        /** When its holder learned that it was lost. */
        private long learnedNanos = NEVER;

        private boolean isKilled;
        /** When the last command ended without an answer; 0 if all have one. */
        private long unansweredNanos;

        Attempt(Event asked) {
            this.process = asked.process();
            this.grant = asked.grant();
            this.askedNanos = asked.atNanos();
        }

        long until() {
            return Math.min(endNanos, learnedNanos);
        }

        void take(Event event) {
            unansweredNanos = event.phase() == Phase.INFO ? event.atNanos() : unansweredNanos;
            if (event.op() == Op.ACQUIRE && event.phase() != Phase.INVOKE) {
                answeredNanos = event.atNanos();
                isGranted = event.phase() == Phase.OK;
            } else if (event.is(Op.RELEASE, Phase.INVOKE)) {
                endNanos = Math.min(endNanos, event.atNanos());
            } else if (event.op() == Op.LOST || (event.op() == Op.RELEASE && event.phase() != Phase.OK)) {
                learnedNanos = Math.min(learnedNanos, event.atNanos());
            }
        }

        void killed(long atNanos) {
            unansweredNanos = answeredNanos == NEVER ? atNanos : unansweredNanos;
            answeredNanos = Math.min(answeredNanos, atNanos);
            isKilled = isGranted && endNanos == NEVER;
            endNanos = Math.min(endNanos, atNanos);
        }
    }

    /**
     * Returns the verdict on a history, with the answers.
     *
     * @param electionTime for how long the server may have had no primary
     */
    public static Verdict check(History history, Claims claims, Duration electionTime) {
        HolderCheck check = new HolderCheck(history, electionTime);
        check.losses();
        check.foreignReleases();
        check.leftFree();
        return Checker.check(history, claims).with(check.found, check.longest);
    }

    private void take(Event event) {
        if (killed.contains(event.process())) {
            return;
        }
        switch (event.op()) {
            case CRASH -> {
                killed.add(event.process());
                attempts.values().stream()
                        .filter(one -> one.process == event.process())
                        .forEach(one -> one.killed(event.atNanos()));
            }
            case PAUSE -> pauses.take(event);
            case FAULT -> wrongClocks.add(event.process());
            default -> {
                if (event.is(Op.ACQUIRE, Phase.INVOKE)) {
                    attempts.put(event.grant(), new Attempt(event));
                }
                Optional.ofNullable(attempts.get(event.grant())).ifPresent(one -> one.take(event));
            }
        }
    }

    /** A lock is lost when another grant begins before its end. */
    private void losses() {
        for (Attempt hold : holds) {
            if (hold.isKilled || hold.endNanos == NEVER) {
                continue;
            }
            holds.stream()
                    .filter(next -> next.answeredNanos > hold.answeredNanos && next.answeredNanos < hold.until())
                    .filter(next -> !mayHaveLostTo(hold, next))
                    .findFirst()
                    .ifPresent(next -> lost(hold, next));
        }
    }

    /**
     * Replies may be in another order than the grants: a holder that learned of its own loss before a third had the lock may have
     * lost it to this one, and taken nothing from it.
     */
    private boolean mayHaveLostTo(Attempt hold, Attempt next) {
        long thirdNanos = holds.stream()
                .mapToLong(one -> one.answeredNanos)
                .filter(answered -> answered > next.answeredNanos)
                .findFirst()
                .orElse(NEVER);
        return next.learnedNanos < hold.endNanos
                || (next.askedNanos < hold.answeredNanos && next.learnedNanos < thirdNanos);
    }

    private void lost(Attempt hold, Attempt next) {
        if (hold.learnedNanos == NEVER) {
            found.add(new Violation(Finding.LOSS_NOT_TOLD, hold.grant, next.grant, hold.endNanos));
        } else {
            long nanos =
                    pauses
                            .without(hold.process, new Interval(hold.grant, next.answeredNanos, hold.learnedNanos))
                            .stream()
                            .mapToLong(one -> one.untilNanos() - one.fromNanos())
                            .sum();
            longest.merge(Finding.LOSS_NOT_TOLD, nanos, Math::max);
        }
    }

    /**
     * A release ended another's lock if that one's lease was certainly live when its holder learned of the loss, or a third was
     * granted the lock, after the release of a lost one. A client with a wrong clock may take or lose a live lock without a release.
     */
    private void foreignReleases() {
        for (int i = 1; i < holds.size(); i++) {
            Attempt holder = holds.get(i);
            Optional<Attempt> next = holds.stream().skip(i + 1L).findFirst();
            long seenNanos = Math.min(
                    holder.learnedNanos, next.map(one -> one.answeredNanos).orElse(NEVER));
            boolean isLive = seenNanos < Math.min(holder.endNanos, holder.askedNanos + history.ttlNanos());
            if (isLive && next.stream().allMatch(this::isExact) && isExact(holder)) {
                holds.subList(0, i).stream()
                        .filter(lost -> isExact(lost)
                                && !lost.isKilled
                                && lost.endNanos > holder.answeredNanos
                                && lost.endNanos < seenNanos)
                        .findFirst()
                        .ifPresent(lost ->
                                found.add(new Violation(Finding.FOREIGN_RELEASE, lost.grant, holder.grant, seenNanos)));
            }
        }
    }

    private boolean isExact(Attempt one) {
        return !wrongClocks.contains(one.process);
    }

    /** Measures the times in which a client asked for the lock, and nobody held it. */
    private void leftFree() {
        long freeNanos = 0;
        int before = 0;
        for (Attempt next : holds) {
            free(before, freeNanos, next.answeredNanos, next.grant);
            freeNanos = Math.max(freeNanos, next.until());
            before = next.grant;
        }
        for (Event event : history.events()) {
            if (event.is(Op.PROBE, Phase.FAIL)) {
                free(before, freeNanos, event.atNanos(), 0);
            }
        }
    }

    /** Takes the time in which at least one client asked for the lock, and none may have had it. */
    private void free(int before, long freeNanos, long untilNanos, int grant) {
        Stream<Interval> asked =
                attempts.values().stream().map(one -> new Interval(one.grant, one.askedNanos, one.answeredNanos));
        long waitedNanos = covered(Stream.concat(asked, possible.stream()), freeNanos, untilNanos)
                - covered(possible.stream(), freeNanos, untilNanos);
        if (before == 0 || waitedNanos == 0) {
            return;
        }
        longest.merge(Finding.LEFT_FREE, waitedNanos, Math::max);
        if (waitedNanos > freeAtMostNanos) {
            found.add(new Violation(Finding.LEFT_FREE, before, grant, untilNanos));
        }
    }

    /** Returns how much of a time is in at least one of some intervals. */
    private static long covered(Stream<Interval> some, long fromNanos, long untilNanos) {
        long covered = 0;
        long reached = fromNanos;
        for (Interval one :
                some.sorted(Comparator.comparingLong(Interval::fromNanos)).toList()) {
            long end = Math.min(one.untilNanos(), untilNanos);
            covered += Math.max(0, end - Math.max(one.fromNanos(), reached));
            reached = Math.max(reached, end);
        }
        return covered;
    }
}
