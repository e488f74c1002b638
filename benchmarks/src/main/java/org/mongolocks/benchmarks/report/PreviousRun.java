package org.mongolocks.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.reporting.server.UnusableInputException;

/**
 * The results of a run as read from JSON, to be compared with those of another.
 *
 * @param measurements its figures
 * @param noisy the ids of the benchmarks in which a baseline drifted too far
 * @param environment the server, the versions and the kind of machine; a missing value equals zero
 */
public record PreviousRun(
        String startedAt, List<Measurement> measurements, List<String> noisy, List<String> environment) {
    private static final List<String> ENVIRONMENT = List.of(
            "/server/kind",
            "/server/version",
            "/server/topology",
            "/server/majorityLagMillis",
            "/machine/cpus",
            "/machine/os",
            "/machine/jvm");
    private static final String NO_JSON = "it is no JSON document";
    /** The formats whose measurements are the same. */
    private static final List<Integer> FORMATS = List.of(2, 3, ResultsJson.FORMAT);

    public PreviousRun {
        measurements = List.copyOf(measurements);
        noisy = List.copyOf(noisy);
        environment = List.copyOf(environment);
    }

    /**
     * Reads a file.
     *
     * @throws UnusableInputException if it is not the {@code results.json} of a run in this format or one of the two
     *     before
     */
    public static PreviousRun read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw unusable(file, "there is no such file", e);
        } catch (IOException e) {
            throw unusable(file, "it cannot be read as text", e);
        } catch (IllegalArgumentException e) {
            throw unusable(file, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Returns the results of a run in the format of {@code results.json}.
     *
     * @throws IllegalArgumentException if they are in no such format; the message says why
     */
    static PreviousRun parse(String json) {
        JsonNode run = document(json);
        JsonNode format = run.path("format");
        if (!format.isInt() || !FORMATS.contains(format.intValue())) {
            throw new IllegalArgumentException(
                    "it has " + (format.isMissingNode() ? "no format" : "format " + format.asText())
                            + ", and this program reads formats 2 to " + ResultsJson.FORMAT);
        }
        if (!run.path("measurements").isArray()) {
            throw new IllegalArgumentException("it has no list of measurements");
        }
        List<String> noisy = new ArrayList<>();
        run.path("noise").forEach(drift -> noisy.add(drift.path("benchmark").asText()));
        return new PreviousRun(
                run.path("startedAt").asText(),
                measurements(run.path("measurements")),
                noisy,
                ENVIRONMENT.stream().map(path -> run.at(path).asText("0")).toList());
    }

    private static JsonNode document(String json) {
        try {
            JsonNode run = ResultsJson.MAPPER.readTree(json);
            if (run.isObject()) {
                return run;
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(NO_JSON, e);
        }
        throw new IllegalArgumentException(NO_JSON);
    }

    private static List<Measurement> measurements(JsonNode list) {
        try {
            List<Measurement> all = new ArrayList<>();
            list.forEach(one -> all.add(Objects.requireNonNull(
                    ResultsJson.MAPPER.convertValue(one, Measurement.class), "A measurement is null")));
            return all;
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IllegalArgumentException("its measurements cannot be read", e);
        }
    }

    private static UnusableInputException unusable(Path file, String reason, @Nullable Throwable cause) {
        return new UnusableInputException(
                "--baseline " + file + " is no results.json to compare with: " + reason, cause);
    }
}
