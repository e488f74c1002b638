package org.mongolocks.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.reporting.server.UnusableInputException;

/**
 * The results of a run as read from JSON, to be compared with those of another.
 *
 * @param measurements its figures
 * @param noisy the ids of the benchmarks in which a baseline drifted too far
 * @param place the server, the versions and the kind of machine; a missing value equals zero
 */
public record PreviousRun(String startedAt, List<Measurement> measurements, List<String> noisy, List<String> place) {
    private static final List<String> PLACE = List.of(
            "/server/kind",
            "/server/version",
            "/server/topology",
            "/server/majorityLagMillis",
            "/machine/cpus",
            "/machine/os",
            "/machine/jvm");
    /** The formats whose measurements are the same. */
    private static final List<Integer> FORMATS = List.of(2, 3, ResultsJson.FORMAT);

    public PreviousRun {
        measurements = List.copyOf(measurements);
        noisy = List.copyOf(noisy);
        place = List.copyOf(place);
    }

    /**
     * Reads a file.
     *
     * @throws UnusableInputException if it is not the {@code results.json} of a run in this format or one of the two
     *     before
     */
    public static PreviousRun read(Path file) {
        try {
            String json = Files.readString(file);
            Optional<String> fault = fault(json);
            if (fault.isPresent()) {
                throw unusable(file, fault.get(), null);
            }
            return parse(json);
        } catch (NoSuchFileException e) {
            throw unusable(file, "there is no such file", e);
        } catch (JsonProcessingException e) {
            throw unusable(file, "it is no JSON document", e);
        } catch (IOException e) {
            throw unusable(file, "it cannot be read as text", e);
        }
    }

    private static Optional<String> fault(String json) throws JsonProcessingException {
        JsonNode run = ResultsJson.MAPPER.readTree(json);
        JsonNode format = run.path("format");
        if (!run.isObject()) {
            return Optional.of("it is no JSON document");
        }
        if (!format.isInt() || !FORMATS.contains(format.intValue())) {
            return Optional.of("it has " + (format.isMissingNode() ? "no format" : "format " + format.asText())
                    + ", and this program reads formats 2 to " + ResultsJson.FORMAT);
        }
        return isReadable(json) ? Optional.empty() : Optional.of("it has no list of measurements");
    }

    private static boolean isReadable(String json) {
        try {
            return !parse(json).place().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Returns the results of a run in the format of {@code results.json}.
     *
     * @throws IllegalArgumentException if it has no list of measurements
     */
    static PreviousRun parse(String json) {
        try {
            JsonNode run = ResultsJson.MAPPER.readTree(json);
            if (!run.path("measurements").isArray()) {
                throw new IllegalArgumentException("The results must have a list of measurements");
            }
            List<String> noisy = new ArrayList<>();
            run.path("noise").forEach(drift -> noisy.add(drift.path("benchmark").asText()));
            return new PreviousRun(
                    run.path("startedAt").asText(),
                    ResultsJson.MAPPER.convertValue(
                            run.path("measurements"), new TypeReference<List<Measurement>>() {}),
                    noisy,
                    PLACE.stream().map(path -> run.at(path).asText("0")).toList());
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static UnusableInputException unusable(Path file, String reason, @Nullable Throwable cause) {
        return new UnusableInputException(
                "--baseline " + file + " is no results.json to compare with: " + reason, cause);
    }
}
