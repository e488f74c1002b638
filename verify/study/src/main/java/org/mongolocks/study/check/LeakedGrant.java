package org.mongolocks.study.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/**
 * Selects the grant to show for a leak, which names none: the last one that was not released or, if all were released,
 * the first later acquisition with an indeterminate outcome.
 */
final class LeakedGrant {
    /** Errors after which the server has certainly granted nothing. */
    private static final Set<String> CERTAIN = Set.of("REJECTED", "NOT_SENT", "DUPLICATE_KEY", "WRITE_CONFLICT");

    private LeakedGrant() {}

    static Set<Integer> in(History history, long untilNanos) {
        List<Event> before = history.events().stream()
                .filter(event -> event.atNanos() < untilNanos)
                .toList();
        Optional<Event> last =
                before.stream().filter(event -> event.is(Op.ACQUIRE, Phase.OK)).reduce((earlier, later) -> later);
        long freeFrom = last.map(grant -> freedAt(before, grant.grant())).orElse(0L);
        return before.stream()
                .filter(event -> event.atNanos() >= freeFrom && isOpen(event))
                .findFirst()
                .or(() -> last)
                .map(event -> Set.of(event.grant()))
                .orElse(Set.of());
    }

    private static long freedAt(List<Event> events, int grant) {
        return events.stream()
                .filter(event -> event.grant() == grant && event.is(Op.RELEASE, Phase.OK))
                .mapToLong(Event::atNanos)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    private static boolean isOpen(Event event) {
        return event.is(Op.ACQUIRE, Phase.INFO) && !CERTAIN.contains(event.note());
    }
}
