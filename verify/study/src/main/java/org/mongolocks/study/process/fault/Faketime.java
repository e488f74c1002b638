package org.mongolocks.study.process.fault;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Gives a process a wrong wall clock, with the library of the program {@code faketime}. The monotonic clock stays
 * correct.
 *
 * @param library the path of the library
 */
public record Faketime(Path library) {
    private static final String NAME = "faketime/libfaketimeMT.so.1";
    private static final List<Path> PLACES =
            List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"));

    /** Looks in the usual directories; Debian has them one level deeper, by architecture. */
    public static Optional<Faketime> find() {
        return PLACES.stream()
                .flatMap(place -> Stream.concat(Stream.of(place), children(place)))
                .map(place -> place.resolve(NAME))
                .filter(Files::isReadable)
                .findFirst()
                .map(Faketime::new);
    }

    /**
     * Returns the environment variables for a process. The last one matters to a JVM: with faketime's fix for condition
     * variables every timed wait ends at once and threads spin; without the fix, and with a clock that runs fast, a
     * wait never ends. Ending early is the better choice, because a wait may always end early.
     */
    public Map<String, String> environment(ClockSkew clock) {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME",
                clock.setting(),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                clock.rate() == 1 ? "0" : "1");
    }

    private static Stream<Path> children(Path place) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(place, Files::isDirectory)) {
            return StreamSupport.stream(found.spliterator(), false).sorted().toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}
