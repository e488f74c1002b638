package org.mongolocks.study.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.report.CellSection.Found;
import org.mongolocks.study.report.FindingExplanation.Severity;

/**
 * A matrix as a summary for a terminal, of one screen: a line for each technique, and one for each fault under which a
 * strategy of the library failed.
 */
public final class StudySummary {
    private static final int MAX_ROWS = 16;
    private static final String KEY = """
            Of the faults: ok, nothing was found; data, the lock was correct, but a late write damaged a
            resource without a sufficient fence; lock, the lock itself failed.""";

    private final Matrix matrix;

    private StudySummary(Matrix matrix) {
        this.matrix = matrix;
    }

    /**
     * Formats a matrix.
     *
     * @return at most 36 lines of at most 100 characters
     */
    public static String of(Matrix matrix) {
        return new StudySummary(matrix).text();
    }

    private String text() {
        List<String> techniques =
                matrix.cells().stream().map(Cell::technique).distinct().toList();
        Stream<String> head = Stream.of(line("technique", "faults", "ok", "data", "lock", "fails first in"));
        Stream<String> lines = techniques.stream().map(this::line);
        return Stream.of(head, lines, Stream.of(KEY), failures(techniques).stream())
                .flatMap(part -> part)
                .collect(Collectors.joining("\n"));
    }

    private String line(String technique) {
        List<Cell> cells = matrix.cells().stream()
                .filter(cell -> cell.technique().equals(technique))
                .toList();
        String worst = cells.stream()
                .filter(cell -> Severity.of(cell) != Severity.SOUND)
                .max(Comparator.comparing((Cell cell) -> Severity.of(cell)))
                .map(cell -> cell.scenario() + ": " + words(cell))
                .orElse("");
        return line(
                technique,
                cells.size(),
                count(cells, Severity.SOUND),
                count(cells, Severity.WORK_LOST),
                count(cells, Severity.BROKEN),
                worst);
    }

    private static String line(Object... columns) {
        return String.format(Locale.ROOT, "%-31s%7s%6s%6s%6s  %s", columns).stripTrailing();
    }

    private static long count(List<Cell> cells, Severity severity) {
        return cells.stream().filter(cell -> Severity.of(cell) == severity).count();
    }

    private static String words(Cell cell) {
        return Found.of(cell).get(0).words();
    }

    /** Lists the faults under which the lock failed, of the library's strategies if there are some. */
    private List<String> failures(List<String> techniques) {
        boolean hasShipped = !techniques.stream().allMatch(Advice::isArticle);
        List<Cell> cells = matrix.cells().stream()
                .filter(cell -> !hasShipped || !Advice.isArticle(cell.technique()))
                .toList();
        List<String> rows = matrix.scenarios()
                .filter(name -> !name.endsWith("-weak") && !name.endsWith("-control"))
                .flatMap(name -> failure(name, cells).stream())
                .toList();
        String whose = hasShipped ? "a strategy of this library" : "a published technique";
        String head = rows.isEmpty()
                ? "The lock of " + whose + " failed under no fault."
                : "The lock of " + whose + " failed under these faults:";
        List<String> shown = rows.subList(0, Math.min(rows.size(), MAX_ROWS));
        int rest = rows.size() - shown.size();
        return Stream.of(
                        Stream.of("", head),
                        shown.stream(),
                        Stream.of("  and " + rest + " more").filter(line -> rest > 0))
                .flatMap(part -> part)
                .toList();
    }

    private static Optional<String> failure(String scenario, List<Cell> cells) {
        List<Cell> row =
                cells.stream().filter(cell -> cell.scenario().equals(scenario)).toList();
        return row.stream()
                .filter(cell -> Severity.of(cell) == Severity.BROKEN)
                .findFirst()
                .map(cell -> String.format(
                        Locale.ROOT,
                        "  %-27s%4d of %d  %s",
                        scenario,
                        count(row, Severity.BROKEN),
                        row.size(),
                        words(cell)));
    }
}
