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
 * The questions that the holders of any library can be asked, also of one without tokens: whether they are told of a loss,
 * whether a release ends another's lock, and how long a lock that nobody holds is granted to nobody. For histories of one
 * lock. O(n²) in the grants.
 */
public final class HolderCheck {
    /** How long a lock may be free beyond a lease: the longest interval at which a library asks, and a busy machine. */
    private static final long ALLOWANCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final History history;
    private final Map<Integer, Hold> holds = new LinkedHashMap<>();
    private final Map<Integer, Ask> asks = new LinkedHashMap<>();
    private final Map<Integer, Long> resumed = new HashMap<>();
    private final Set<Integer> wrongClocks = new HashSet<>();
    private final List<Violation> found = new ArrayList<>();
    private final Map<Finding, Long> longest = new EnumMap<>(Finding.class);

    private HolderCheck(History history) {
        this.history = history;
        history.events().forEach(this::take);
    }

    /** A request, until it is answered. */
    private static final class Ask {
        private final long atNanos;
        private long untilNanos = Long.MAX_VALUE;

        Ask(long atNanos) {
            this.atNanos = atNanos;
        }
    }

    /** A grant. */
    private static final class Hold {
        private final Event ok;
        private final long askedNanos;
        /** When it was released, or its process was killed. */
        private long endNanos = Long.MAX_VALUE;
        /** When its holder learned that it was lost. */
        private long toldNanos = Long.MAX_VALUE;

        private boolean isKilled;

        Hold(Event ok, long askedNanos) {
            this.ok = ok;
            this.askedNanos = askedNanos;
        }

        long until() {
            return Math.min(endNanos, toldNanos);
        }
    }

    /** Returns the verdict on a history, with the answers. */
    public static Verdict check(History history, Claims claims) {
        HolderCheck check = new HolderCheck(history);
        List<Hold> byTime = check.holds.values().stream()
                .sorted(Comparator.comparingLong(hold -> hold.ok.atNanos()))
                .toList();
        check.losses(byTime);
        check.foreignReleases(byTime);
        check.leftFree(byTime);
        Verdict verdict = Checker.check(history, claims);
        List<Violation> all = new ArrayList<>(verdict.violations());
        all.addAll(check.found);
        return new Verdict(
                all,
                verdict.grants(),
                verdict.aborts(),
                verdict.recoveriesNanos(),
                verdict.longestHandoffNanos(),
                verdict.mostRenewalsTooMany(),
                check.longest);
    }

    private void take(Event event) {
        switch (event.op()) {
            case ACQUIRE -> acquire(event);
            case LOST -> told(event);
            case RELEASE -> release(event);
            case CRASH -> killed(event);
            case PAUSE -> resumed.put(event.process(), event.atNanos());
            case FAULT -> wrongClocks.add(event.process());
            default -> {}
        }
    }

    private void acquire(Event event) {
        if (event.phase() == Phase.INVOKE) {
            asks.put(event.grant(), new Ask(event.atNanos()));
            return;
        }
        Ask ask = asks.get(event.grant());
        if (ask != null) {
            ask.untilNanos = event.atNanos();
            if (event.phase() == Phase.OK) {
                holds.put(event.grant(), new Hold(event, ask.atNanos));
            }
        }
    }

    private void told(Event event) {
        Hold hold = holds.get(event.grant());
        if (hold != null) {
            hold.toldNanos = Math.min(hold.toldNanos, event.atNanos());
        }
    }

    /** A release that is refused, or ends with an error, tells its holder something. */
    private void release(Event event) {
        Hold hold = holds.get(event.grant());
        if (hold != null && event.phase() == Phase.INVOKE) {
            hold.endNanos = Math.min(hold.endNanos, event.atNanos());
        } else if (event.phase() != Phase.OK) {
            told(event);
        }
    }

    private void killed(Event event) {
        holds.values().stream()
                .filter(hold -> hold.ok.process() == event.process() && hold.endNanos == Long.MAX_VALUE)
                .forEach(hold -> {
                    hold.endNanos = event.atNanos();
                    hold.isKilled = true;
                });
    }

    /**
     * A lock is lost when another grant begins before its end. The replies may be in another order than the grants: a holder that
     * was told of its own loss meanwhile has taken nothing from this one.
     */
    private void losses(List<Hold> byTime) {
        for (Hold hold : byTime) {
            if (hold.isKilled || hold.endNanos == Long.MAX_VALUE) {
                continue;
            }
            byTime.stream()
                    .filter(next -> next.ok.atNanos() > hold.ok.atNanos() && next.ok.atNanos() < hold.until())
                    .filter(next -> next.toldNanos >= hold.endNanos)
                    .findFirst()
                    .ifPresent(next -> lost(hold, next));
        }
    }

    /** A paused process can be told when it resumes. */
    private void lost(Hold hold, Hold next) {
        long sinceNanos = Math.max(next.ok.atNanos(), resumed.getOrDefault(hold.ok.process(), 0L));
        long learnedNanos = hold.toldNanos == Long.MAX_VALUE ? hold.endNanos : hold.toldNanos;
        longest.merge(Finding.LOSS_NOT_TOLD, Math.max(0, learnedNanos - sinceNanos), Math::max);
        if (hold.toldNanos == Long.MAX_VALUE) {
            found.add(new Violation(Finding.LOSS_NOT_TOLD, hold.ok.grant(), next.ok.grant(), hold.endNanos));
        }
    }

    /**
     * A release ended another's lock if that one's lease was certainly live when a third was granted the lock, after the release
     * of a lost one. A client with a wrong clock may take or lose a live lock without a release.
     */
    private void foreignReleases(List<Hold> byTime) {
        for (int i = 1; i + 1 < byTime.size(); i++) {
            Hold holder = byTime.get(i);
            Hold next = byTime.get(i + 1);
            long leaseEnd = holder.askedNanos + history.ttlNanos();
            boolean isLive = next.ok.atNanos() < Math.min(holder.until(), leaseEnd);
            boolean isExact = !wrongClocks.contains(holder.ok.process()) && !wrongClocks.contains(next.ok.process());
            boolean isReleased = byTime.subList(0, i).stream()
                    .anyMatch(lost ->
                            !lost.isKilled && lost.endNanos > holder.ok.atNanos() && lost.endNanos < next.ok.atNanos());
            if (isLive && isExact && isReleased) {
                found.add(
                        new Violation(Finding.FOREIGN_RELEASE, holder.ok.grant(), next.ok.grant(), next.ok.atNanos()));
            }
        }
    }

    /** Measures the times in which a client asked for the lock, and nobody held it. */
    private void leftFree(List<Hold> byTime) {
        long freeNanos = 0;
        Hold last = null;
        for (Hold next : byTime) {
            free(Optional.ofNullable(last), freeNanos, next.ok.atNanos(), next.ok.grant());
            freeNanos = Math.max(freeNanos, next.until());
            last = next;
        }
        Optional<Hold> before = Optional.ofNullable(last);
        for (Event event : history.events()) {
            if (event.is(Op.PROBE, Phase.FAIL)) {
                free(before, freeNanos, event.atNanos(), 0);
            }
        }
    }

    private void free(Optional<Hold> before, long freeNanos, long untilNanos, int grant) {
        long sinceNanos = asks.values().stream()
                .filter(ask -> ask.untilNanos > freeNanos)
                .mapToLong(ask -> Math.max(ask.atNanos, freeNanos))
                .min()
                .orElse(untilNanos);
        if (before.isEmpty() || sinceNanos >= untilNanos) {
            return;
        }
        longest.merge(Finding.LEFT_FREE, untilNanos - sinceNanos, Math::max);
        if (untilNanos - sinceNanos > history.ttlNanos() + ALLOWANCE_NANOS) {
            found.add(new Violation(Finding.LEFT_FREE, before.get().ok.grant(), grant, untilNanos));
        }
    }
}
