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
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/**
 * Checks what needs no token, for any library: whether a holder is told of a loss, whether a release ends the lock of another
 * holder, and for how long a lock that nobody holds is granted to nobody. A holder is told by an answer, by a listener, or by a
 * release that is refused or fails. For histories of one lock. O(n²) in the grants.
 */
public final class HolderCheck {
    /** How long a lock may be free beyond a lease: the longest interval of polling, and a busy machine. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(5);

    private static final long NEVER = Long.MAX_VALUE;

    private final History history;
    private final long freeAtMostNanos;
    private final Map<Integer, Attempt> attempts = new LinkedHashMap<>();
    private final Set<Integer> wrongClocks = new HashSet<>();
    private final List<Attempt> holds;
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
        private long toldNanos = NEVER;

        private boolean isKilled;

        Attempt(Event asked) {
            this.process = asked.process();
            this.grant = asked.grant();
            this.askedNanos = asked.atNanos();
        }

        long until() {
            return Math.min(endNanos, toldNanos);
        }

        void take(Event event) {
            if (event.op() == Op.ACQUIRE && event.phase() != Phase.INVOKE) {
                answeredNanos = event.atNanos();
                isGranted = event.phase() == Phase.OK;
            } else if (event.is(Op.RELEASE, Phase.INVOKE)) {
                endNanos = Math.min(endNanos, event.atNanos());
            } else if (event.op() == Op.LOST || (event.op() == Op.RELEASE && event.phase() != Phase.OK)) {
                toldNanos = Math.min(toldNanos, event.atNanos());
            }
        }

        void killed(long atNanos) {
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
        switch (event.op()) {
            case CRASH ->
                attempts.values().stream()
                        .filter(one -> one.process == event.process())
                        .forEach(one -> one.killed(event.atNanos()));
            case FAULT -> wrongClocks.add(event.process());
            default -> {
                if (event.is(Op.ACQUIRE, Phase.INVOKE)) {
                    attempts.put(event.grant(), new Attempt(event));
                }
                Optional.ofNullable(attempts.get(event.grant())).ifPresent(one -> one.take(event));
            }
        }
    }

    /**
     * A lock is lost when another grant begins before its end. The replies may be in another order than the grants: a holder that
     * was told of its own loss meanwhile has taken nothing from this one.
     */
    private void losses() {
        for (Attempt hold : holds) {
            if (hold.isKilled || hold.endNanos == NEVER) {
                continue;
            }
            holds.stream()
                    .filter(next -> next.answeredNanos > hold.answeredNanos && next.answeredNanos < hold.until())
                    .filter(next -> next.toldNanos >= hold.endNanos)
                    .findFirst()
                    .ifPresent(next -> lost(hold, next));
        }
    }

    private void lost(Attempt hold, Attempt next) {
        boolean isTold = hold.toldNanos != NEVER;
        long learnedNanos = isTold ? hold.toldNanos : hold.endNanos;
        longest.merge(Finding.LOSS_NOT_TOLD, runningNanos(hold.process, next.answeredNanos, learnedNanos), Math::max);
        if (!isTold) {
            found.add(new Violation(Finding.LOSS_NOT_TOLD, hold.grant, next.grant, hold.endNanos));
        }
    }

    /** Returns a time of a process without its pauses, in which it could learn nothing. */
    private long runningNanos(int process, long fromNanos, long untilNanos) {
        long running = untilNanos - fromNanos;
        long pausedNanos = NEVER;
        for (Event event : history.events()) {
            if (event.op() == Op.PAUSE && event.process() == process) {
                long resumedNanos = event.atNanos();
                running -= Math.max(0, Math.min(untilNanos, resumedNanos) - Math.max(fromNanos, pausedNanos));
                pausedNanos = event.phase() == Phase.INVOKE ? event.atNanos() : NEVER;
            }
        }
        return running;
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
                    holder.toldNanos, next.map(one -> one.answeredNanos).orElse(NEVER));
            boolean isLive = seenNanos < Math.min(holder.endNanos, holder.askedNanos + history.ttlNanos());
            boolean isExact =
                    Stream.concat(Stream.of(holder), next.stream()).noneMatch(one -> wrongClocks.contains(one.process));
            boolean isReleased = holds.subList(0, i).stream()
                    .anyMatch(lost ->
                            !lost.isKilled && lost.endNanos > holder.answeredNanos && lost.endNanos < seenNanos);
            if (isLive && isExact && isReleased) {
                int taker = next.map(one -> one.grant).orElse(0);
                found.add(new Violation(Finding.FOREIGN_RELEASE, holder.grant, taker, seenNanos));
            }
        }
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

    /** Takes the time in which at least one client asked for the lock. */
    private void free(int before, long freeNanos, long untilNanos, int grant) {
        long waitedNanos = 0;
        long sinceNanos = freeNanos;
        for (Attempt ask : attempts.values()) {
            long endNanos = Math.min(ask.answeredNanos, untilNanos);
            waitedNanos += Math.max(0, endNanos - Math.max(ask.askedNanos, sinceNanos));
            sinceNanos = Math.max(sinceNanos, endNanos);
        }
        if (before == 0 || waitedNanos == 0) {
            return;
        }
        longest.merge(Finding.LEFT_FREE, waitedNanos, Math::max);
        if (waitedNanos > freeAtMostNanos) {
            found.add(new Violation(Finding.LEFT_FREE, before, grant, untilNanos));
        }
    }
}
