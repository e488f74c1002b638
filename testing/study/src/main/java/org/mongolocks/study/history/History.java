package org.mongolocks.study.history;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The events of one run, in order, as an observer saw them.
 *
 * @param ttlNanos the length of every lease
 * @param handoverNanos the bound on the median time from a release to the next grant while clients wait
 * @param events the events
 */
public record History(long ttlNanos, long handoverNanos, List<Event> events) {
    /** Copies the events. */
    public History {
        events = List.copyOf(events);
    }

    /** Creates a history without a bound on hand-overs. */
    public History(long ttlNanos, List<Event> events) {
        this(ttlNanos, Long.MAX_VALUE, events);
    }

    /** Returns this history with a bound on hand-overs. */
    public History withHandover(long medianNanos) {
        return new History(ttlNanos, medianNanos, events);
    }

    /** Returns the history as lines of JSON; equal runs have the same bytes. */
    public String text() {
        return events.stream().map(Event::line).collect(Collectors.joining("\n"));
    }
}
