package org.mongolocks.study.report;

import java.util.List;
import org.mongolocks.study.history.Event;

/**
 * Puts times and processes on a picture.
 *
 * @param fromNanos the time at its left
 * @param untilNanos the time at its right
 * @param processes whose lanes there are, from above
 */
record Axis(long fromNanos, long untilNanos, List<Integer> processes) {
    static final int WIDTH = 760;
    static final int LEFT = 74;
    static final int RIGHT = 16;
    static final int TOP = 22;
    static final int LANE = 64;

    static Axis of(List<Event> events, long violationNanos) {
        long first = events.stream().mapToLong(Event::atNanos).min().orElse(0);
        long last = events.stream().mapToLong(Event::atNanos).max().orElse(first);
        long end = Math.max(last, violationNanos);
        long room = Math.max(1_000_000, (end - first) / 20);
        List<Integer> lanes =
                events.stream().map(Event::process).distinct().sorted().toList();
        return new Axis(first - room, end + room, lanes);
    }

    double x(long nanos) {
        double part = (nanos - fromNanos) / (double) (untilNanos - fromNanos);
        return LEFT + Math.min(1, Math.max(0, part)) * (WIDTH - LEFT - RIGHT);
    }

    int y(int process) {
        return TOP + processes.indexOf(process) * LANE + LANE / 2;
    }

    int bottom() {
        return TOP + processes.size() * LANE;
    }
}
