package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
    /** How long a lock may be free beyond a lease: the longest interval at which a library asks, and a busy machine. */
    private static final long ALLOWANCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long NEVER = Long.MAX_VALUE;

    private final History history;
    private final Map<Integer, Attempt> attempts = new LinkedHashMap<>();
    private final Map<Integer, Long> resumed = new HashMap<>();
    private final Set<Integer> wrongClocks = new HashSet<>();
    private final List<Attempt> holds;
    private final List<Violation> found = new ArrayList<>();
    private final Map<Finding, Long> longest = new EnumMap<>(Finding.class);

    private HolderCheck(History history) {
        this.history = history;
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
            if (isGranted && endNanos == NEVER) {
                endNanos = atNanos;
                isKilled = true;
            }
        }
    }

    /** Returns the verdict on a history, with the answers. */
    public static Verdict check(History history, Claims claims) {
        HolderCheck check = new HolderCheck(history);
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
            case PAUSE -> resumed.put(event.process(), event.atNanos());
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

    /** A paused process can be told when it resumes. */
    private void lost(Attempt hold, Attempt next) {
        long sinceNanos = Math.max(next.answeredNanos, resumed.getOrDefault(hold.process, 0L));
        boolean isTold = hold.toldNanos != NEVER;
        long learnedNanos = isTold ? hold.toldNanos : hold.endNanos;
        longest.merge(Finding.LOSS_NOT_TOLD, Math.max(0, learnedNanos - sinceNanos), Math::max);
        if (!isTold) {
            found.add(new Violation(Finding.LOSS_NOT_TOLD, hold.grant, next.grant, hold.endNanos));
        }
    }

    /**
     * A release ended another's lock if that one's lease was certainly live when a third was granted the lock, after the release
     * of a lost one. A client with a wrong clock may take or lose a live lock without a release.
     */
    private void foreignReleases() {
        for (int i = 1; i + 1 < holds.size(); i++) {
            Attempt holder = holds.get(i);
            Attempt next = holds.get(i + 1);
            boolean isLive = next.answeredNanos < Math.min(holder.until(), holder.askedNanos + history.ttlNanos());
            boolean isExact = !wrongClocks.contains(holder.process) && !wrongClocks.contains(next.process);
            boolean isReleased = holds.subList(0, i).stream()
                    .anyMatch(lost -> !lost.isKilled
                            && lost.endNanos > holder.answeredNanos
                            && lost.endNanos < next.answeredNanos);
            if (isLive && isExact && isReleased) {
                found.add(new Violation(Finding.FOREIGN_RELEASE, holder.grant, next.grant, next.answeredNanos));
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

    private void free(int before, long freeNanos, long untilNanos, int grant) {
        long sinceNanos = attempts.values().stream()
                .filter(ask -> ask.answeredNanos > freeNanos)
                .mapToLong(ask -> Math.max(ask.askedNanos, freeNanos))
                .min()
                .orElse(untilNanos);
        if (before == 0 || sinceNanos >= untilNanos) {
            return;
        }
        longest.merge(Finding.LEFT_FREE, untilNanos - sinceNanos, Math::max);
        if (untilNanos - sinceNanos > history.ttlNanos() + ALLOWANCE_NANOS) {
            found.add(new Violation(Finding.LEFT_FREE, before, grant, untilNanos));
        }
    }
}
