package org.mongolocks.study.report;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.report.FindingExplanation.Severity;

/**
 * A cell of the matrix, and the section that it opens if it is red: the counts, the shortest counter-example of each
 * finding, and its explanation.
 *
 * @param row all cells of its row
 * @param isOfLibraries whether libraries are compared
 */
public record CellSection(Cell cell, String about, List<Cell> row, boolean isOfLibraries) {
    /**
     * A finding of a cell.
     *
     * @param id the id of its explanation on the page
     * @param isShown whether there is an example
     */
    public record Found(String id, Finding finding, int runs, boolean isShown) {
        /** Returns the findings of a cell, the most severe first. */
        static List<Found> of(Cell cell) {
            return cell.findings().keySet().stream()
                    .sorted(Comparator.comparing((Finding finding) -> Severity.of(finding))
                            .reversed()
                            .thenComparing(Comparator.naturalOrder()))
                    .map(finding -> new Found(
                            CellSection.id(cell) + "-" + finding,
                            finding,
                            cell.count(finding),
                            cell.example(finding).isPresent()))
                    .toList();
        }

        public String sign() {
            return Severity.of(finding).sign();
        }

        public String words() {
            return finding.words();
        }

        public String explanation() {
            return FindingExplanation.of(finding);
        }
    }

    static String id(Cell cell) {
        return "case-" + cell.scenario() + "-" + cell.technique();
    }

    public String id() {
        return id(cell);
    }

    /** Returns the severity; what a library does not promise is no failure of it, and its promises are in another table. */
    public Severity severity() {
        Severity severity = Severity.of(cell);
        return severity == Severity.BROKEN && isOfLibraries ? Severity.WORK_LOST : severity;
    }

    /** Returns the number of runs with the most frequent finding of the cell's severity. */
    public int most() {
        return cell.findings().keySet().stream()
                .filter(finding -> isOfLibraries || Severity.of(finding) == severity())
                .mapToInt(cell::count)
                .max()
                .orElse(0);
    }

    public String words() {
        return cell.findings().keySet().stream().sorted().map(Finding::words).collect(Collectors.joining(", "));
    }

    public List<Found> found() {
        return Found.of(cell);
    }

    public List<CellPicture> pictures() {
        return CellPicture.of(cell);
    }

    public boolean isArticle() {
        return Advice.isArticle(cell.technique());
    }

    public Advice advice() {
        return Advice.of(cell);
    }

    /** Describes the findings of the library's strategies in the same row; empty if none is in it. */
    public String shipped() {
        String others = row.stream()
                .filter(other -> !Advice.isArticle(other.technique()))
                .map(other -> other.technique() + " " + shown(other))
                .collect(Collectors.joining("; "));
        return others.isEmpty() ? "" : "In this row: " + others + ".";
    }

    private static String shown(Cell other) {
        return other.findings().isEmpty()
                ? "shows nothing"
                : "shows " + Found.of(other).stream().map(Found::words).collect(Collectors.joining(", "));
    }
}
