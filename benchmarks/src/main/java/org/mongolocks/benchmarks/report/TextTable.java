package org.mongolocks.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A text table with columns of minimum width: the first is left-aligned, the others too if they are words. */
final class TextTable {
    private static final String GAP = "  ";

    private final int columns;
    private final boolean isOfWords;
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... headings) {
        this(false, headings);
    }

    private TextTable(boolean isOfWords, String... headings) {
        this.columns = headings.length;
        this.isOfWords = isOfWords;
        row(headings);
    }

    /** Returns a table whose columns are all left-aligned. */
    static TextTable ofWords(String... headings) {
        return new TextTable(true, headings);
    }

    /** Adds a row. If it has fewer cells than columns, its last cell is a remark that spans the remaining columns. */
    void row(String... cells) {
        rows.add(List.of(cells));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            text.append(line(row)).append(System.lineSeparator());
        }
        return text.toString();
    }

    private String line(List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            line.append(column == 0 ? "" : GAP).append(cell(row, column));
        }
        return line.toString().stripTrailing();
    }

    private String cell(List<String> row, int column) {
        String text = row.get(column);
        if (isRemark(row, column)) {
            return text;
        }
        String padding = " ".repeat(width(column) - text.length());
        return column == 0 || isOfWords ? text + padding : padding + text;
    }

    private int width(int column) {
        return rows.stream()
                .filter(row -> column < row.size() && !isRemark(row, column))
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }

    private boolean isRemark(List<String> row, int column) {
        return row.size() < columns && column == row.size() - 1 && column > 0;
    }
}
