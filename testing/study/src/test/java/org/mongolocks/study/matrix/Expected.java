package org.mongolocks.study.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.study.check.Violation.Finding;

/**
 * The expected findings of a cell, from the file beside this class: those found in at least two of five runs, which
 * must be found again, and those found less often. A cell without a line has no findings.
 *
 * @param must the findings that must occur
 * @param may the findings that may occur in addition
 */
record Expected(Set<Finding> must, Set<Finding> may) {
    static final Expected NOTHING = new Expected(Set.of(), Set.of());

    /** Reads the file; the key is the scenario, a space and the technique. */
    static Map<String, Expected> all() {
        Map<String, Expected> cells = new HashMap<>();
        text().lines().map(line -> line.split(" ", -1)).forEach(parts -> {
            Expected expected = new Expected(findings(parts[2], "must:"), findings(parts[3], "may:"));
            cells.put(parts[0] + " " + parts[1], expected);
        });
        return cells;
    }

    private static Set<Finding> findings(String part, String prefix) {
        Set<Finding> result = EnumSet.noneOf(Finding.class);
        Stream.of(part.substring(prefix.length()).split(","))
                .filter(name -> !name.isEmpty())
                .map(Finding::valueOf)
                .forEach(result::add);
        return result;
    }

    private static String text() {
        try (InputStream in = Objects.requireNonNull(Expected.class.getResourceAsStream("expected.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
