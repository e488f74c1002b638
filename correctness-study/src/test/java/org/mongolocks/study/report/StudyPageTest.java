package org.mongolocks.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.simulation.Scenario;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** The page has what it promises, and needs nothing from elsewhere. */
class StudyPageTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final Set<String> ROWS = Set.of("healthy", "holder-pause");
    private static final Set<String> COLUMNS =
            Set.of("textbook-counter-expiry", "textbook-version-update", "insert-unique");

    private static Matrix matrix = new Matrix(List.of());
    private static String page = "";

    @BeforeAll
    static void run() {
        LOCKS.setLevel(Level.OFF);
        List<Scenario> rows = Scenarios.all().stream()
                .filter(one -> ROWS.contains(one.name()))
                .toList();
        List<Technique> columns = Techniques.all().stream()
                .filter(one -> COLUMNS.contains(one.name()))
                .toList();
        matrix = Matrix.run(rows, columns, 3);
        page = new StudyPage(matrix, rows.stream().collect(Collectors.toMap(Scenario::name, Scenario::about))).html();
    }

    @Test
    void everyCellThatShowsSomethingOpensItsCase() {
        Set<String> linked = found("<td class=\"\\w+\"><a href=\"#(case-[^\"]+)\"");
        Set<String> cases = found("<section class=\"case\" id=\"([^\"]+)\"");

        assertThat(linked).isNotEmpty().isEqualTo(cases);
        assertThat(linked).hasSize((int) matrix.cells().stream()
                .filter(cell -> !cell.findings().isEmpty())
                .count());
    }

    @Test
    void everyCaseHasAPictureAListTheClaimTheFlawAndAWayOut() {
        int cases = found("<section class=\"case\" id=\"([^\"]+)\"").size();

        for (String part :
                List.of("<svg class=\"timeline\"", "<ol class=\"events\">", "Why it breaks", "What to use")) {
            assertThat(page.split(Pattern.quote(part), -1)).as(part).hasSize(cases + 1);
        }
        assertThat(page).contains("What the article claims", "What this is");
    }

    @Test
    void thePictureShowsTheTwoHoldsThePauseAndTheConflict() {
        String picture = section("case-holder-pause-insert-unique");

        assertThat(picture)
                .contains(
                        "class=\"hold first\"",
                        "class=\"hold second\"",
                        "class=\"lease first\"",
                        "class=\"pause\"",
                        "class=\"conflict\"",
                        ">client ")
                .contains("stale unfenced: in ");
    }

    @Test
    void whatItShowsIsToldWithoutColourToo() {
        assertThat(page).contains("✕&nbsp;3", "△&nbsp;", "class=\"SOUND\">–");
    }

    @Test
    void nothingIsFetched() {
        assertThat(page).doesNotContain("http://", "https://", "@import", "url(", "src=");
    }

    @Test
    void itServesLightAndDarkAndPaperAndPhones() {
        assertThat(page)
                .contains("prefers-color-scheme: dark", "@media print", "max-width: 600px", "name=\"viewport\"")
                .doesNotContain("{{");
    }

    @Test
    void whatIsWrittenIntoItIsEscaped() {
        Cell cell = new Cell("<b>", "a\"b", 1, Map.of(), Map.of(), List.of(), new Cell.Totals(0, 0, 0, 0, 0));

        assertThat(new StudyPage(new Matrix(List.of(cell)), Map.of("<b>", "x & y")).html())
                .contains("&lt;b&gt;", "x &amp; y", "a&quot;b")
                .doesNotContain("<span>a\"b");
    }

    @Test
    void everyPublishedTechniqueHasItsAdvice() {
        assertThat(Techniques.textbook()).allMatch(technique -> Advice.isArticle(technique.name()));
        assertThat(Techniques.shipped()).noneMatch(technique -> Advice.isArticle(technique.name()));
    }

    @Test
    void aLateWriteIsNoFailureOfTheLockButTwoHoldersAre() {
        assertThat(Severity.of(Finding.STALE_FENCED)).isEqualTo(Severity.WORK_LOST);
        assertThat(Severity.of(Finding.HELD_TWICE)).isEqualTo(Severity.BROKEN);
    }

    private static Set<String> found(String pattern) {
        return Pattern.compile(pattern)
                .matcher(page)
                .results()
                .map((MatchResult hit) -> hit.group(1))
                .collect(Collectors.toSet());
    }

    private static String section(String id) {
        int from = page.indexOf("id=\"" + id + "\"");
        return page.substring(from, page.indexOf("</section>", from));
    }
}
