package org.mongolocks.study.report;

import static org.mongolocks.study.report.Markup.text;

import java.util.Comparator;
import java.util.stream.Collectors;
import org.mongolocks.study.check.CounterExample;
import org.mongolocks.study.check.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Example;

/** Writes what a red cell opens: the counts, the shortest counter-example of the worst finding, and what it means. */
final class CaseSection {
    private final Cell cell;
    private final String about;

    CaseSection(Cell cell, String about) {
        this.cell = cell;
        this.about = about;
    }

    static String id(Cell cell) {
        return "case-" + cell.scenario() + "-" + cell.technique();
    }

    String html() {
        Advice advice = Advice.of(cell.technique());
        return "<section class=\"case\" id=\"" + id(cell) + "\" tabindex=\"-1\"><div>\n"
                + "<a class=\"close\" href=\"#row-" + cell.scenario() + "\">Close</a>\n"
                + "<h2>" + text(cell.technique()) + " <small>in</small> " + text(cell.scenario()) + "</h2>\n"
                + "<p>" + text(about) + ". " + cell.runs() + " runs.</p>\n"
                + "<ul class=\"counts\">" + counts() + "</ul>\n"
                + example()
                + paragraph(
                        Advice.isArticle(cell.technique()) ? "What the article claims" : "What this is", advice.claim())
                + paragraph("Why it breaks", advice.flaw())
                + paragraph("What to use instead", advice.instead())
                + "</div></section>\n";
    }

    private String counts() {
        return cell.findings().keySet().stream()
                .sorted()
                .map(finding -> "<li>" + Severity.of(finding).sign() + " " + Markup.words(finding) + ": in "
                        + cell.count(finding) + " of " + cell.runs() + " runs</li>")
                .collect(Collectors.joining());
    }

    private String example() {
        Finding worst = cell.findings().keySet().stream()
                .max(Comparator.comparing((Finding finding) -> Severity.of(finding))
                        .thenComparing(Comparator.reverseOrder()))
                .orElseThrow();
        Example shortest = cell.examples().get(worst);
        return shortest == null ? "" : example(worst, shortest);
    }

    private String example(Finding worst, Example shortest) {
        CounterExample counterExample = shortest.counterExample();
        String events = counterExample.told().stream()
                .map(line -> "<li>" + text(line.line().strip()) + "</li>")
                .collect(Collectors.joining());
        return "<h3>The shortest example of: " + Markup.words(worst) + "</h3>\n"
                + "<div class=\"scroll\" tabindex=\"0\">"
                + Timeline.of(counterExample) + "</div>\n"
                + "<p class=\"key\">Wide bars are holds, the thin line above each is its lease; a dotted frame is a process that"
                + " stands still. Numbers are those of the list.</p>\n"
                + "<ol class=\"events\">\n" + events + "\n</ol>\n"
                + "<p>Again: <code>./study --scenario " + cell.scenario() + " --technique " + cell.technique()
                + " --seed "
                + shortest.seed() + "</code></p>\n";
    }

    private static String paragraph(String head, String body) {
        return "<h3>" + head + "</h3><p>" + text(body) + "</p>\n";
    }
}
