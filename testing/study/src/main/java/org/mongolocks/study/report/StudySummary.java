package org.mongolocks.study.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.reporting.Paragraph;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.report.CellSection.Found;
import org.mongolocks.study.report.FindingExplanation.Severity;

/**
 * A matrix as a summary for a terminal: a line for each technique, and each fault under which a strategy of the library
 * failed, with what to do.
 */
public final class StudySummary {
    private static final int MAX_ROWS = 16;
    private static final int WIDTH = 100;
    private static final String INDENT = "      ";
    private static final String KEY = """
        Of the faults: ok, nothing was found; data, the lock was correct, but a late write damaged a
        resource without a sufficient fence; lock, the lock itself failed.\
        """;

    private final List<String> techniques;
    private final List<Cell> cells;

    private StudySummary(Matrix matrix) {
        this.techniques =
                matrix.cells().stream().map(Cell::technique).distinct().toList();
        this.cells = matrix.cells();
    }

    /**
     * Formats a matrix.
     *
     * @return lines of at most 100 characters
     */
    public static String of(Matrix matrix) {
        return new StudySummary(matrix).text();
    }

    private String text() {
        Stream<String> head = Stream.of(line("technique", "faults", "ok", "data", "lock", "fails first in"));
        Stream<String> lines = techniques.stream().map(this::line);
        return Stream.of(head, lines, Stream.of(KEY), failures())
                .flatMap(part -> part)
                .collect(Collectors.joining("\n"));
    }

    private String line(String technique) {
        List<Cell> its = cells.stream()
                .filter(cell -> cell.technique().equals(technique))
                .toList();
        String worst = its.stream()
                .filter(cell -> Severity.of(cell) != Severity.SOUND)
                .max(Comparator.comparing((Cell cell) -> Severity.of(cell)))
                .map(cell -> cell.scenario() + ": " + words(cell))
                .orElse("");
        return line(
                technique,
                its.size(),
                count(its, Severity.SOUND),
                count(its, Severity.WORK_LOST),
                count(its, Severity.BROKEN),
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
    private Stream<String> failures() {
        boolean hasShipped = hasShipped();
        List<List<Cell>> rows = rows().filter(StudySummary::isBroken).toList();
        long known = rows.stream()
                .filter(row -> KnownLimits.isKnown(row.get(0).scenario()))
                .count();
        String documented = known == 0 || !hasShipped
                ? ":"
                : ", " + (known == rows.size() ? "" : known + " ") + "documented in docs/guarantees.md:";
        String head = "The lock of " + (hasShipped ? "a strategy of this library" : "a published technique")
                + " failed under "
                + (rows.isEmpty() ? "no fault." : rows.size() + (rows.size() == 1 ? " fault" : " faults") + documented);
        int rest = rows.size() - MAX_ROWS;
        return Stream.of(
                        Stream.of("", head),
                        rows.stream().limit(MAX_ROWS).flatMap(StudySummary::failure),
                        Stream.of("  and " + rest + " more").filter(line -> rest > 0))
                .flatMap(part -> part);
    }

    /** Returns the cells of each row, without those of articles if strategies of the library ran. */
    private Stream<List<Cell>> rows() {
        boolean hasShipped = hasShipped();
        return cells.stream()
                .filter(cell -> !hasShipped || !Advice.isArticle(cell.technique()))
                .collect(Collectors.groupingBy(Cell::scenario, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream();
    }

    private boolean hasShipped() {
        return !techniques.stream().allMatch(Advice::isArticle);
    }

    private static boolean isBroken(List<Cell> row) {
        return count(row, Severity.BROKEN) > 0;
    }

    private static Stream<String> failure(List<Cell> row) {
        Cell first = row.stream()
                .filter(cell -> Severity.of(cell) == Severity.BROKEN)
                .findFirst()
                .orElseThrow();
        return Stream.of(
                String.format(
                        Locale.ROOT,
                        "  %-27s%4d of %d  %s",
                        first.scenario(),
                        count(row, Severity.BROKEN),
                        row.size(),
                        words(first)),
                Paragraph.of(remedy(first), WIDTH, INDENT));
    }

    private static String remedy(Cell cell) {
        return Advice.isArticle(cell.technique()) || KnownLimits.isKnown(cell.scenario())
                ? Advice.of(cell).instead()
                : "Not documented, so a defect of " + cell.technique() + ". See what happens: ./study --scenario "
                        + cell.scenario() + " --technique " + cell.technique()
                        + cell.examples().values().stream()
                                .findFirst()
                                .map(example -> " --seed " + example.seed())
                                .orElse("");
    }
}
