package org.mongolocks.study.history;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Is what an observer saw of one run, in order.
 *
 * @param ttlNanos the length of every lease
 * @param events the events
 */
public record History(long ttlNanos, List<Event> events) {
    /**
     * Copies the events.
     *
     * @param ttlNanos the length of every lease
     * @param events the events
     */
    public History {
        events = List.copyOf(events);
    }

    /**
     * Gives the history as lines of JSON; two runs that went alike have the same bytes.
     *
     * @return the lines
     */
    public String text() {
        return events.stream().map(Event::line).collect(Collectors.joining("\n"));
    }
}
