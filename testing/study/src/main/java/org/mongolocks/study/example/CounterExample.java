package org.mongolocks.study.example;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.study.check.Violation;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/**
 * The smallest part of a history that shows a violation: the two conflicting grants, releases by others between them,
 * and the faults of their processes and of the server in that time.
 *
 * @param violation the violation
 * @param events the events, in order
 * @param commands the commands that the clients sent for the grants of these events, in order; empty if they were not
 *     recorded
 */
public record CounterExample(Violation violation, List<Event> events, List<CommandRecord> commands) {
    /** Errors after which the server has certainly granted nothing. */
    private static final Set<String> CERTAIN = Set.of("REJECTED", "NOT_SENT", "DUPLICATE_KEY", "WRITE_CONFLICT");

    private static final Set<Op> FAULTS = Set.of(Op.CRASH, Op.PAUSE, Op.FAULT, Op.DISCARDED);

    /**
     * Extracts a counter-example from a history.
     *
     * @param history the history
     * @param violation the violation to show
     */
    public static CounterExample of(History history, Violation violation) {
        Set<Integer> grants = grantsIn(history, violation);
        List<Event> own = history.events().stream()
                .filter(event -> grants.contains(event.grant()) || isProbe(event, violation))
                .toList();
        List<Event> shown = Stream.concat(own.stream(), releasesBetween(history, grants, violation).stream())
                .sorted(Comparator.comparingLong(Event::seq))
                .toList();
        Set<Integer> processes = shown.stream().map(Event::process).collect(Collectors.toSet());
        List<Event> events = history.events().stream()
                .filter(event ->
                        shown.contains(event) || (isFaultOf(event, processes) && isMeanwhile(event, shown, violation)))
                .toList();
        return new CounterExample(violation, events, List.of());
    }

    /**
     * Adds the commands that belong to this counter-example.
     *
     * @param ofRun the commands of the whole run
     */
    public CounterExample with(List<CommandRecord> ofRun) {
        return new CounterExample(violation, events, CommandSelection.of(this, ofRun));
    }

    private static Set<Integer> grantsIn(History history, Violation violation) {
        Set<Integer> named = Stream.of(violation.first(), violation.second())
                .filter(grant -> grant > 0)
                .collect(Collectors.toSet());
        return named.isEmpty() ? leaked(history, violation.atNanos()) : named;
    }

    private static boolean isProbe(Event event, Violation violation) {
        return event.op() == Op.PROBE && violation.finding() == Finding.LEAK;
    }

    /**
     * Returns releases by others between the two grants, because one of them may have released the first grant's lock.
     */
    private static List<Event> releasesBetween(History history, Set<Integer> grants, Violation violation) {
        long granted = history.events().stream()
                .filter(event -> event.grant() == violation.first() && event.is(Op.ACQUIRE, Phase.OK))
                .mapToLong(Event::atNanos)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        Set<Integer> others = history.events().stream()
                .filter(event -> event.op() == Op.RELEASE && event.phase() != Phase.INVOKE)
                .filter(event -> event.atNanos() > granted)
                .filter(event -> event.atNanos() <= violation.atNanos() && !grants.contains(event.grant()))
                .map(Event::grant)
                .collect(Collectors.toSet());
        return history.events().stream()
                .filter(event -> others.contains(event.grant()))
                .filter(event -> event.op() == Op.RELEASE || event.is(Op.ACQUIRE, Phase.OK))
                .toList();
    }

    private static boolean isMeanwhile(Event event, List<Event> own, Violation violation) {
        long from = own.isEmpty() ? 0 : own.get(0).atNanos();
        long last = own.isEmpty() ? 0 : own.get(own.size() - 1).atNanos();
        return event.atNanos() >= from && event.atNanos() <= Math.max(last, violation.atNanos());
    }

    /**
     * Describes the counter-example, one line for each event.
     *
     * @return the text, with a mark at the event that shows the conflict
     */
    public String text() {
        return violation.finding() + "\n"
                + descriptions().stream().map(EventDescription::line).collect(Collectors.joining("\n"));
    }

    /**
     * Describes its events and commands.
     *
     * @return a line for each, in the order of time
     */
    public List<EventDescription> descriptions() {
        return EventDescription.all(events, commands).stream()
                .map(line -> line.isAt(violation.atNanos()) ? line.marked(" <==") : line)
                .toList();
    }

    private static boolean isFaultOf(Event event, Set<Integer> processes) {
        return FAULTS.contains(event.op())
                && (event.process() == 0 || processes.isEmpty() || processes.contains(event.process()));
    }

    /**
     * Selects the grant to show for a leak, which names none: the last one that was not released or, if all were
     * released, the first later acquisition with an indeterminate outcome.
     */
    static Set<Integer> leaked(History history, long untilNanos) {
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
