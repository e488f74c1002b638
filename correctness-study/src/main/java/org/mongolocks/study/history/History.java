package org.mongolocks.study.history;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Is what an observer saw of one run, in order.
 *
 * @param ttlNanos the length of every lease
 * @param handoverNanos how long it may take at the median, while others wait, from a release to the next grant
 * @param events the events
 */
public record History(long ttlNanos, long handoverNanos, List<Event> events) {
    /**
     * Copies the events.
     *
     * @param ttlNanos the length of every lease
     * @param handoverNanos how long a hand-over may take at the median
     * @param events the events
     */
    public History {
        events = List.copyOf(events);
    }

    /**
     * Is one in which a hand-over may take as long as it likes.
     *
     * @param ttlNanos the length of every lease
     * @param events the events
     */
    public History(long ttlNanos, List<Event> events) {
        this(ttlNanos, Long.MAX_VALUE, events);
    }

    /**
     * Bounds the hand-overs.
     *
     * @param medianNanos how long one may take at the median
     * @return the same history with that bound
     */
    public History withHandover(long medianNanos) {
        return new History(ttlNanos, medianNanos, events);
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
