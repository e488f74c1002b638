package org.mongolocks.reporting;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tables in Markdown. */
public final class Markdown {
    private Markdown() {}

    /**
     * Returns a table.
     *
     * @param columns the names of the columns
     * @param rows the cells of each row, as many as there are columns
     * @return its lines, without an end of the last one
     */
    public static String table(List<String> columns, List<List<String>> rows) {
        List<String> rule = Collections.nCopies(columns.size(), "---");
        return Stream.concat(Stream.of(columns, rule), rows.stream())
                .map(cells -> "| " + String.join(" | ", cells) + " |")
                .collect(Collectors.joining("\n"));
    }
}
