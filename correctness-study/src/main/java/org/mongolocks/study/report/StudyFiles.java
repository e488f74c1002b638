package org.mongolocks.study.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.simulation.Scenario;

/**
 * Writes the study into a directory: {@code study.json} for programs and {@code study.html} for people.
 *
 * @param directory where; it is made if it is not there
 * @param venue where the runs take place
 */
public record StudyFiles(Path directory, Venue venue) {
    /**
     * Writes what the simulation shows.
     *
     * @param directory where; it is made if it is not there
     */
    public StudyFiles(Path directory) {
        this(directory, Venue.simulation());
    }

    /**
     * Makes the directory, so that it is known before a long run whether the files can be written.
     *
     * @throws IllegalArgumentException if it cannot be made
     */
    public void prepare() {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new IllegalArgumentException("--out takes a directory, but '" + directory + "' cannot be made", e);
        }
        if (!Files.isWritable(directory)) {
            throw new IllegalArgumentException("--out takes a directory, but '" + directory + "' cannot be written");
        }
    }

    /**
     * Writes both files.
     *
     * @param matrix what was found
     * @param scenarios the rows, for what goes wrong in each
     * @param startedAt when the run began
     * @param duration how long it took
     */
    public void write(Matrix matrix, List<Scenario> scenarios, Instant startedAt, Duration duration) {
        write(
                matrix,
                scenarios.stream().collect(Collectors.toMap(Scenario::name, Scenario::about)),
                startedAt,
                duration);
    }

    /**
     * Writes both files.
     *
     * @param matrix what was found
     * @param abouts what goes wrong in each row, by its name
     * @param startedAt when the run began
     * @param duration how long it took
     */
    public void write(Matrix matrix, Map<String, String> abouts, Instant startedAt, Duration duration) {
        write("study.json", new StudyJson(venue).of(matrix, startedAt, duration));
        write("study.html", new StudyPage(matrix, abouts, venue).html());
    }

    private void write(String name, String content) {
        try {
            Files.writeString(directory.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
