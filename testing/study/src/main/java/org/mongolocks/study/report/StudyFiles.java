package org.mongolocks.study.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.study.matrix.Matrix;

/**
 * Writes the study into a directory: {@code study.json} for programs and {@code study.html} for readers.
 *
 * @param directory the directory; it is created if it does not exist
 * @param venue where the runs take place
 */
public record StudyFiles(Path directory, StudyEnvironment venue) {
    private static final String JSON = "study.json";
    private static final String PAGE = "study.html";

    /**
     * Creates a writer for the results of the simulation.
     *
     * @param directory the directory; it is created if it does not exist
     */
    public StudyFiles(Path directory) {
        this(directory, StudyEnvironment.simulation());
    }

    /**
     * Creates the directory, so that an error shows before a long run.
     *
     * @throws IllegalArgumentException if it cannot be created
     */
    public void prepare() {
        prepare(List.of(JSON, PAGE));
    }

    /**
     * Creates the directory for other files.
     *
     * @throws IllegalArgumentException if it cannot be created, or has a directory of such a name
     */
    public void prepare(List<String> names) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--out must be a directory, but '" + directory + "' cannot be created", e);
        }
        if (!Files.isWritable(directory)) {
            throw new IllegalArgumentException("--out must be a directory, but '" + directory + "' cannot be written");
        }
        for (String name : names) {
            if (Files.isDirectory(directory.resolve(name))) {
                throw new IllegalArgumentException(
                        "--out needs a place for a file, but '" + directory.resolve(name) + "' is a directory");
            }
        }
    }

    /**
     * Writes both files, each completely or not at all.
     *
     * @param libraries the promises of libraries, if some were run
     * @param missing how many cells have not been run
     * @param abouts the fault of each row, by its name
     * @param startedAt when the run began
     * @throws UncheckedIOException if a file cannot be written; an existing file stays unchanged
     */
    public void write(
            Matrix matrix,
            Optional<LibraryTable> libraries,
            int missing,
            Map<String, String> abouts,
            Instant startedAt) {
        Duration duration = Duration.between(startedAt, Instant.now());
        write(JSON, new StudyJson(venue).of(matrix, libraries, missing, startedAt, duration));
        write(PAGE, new StudyPage(matrix, libraries, missing, abouts, venue, searched()).html());
    }

    /** Returns how many states of each technique an earlier search with the same directory has visited. */
    private Map<String, Integer> searched() {
        Path file = directory.resolve(SearchJson.FILE);
        try {
            return Files.exists(file) ? SearchJson.statesOf(Files.readString(file)) : Map.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a line that says where both files are. */
    public String written() {
        return written(JSON, PAGE);
    }

    /** Returns a line that says where some files are. */
    public String written(String... names) {
        return "Written: "
                + Stream.of(names)
                        .map(name -> directory.resolve(name).toString())
                        .collect(Collectors.joining(" and "));
    }

    /**
     * Writes one file, completely or not at all.
     *
     * @param name the name of the file in the directory
     * @param content its text
     * @throws UncheckedIOException if it cannot be written; an existing file stays unchanged
     */
    public void write(String name, String content) {
        try {
            Path unfinished = directory.resolve(name + ".unfinished");
            try {
                Files.writeString(unfinished, content);
                Files.move(unfinished, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The place where the runs of a study took place.
     *
     * @param server the server on which real processes ran; empty for the simulation
     * @param program the command that runs all cells
     */
    public record StudyEnvironment(Optional<String> server, String program) {
        /** Returns the simulation. */
        public static StudyEnvironment simulation() {
            return new StudyEnvironment(Optional.empty(), "./study");
        }

        /** Returns a server with real processes, of libraries or of techniques. */
        public static StudyEnvironment realProcesses(String server, boolean isOfLibraries) {
            return new StudyEnvironment(
                    Optional.of(server), isOfLibraries ? "./study --libraries" : "./study --uri URI");
        }

        /** Returns the venue as a part of a sentence. */
        public String phrase() {
            return server.map(name -> "with real processes on " + name)
                    .orElse("in a deterministic simulation with the engine of a MongoDB server");
        }

        /** Returns what the events of the runs are. */
        public String events() {
            return server.isPresent() ? "events" : "simulated events";
        }

        /** Returns the kind of the times, as the suffix of a field's name. */
        String nanos() {
            return server.isPresent() ? "Nanos" : "VirtualNanos";
        }

        /** Returns the command that repeats a run; only in the simulation the seed determines the whole run. */
        public String command(String scenario, String technique, long seed) {
            return program + " --scenario " + scenario + " --technique " + technique
                    + (server.isPresent() ? "" : " --seed " + seed);
        }
    }
}
