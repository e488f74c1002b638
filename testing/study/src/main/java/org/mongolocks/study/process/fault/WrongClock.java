package org.mongolocks.study.process.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.study.process.message.ChildMessage.Clocks;

/**
 * A wrong wall clock of a process, whose monotonic clock stays correct; set by the library of the program {@code
 * faketime}.
 *
 * @param setting the setting of {@code faketime}
 * @param ahead how far it is ahead at the beginning
 * @param rate its rate relative to time
 */
public record WrongClock(String setting, Duration ahead, double rate) {
    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";
    private static final Duration TOLERANCE = Duration.ofSeconds(60);
    private static final double RATE_TOLERANCE = 0.2;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Returns a clock that is ahead, or behind if the number is negative. */
    public static WrongClock ahead(Duration ahead) {
        return new WrongClock((ahead.isNegative() ? "" : "+") + ahead.toSeconds() + "s", ahead, 1);
    }

    public static WrongClock fast(int times) {
        return new WrongClock("+0 x" + times, Duration.ZERO, times);
    }

    /** Looks for the library in the usual directories; Debian has them one level deeper, by architecture. */
    public static Optional<Path> library() {
        return Stream.of("/usr/lib", "/usr/lib64", "/usr/local/lib")
                .map(Path::of)
                .flatMap(place -> Stream.concat(Stream.of(place), directories(place)))
                .map(place -> place.resolve(LIBRARY))
                .filter(Files::isReadable)
                .findFirst();
    }

    private static Stream<Path> directories(Path place) {
        try (Stream<Path> all = Files.list(place)) {
            return all.filter(Files::isDirectory).sorted().toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    /**
     * Returns the environment variables for a process. The last one matters to a JVM: with faketime's fix for condition
     * variables every timed wait ends at once and threads spin; without the fix, and with a clock that runs fast, a
     * wait never ends. Ending early is the better choice, because a wait may always end early.
     */
    public Map<String, String> environment(Path library) {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME",
                setting,
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                rate == 1 ? "0" : "1");
    }

    /** Returns what is wrong at the start of a process that should have this clock, if anything. */
    public Optional<String> complaint(Clocks theirs, Clocks ours) {
        // They were read at different times, which the monotonic clock knows.
        Duration found =
                Duration.ofMillis(theirs.wallMillis() - ours.wallMillis()).minusNanos(theirs.nanos() - ours.nanos());
        Duration half = ahead.abs().dividedBy(2);
        Duration tolerance = half.isZero() || half.compareTo(TOLERANCE) > 0 ? TOLERANCE : half;
        return found.minus(ahead).abs().compareTo(tolerance) > 0
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
