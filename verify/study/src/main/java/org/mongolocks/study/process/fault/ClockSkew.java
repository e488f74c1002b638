package org.mongolocks.study.process.fault;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.study.process.message.ChildMessage.Clocks;

/**
 * A wrong wall clock, in a process with a correct monotonic clock.
 *
 * @param setting the setting of {@code faketime}
 * @param ahead how far it is ahead at the beginning
 * @param rate its rate relative to time
 */
public record ClockSkew(String setting, Duration ahead, double rate) {
    private static final Duration TOLERANCE = Duration.ofSeconds(60);
    private static final double RATE_TOLERANCE = 0.2;
    private static final double NANOS_PER_MILLI = 1e6;

    public static ClockSkew ahead(int minutes) {
        return new ClockSkew("+" + minutes + "m", Duration.ofMinutes(minutes), 1);
    }

    public static ClockSkew behind(int minutes) {
        return new ClockSkew("-" + minutes + "m", Duration.ofMinutes(-minutes), 1);
    }

    public static ClockSkew fast(int times) {
        return new ClockSkew("+0 x" + times, Duration.ZERO, times);
    }

    /** Returns what is wrong at the start of a process that should have this clock, if anything. */
    public Optional<String> complaint(Clocks theirs, Clocks ours) {
        Duration found = Duration.ofMillis(theirs.wallMillis() - ours.wallMillis());
        return found.minus(ahead).abs().compareTo(TOLERANCE) > 0
                ? Optional.of("its clock should be ahead by " + ahead + ", and is by " + found)
                : Optional.empty();
    }

    /** Returns what is wrong with the whole run of a process that should have this clock, if anything. */
    public Optional<String> complaintAtEnd(Clocks first, Clocks last) {
        double found = (last.wallMillis() - first.wallMillis()) * NANOS_PER_MILLI / (last.nanos() - first.nanos());
        return Math.abs(found - rate) > RATE_TOLERANCE * rate
                ? Optional.of("its clock should go " + rate + " times as fast as time, and goes " + found)
                : Optional.empty();
    }
}
