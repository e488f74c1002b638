package org.mongolocks.study.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.check.Grant.Interval;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * Checks that no two candidates believed to lead at a time: each from its election to its revocation, as far as it held
 * the lock by its own clock and could act. O(n log n).
 */
final class LeadershipCheck {
    private LeadershipCheck() {}

    static List<Violation> check(List<Event> events, List<Grant> grants) {
        Map<Integer, Long> elected = times(events, Phase.INVOKE);
        Map<Integer, Long> revoked = times(events, Phase.OK);
        return MutualExclusionCheck.find(
                Finding.LED_TWICE,
                grants.stream()
                        .filter(grant -> elected.containsKey(grant.id()))
                        .flatMap(grant -> grant.believed().stream())
                        .map(held -> new Interval(
                                held.grant(),
                                Math.max(held.fromNanos(), elected.getOrDefault(held.grant(), 0L)),
                                Math.min(held.untilNanos(), revoked.getOrDefault(held.grant(), Long.MAX_VALUE))))
                        .filter(led -> led.fromNanos() < led.untilNanos())
                        .toList());
    }

    private static Map<Integer, Long> times(List<Event> events, Phase phase) {
        Map<Integer, Long> times = new HashMap<>();
        events.stream()
                .filter(event -> event.is(Op.LEAD, phase))
                .forEach(event -> times.putIfAbsent(event.grant(), event.atNanos()));
        return times;
    }
}
