package org.mongolocks.study.report;

import static org.mongolocks.html.HtmlElement.escaped;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.mongolocks.html.HtmlPage;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.report.FindingExplanation.Severity;
import org.mongolocks.study.report.StudyFiles.StudyEnvironment;
import org.mongolocks.study.technique.PublishedTechnique;

/** A matrix as one self-contained HTML page: no network, and no script except one that closes sections with Escape. */
final class StudyPage {
    private final Matrix matrix;
    private final Map<String, String> abouts;
    private final StudyEnvironment venue;

    /** Takes the matrix, and the fault of each scenario by its name. */
    StudyPage(Matrix matrix, Map<String, String> abouts) {
        this(matrix, abouts, StudyEnvironment.simulation());
    }

    StudyPage(Matrix matrix, Map<String, String> abouts, StudyEnvironment venue) {
        this.matrix = matrix;
        this.abouts = abouts;
        this.venue = venue;
    }

    String html() {
        return HtmlPage.fill(
                resource("page.html"),
                Map.ofEntries(
                        Map.entry("style", resource("page.css")),
                        Map.entry("venue", escaped(venue.phrase())),
                        Map.entry("runs", matrix.runs() + " runs, " + matrix.events() + " " + venue.events()),
                        Map.entry("controls", controls()),
                        Map.entry("published", published()),
                        Map.entry("legend", legend()),
                        Map.entry("head", head()),
                        Map.entry("rows", rows()),
                        Map.entry("limits", limits()),
                        Map.entry("cases", cases())));
    }

    private static String legend() {
        return item(Severity.SOUND, "no findings")
                + item(
                        Severity.WORK_LOST,
                        "the lock was correct, but a late write damaged a resource without a sufficient fence")
                + item(
                        Severity.BROKEN,
                        "the lock itself failed: two holders, a leak, a release of another owner's lock, a"
                                + " repeated token")
                + "<li><span class=\"WORK_LOST\">3</span> the number of runs with the most frequent of these"
                + " findings</li><li><span class=\"empty\"></span> not offered by this technique, or not run</li>"
                + "<li><span class=\"shipped\"></span> strategy of this library</li>"
                + "<li><span class=\"article\"></span> published technique</li>";
    }

    /** Renders the table of all published techniques; rows and columns that were not run have no links. */
    private String published() {
        return PublishedTechnique.all().stream().map(this::published).collect(Collectors.joining("\n"));
    }

    private String published(PublishedTechnique one) {
        String name =
                techniques().contains(one.name()) ? link("column-" + one.name(), one.name()) : escaped(one.name());
        String rows = one.rows().stream().map(this::rowLink).collect(Collectors.joining(", "));
        return "<tr id=\"published-" + one.name() + "\"><th scope=\"row\">" + name + "<small>"
                + escaped(one.article()) + "</small></th>" + column("Claim", escaped(one.claim()))
                + column("Flaw", escaped(one.flaw())) + column("Shown by", rows)
                + column("Instead", escaped(one.instead())) + "</tr>";
    }

    private static String column(String label, String content) {
        return "<td data-label=\"" + label + "\">" + content + "</td>";
    }

    private String rowLink(String scenario) {
        boolean isRun = matrix.scenarios().anyMatch(scenario::equals);
        return isRun ? link("row-" + scenario, scenario) : escaped(scenario);
    }

    private static String link(String id, String text) {
        return "<a href=\"#" + escaped(id) + "\">" + escaped(text) + "</a>";
    }

    private static String item(Severity severity, String meaning) {
        return "<li><span class=\"" + severity + "\">" + severity.sign() + "</span> " + meaning + "</li>";
    }

    private String head() {
        return techniques().stream()
                .map(name -> Advice.isArticle(name)
                        ? head("article", name, link("published-" + name, name))
                        : head("shipped", name, escaped(name)))
                .collect(Collectors.joining());
    }

    private static String head(String kind, String name, String content) {
        return "<th scope=\"col\" id=\"column-" + escaped(name) + "\" class=\"" + kind + "\"><span>" + content
                + "</span></th>";
    }

    private String rows() {
        return matrix.scenarios().map(this::row).collect(Collectors.joining("\n"));
    }

    private String row(String scenario) {
        String cells = techniques().stream()
                .map(technique -> cell(scenario, technique))
                .collect(Collectors.joining());
        return "<tr id=\"row-" + scenario + "\"><th scope=\"row\">" + escaped(scenario) + "<small>"
                + escaped(about(scenario)) + "</small></th>" + cells + "</tr>";
    }

    private String cell(String scenario, String technique) {
        return matrix.cells().stream()
                .filter(cell ->
                        cell.scenario().equals(scenario) && cell.technique().equals(technique))
                .findFirst()
                .map(StudyPage::cell)
                .orElse("<td title=\"not offered, or not run\"></td>");
    }

    private static String cell(Cell cell) {
        Severity severity = Severity.of(cell);
        if (severity == Severity.SOUND) {
            return "<td class=\"SOUND\">–</td>";
        }
        String words =
                cell.findings().keySet().stream().sorted().map(Finding::words).collect(Collectors.joining(", "));
        return "<td class=\"" + severity + "\"><a href=\"#" + CellSection.id(cell) + "\" title=\"" + escaped(words)
                + "\" aria-label=\"" + escaped(cell.technique() + " in " + cell.scenario() + ": " + words) + "\">"
                + severity.sign() + "&nbsp;" + most(cell, severity) + "</a></td>";
    }

    /** Returns the number of runs with the most frequent finding of a severity. */
    private static int most(Cell cell, Severity severity) {
        return cell.findings().keySet().stream()
                .filter(finding -> Severity.of(finding) == severity)
                .mapToInt(cell::count)
                .max()
                .orElse(0);
    }

    private String cases() {
        return matrix.cells().stream()
                .filter(cell -> Severity.of(cell) != Severity.SOUND)
                .map(cell -> new CellSection(cell, about(cell.scenario()), row(cell), venue).html())
                .collect(Collectors.joining());
    }

    private List<Cell> row(Cell cell) {
        return matrix.cells().stream()
                .filter(other -> other.scenario().equals(cell.scenario()))
                .toList();
    }

    /** Renders the limits of the library's strategies, which are shown in full on the page. */
    private String limits() {
        return matrix.scenarios().map(this::limit).collect(Collectors.joining());
    }

    private String limit(String scenario) {
        List<Cell> shown = matrix.cells().stream()
                .filter(cell -> cell.scenario().equals(scenario) && !Advice.isArticle(cell.technique()))
                .filter(cell -> !cell.findings().isEmpty())
                .toList();
        return shown.isEmpty()
                ? ""
                : "<dt>" + escaped(scenario) + ": "
                        + shown.stream().map(StudyPage::link).collect(Collectors.joining(", "))
                        + "</dt><dd>" + escaped(KnownLimits.of(scenario).flaw()) + " "
                        + escaped(KnownLimits.of(scenario).instead()) + "</dd>\n";
    }

    private static String link(Cell cell) {
        return link(CellSection.id(cell), cell.technique());
    }

    private String controls() {
        return matrix.scenarios().anyMatch(name -> name.endsWith("-weak"))
                ? "<p>Rows whose name ends in <code>-weak</code> are controls: writes do not wait for a majority there,"
                        + " although the library requests it.</p>"
                : "";
    }

    private String about(String scenario) {
        return abouts.getOrDefault(scenario, "");
    }

    /** Returns the techniques, those of the library first: they are what a small screen shows. */
    private List<String> techniques() {
        return matrix.cells().stream()
                .map(Cell::technique)
                .distinct()
                .sorted(Comparator.comparing(Advice::isArticle))
                .toList();
    }

    private static String resource(String name) {
        return HtmlPage.resource(StudyPage.class, name);
    }
}
