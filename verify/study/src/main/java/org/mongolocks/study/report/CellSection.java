package org.mongolocks.study.report;

import static org.mongolocks.html.HtmlElement.escaped;

import java.util.List;
import java.util.stream.Collectors;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.report.FindingExplanation.Severity;
import org.mongolocks.study.report.StudyFiles.StudyEnvironment;

/** The section that a red cell opens: the counts, the shortest counter-example of each finding, and its explanation. */
final class CellSection {
    private static final String KEY =
            "Wide bars are holds, the thin line above each is its lease; a dotted frame is a paused process. Arrows are"
                    + " commands, dashed arrows are replies, and a cross is a lost message. Numbers and letters refer"
                    + " to the list. Idle time is shortened, and of many contended attempts only the first and the last"
                    + " are shown.";

    private final Cell cell;
    private final String about;
    private final List<Cell> row;
    private final StudyEnvironment venue;

    /** Takes the cell, the fault, all cells of its row, and the venue of the runs. */
    CellSection(Cell cell, String about, List<Cell> row, StudyEnvironment venue) {
        this.cell = cell;
        this.about = about;
        this.row = row;
        this.venue = venue;
    }

    static String id(Cell cell) {
        return "case-" + cell.scenario() + "-" + cell.technique();
    }

    String html() {
        List<CellPicture> all = CellPicture.of(cell);
        List<CellPicture> rest = all.subList(Math.min(1, all.size()), all.size());
        String first = all.isEmpty() ? "" : html(all.get(0)) + "<p class=\"key\">" + KEY + "</p>\n";
        return "<section class=\"case\" id=\"" + id(cell) + "\" tabindex=\"-1\" aria-label=\""
                + escaped(cell.technique())
                + " in " + escaped(cell.scenario()) + "\"><div>\n"
                + "<a class=\"close\" href=\"#row-" + cell.scenario() + "\">Close</a>\n"
                + "<h2>" + escaped(cell.technique()) + " <small>in</small> " + escaped(cell.scenario()) + "</h2>\n"
                + "<p>" + escaped(about) + ". " + cell.runs() + " runs.</p>\n"
                + "<ul class=\"counts\">" + counts() + "</ul>\n"
                + first
                + advice()
                + rest.stream().map(this::html).collect(Collectors.joining())
                + "</div></section>\n";
    }

    private String html(CellPicture shown) {
        return shown.html(cell) + "<p>Again: <code>" + venue.command(cell.scenario(), cell.technique(), shown.seed())
                + "</code></p>\n";
    }

    private String advice() {
        boolean isArticle = Advice.isArticle(cell.technique());
        Advice advice = Advice.of(cell);
        String source = isArticle
                ? "<p><a href=\"#published-" + cell.technique() + "\">All published techniques</a></p>\n"
                : "";
        return paragraph(isArticle ? "What the article claims" : "What this is", advice.claim())
                + paragraph("Why it breaks", advice.flaw())
                + paragraph("What to use instead", advice.instead() + (isArticle ? " " + shipped() : ""))
                + source;
    }

    private String counts() {
        return CellPicture.worstFirst(cell).map(this::count).collect(Collectors.joining());
    }

    private String count(Finding finding) {
        String words = Severity.of(finding).sign() + " " + finding.words();
        String link = cell.example(finding).isPresent()
                ? "<a href=\"#" + CellPicture.id(cell, finding) + "\">" + words + "</a>"
                : words;
        return "<li>" + link + ": in " + cell.count(finding) + " of " + cell.runs() + " runs</li>";
    }

    /** Describes the findings of the library's strategies in the same row. */
    private String shipped() {
        String others = row.stream()
                .filter(other -> !Advice.isArticle(other.technique()))
                .map(other -> other.technique() + " " + shown(other))
                .collect(Collectors.joining("; "));
        return others.isEmpty() ? "" : "In this row: " + others + ".";
    }

    private static String shown(Cell other) {
        return other.findings().isEmpty()
                ? "shows nothing"
                : "shows " + CellPicture.worstFirst(other).map(Finding::words).collect(Collectors.joining(", "));
    }

    private static String paragraph(String head, String body) {
        return "<h3>" + head + "</h3><p>" + escaped(body.strip()) + "</p>\n";
    }
}
