package org.mongolocks.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.bson.BSONException;
import org.bson.Document;
import org.bson.json.JsonParseException;
import org.jspecify.annotations.Nullable;
import org.mongolocks.benchmarks.server.UnusableInputException;

/**
 * An earlier run to compare with.
 *
 * @param results its {@code results.json}
 */
public record PreviousRun(Document results) {
    private static final List<String> PLACE = List.of("server", "machine");
    private static final List<String> FIXED =
            List.of("kind", "version", "topology", "majorityLagMillis", "cpus", "os", "jvm");

    /** The earlier format whose measurements are the same. */
    private static final int EARLIER = 2;

    /**
     * Reads a file.
     *
     * @throws UnusableInputException if it is not the {@code results.json} of a run in this format or the one before
     */
    public static PreviousRun read(Path file) {
        try {
            Document results = Document.parse(Files.readString(file));
            requireFormat(file, results);
            return new PreviousRun(results);
        } catch (NoSuchFileException e) {
            throw unusable(file, "there is no such file", e);
        } catch (IOException e) {
            throw unusable(file, "it cannot be read as text", e);
        } catch (JsonParseException | BSONException e) {
            throw unusable(file, "it is no JSON document", e);
        } catch (ClassCastException e) {
            throw unusable(file, "it has no list of measurements", e);
        }
    }

    /** Returns its measurements in their JSON form. */
    List<Document> measurements() {
        return results.getList("measurements", Document.class);
    }

    /** Returns whether a run used the same server, the same versions, and the same kind of machine. */
    boolean isComparableWith(Document run) {
        return PLACE.stream().allMatch(place -> FIXED.stream().allMatch(field -> same(place, field, run)));
    }

    private boolean same(String place, String field, Document run) {
        return fact(results, place, field).equals(fact(run, place, field));
    }

    /** Returns a property of a run. A missing one equals zero. */
    private static Object fact(Document run, String place, String field) {
        Object fact = run.getEmbedded(List.of(place, field), Object.class);
        return fact == null ? 0L : fact instanceof Number number ? number.longValue() : fact;
    }

    private static void requireFormat(Path file, Document results) {
        if (!List.<Object>of(EARLIER, ResultsJson.FORMAT).contains(results.get("format", (Object) 0))) {
            String found = results.containsKey("format") ? "format " + results.get("format") : "no format";
            throw unusable(
                    file,
                    "it has " + found + ", and this program reads formats " + EARLIER + " and " + ResultsJson.FORMAT,
                    null);
        }
        if (results.getList("measurements", Document.class) == null) {
            throw unusable(file, "it has no list of measurements", null);
        }
    }

    private static UnusableInputException unusable(Path file, String reason, @Nullable Throwable cause) {
        return new UnusableInputException(
                "--baseline " + file + " is no results.json to compare with: " + reason, cause);
    }
}
