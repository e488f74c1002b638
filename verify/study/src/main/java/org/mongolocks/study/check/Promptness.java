package org.mongolocks.study.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

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

    static List<Violation> check(List<Event> events, List<Grant> grants, HandoverLimits bounds) {
        List<Violation> found = new ArrayList<>();
        bounds.handOver().ifPresent(most -> found.addAll(lateHandOvers(events, most)));
        bounds.lossNotice().ifPresent(most -> found.addAll(lateNotices(events, grants, most)));
        if (!bounds.failuresExcused()) {
            found.addAll(failures(events));
        }
        if (bounds.clientsRefused()) {
            events.stream()
                    .filter(event -> event.is(Op.ACQUIRE, Phase.INVOKE))
                    .findFirst()
                    .map(event -> new Violation(Finding.NOT_REFUSED, 0, event.grant(), event.atNanos()))
                    .ifPresent(found::add);
        }
        return found;
    }

    /** A lease that ends by itself is not a hand-over. */
    private static List<Violation> lateHandOvers(List<Event> events, Duration most) {
        List<Violation> found = new ArrayList<>();
        Map<Integer, Long> asked = new HashMap<>();
        Map<Integer, Long> released = new HashMap<>();
        Event last = null;
        for (Event event : events) {
            if (event.is(Op.ACQUIRE, Phase.INVOKE)) {
                asked.put(event.grant(), event.atNanos());
            } else if (event.is(Op.RELEASE, Phase.INVOKE)) {
                released.putIfAbsent(event.grant(), event.atNanos());
            } else if (event.is(Op.ACQUIRE, Phase.OK)) {
                long waited = event.atNanos() - freeSince(last, released, asked.getOrDefault(event.grant(), 0L));
                if (last != null && waited > most.toNanos()) {
                    found.add(new Violation(Finding.HAND_OVER_LATE, last.grant(), event.grant(), event.atNanos()));
                }
                last = event;
            }
        }
        return found;
    }

    /**
     * Returns the time since when a waiter could have had the lock; {@link Long#MAX_VALUE} if its holder did not
     * release it.
     */
    private static long freeSince(@Nullable Event last, Map<Integer, Long> released, long askedNanos) {
        long free = last == null ? 0 : released.getOrDefault(last.grant(), Long.MAX_VALUE);
        return Math.max(free, askedNanos);
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
}
