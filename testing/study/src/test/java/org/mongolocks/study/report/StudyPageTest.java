package org.mongolocks.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.ExampleTracing;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.report.FindingExplanation.Severity;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.technique.PublishedTechnique;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Tests that the page has its content, and loads nothing. */
class StudyPageTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final Set<String> ROWS = Set.of("healthy", "holder-pause", "acquire-lost");
    private static final Set<String> COLUMNS =
            Set.of("textbook-counter-expiry", "textbook-version-update", "textbook-flag-update", "insert-unique");

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
        matrix = new ExampleTracing(rows, columns).of(Matrix.run(rows, columns, 4));
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
    void everyFindingOfEveryCellHasItsPicture() {
        for (Cell cell : matrix.cells()) {
            List<CellPicture> shown = CellPicture.of(cell);

            assertThat(cell.findings().keySet())
                    .as("%s %s", cell.scenario(), cell.technique())
                    .isEqualTo(cell.examples().keySet())
                    .allMatch(finding -> page.contains("<h3 id=\"" + CellSection.id(cell) + "-" + finding + "\""));
            if (!shown.isEmpty()) {
                assertThat(section(CellSection.id(cell)).split("<div class=\"chart timeline\"", -1))
                        .hasSize(shown.size() + 1);
            }
        }
    }

    @Test
    void findingsOfTheSameEventsShareAPictureAndOthersDoNot() {
        assertThat(matrix.cells())
                .anyMatch(cell -> CellPicture.of(cell).size() < cell.findings().size());
        assertThat(matrix.cells()).anyMatch(cell -> CellPicture.of(cell).size() > 1);
    }

    @Test
    void everyCaseHasEventsClaimFlawAndAlternative() {
        for (String id : found("<section class=\"case\" id=\"([^\"]+)\"")) {
            assertThat(section(id))
                    .contains("<ol class=\"events\"", "Why it breaks", "What to use instead", "class=\"close\"")
                    .containsPattern("What the article claims|What this is");
        }
    }

    @Test
    void caseOfAnArticleShowsTheFindingsOfShippedStrategies() {
        assertThat(section("case-holder-pause-textbook-counter-expiry"))
                .contains("In this row: insert-unique shows stale unfenced, update lost.");
        assertThat(section("case-healthy-textbook-version-update")).contains("insert-unique shows nothing.");
    }

    @Test
    void limitsOfShippedStrategiesAreDescribedWithTheirCells() {
        String limits = page.substring(page.indexOf("<dl"), page.indexOf("</dl>"));

        assertThat(limits)
                .contains("holder-pause", "#case-holder-pause-insert-unique", "a pause without a fence is not safe")
                .doesNotContain("textbook", "healthy");
    }

    @Test
    void everyLimitOfAShippedStrategyIsDescribed() {
        Set<String> shipped = Techniques.shipped().stream().map(Technique::name).collect(Collectors.toSet());

        assertThat(expected().filter(line -> shipped.contains(line[1])))
                .isNotEmpty()
                .allMatch(line -> KnownLimits.isKnown(line[0]));
    }

    @Test
    @Tag("finds:study-table-of-articles")
    void tableAtTheTopHasEveryPublishedTechniqueThatRanAndLinksBothWays() {
        String table =
                page.substring(page.indexOf("<table class=\"published\""), page.indexOf("<table class=\"matrix\""));

        Set<String> ran = matrix.cells().stream().map(Cell::technique).collect(Collectors.toSet());
        for (PublishedTechnique one : PublishedTechnique.all()) {
            if (!ran.contains(one.name())) {
                assertThat(table).doesNotContain("id=\"published-" + one.name() + "\"");
                continue;
            }
            assertThat(table)
                    .contains("id=\"published-" + one.name() + "\"")
                    .contains(escaped(one.claim()), escaped(one.flaw()), escaped(one.instead()));
        }
        assertThat(table)
                .contains("href=\"#column-textbook-version-update\"", "href=\"#row-healthy\"")
                .doesNotContain("#column-textbook-unique-insert-ttl", "#row-ttl-late");
        assertThat(page)
                .contains("<span><a href=\"#published-textbook-version-update\">textbook-version-update</a></span>");
        assertThat(section("case-healthy-textbook-version-update"))
                .contains("href=\"#published-textbook-version-update\"");
    }

    @Test
    void columnsOfTheLibraryAreFirst() {
        assertThat(all("<th scope=\"col\" id=\"column-([^\"]+)\"")).first().isEqualTo("insert-unique");
    }

    @Test
    void legendExplainsEveryKindOfCellAndColumn() {
        String legend = page.substring(page.indexOf("<ul class=\"legend\""), page.indexOf("<table class=\"matrix\""));

        assertThat(legend)
                .contains("\"SOUND\"", "\"WORK_LOST\"", "\"BROKEN\"", "\"empty\"", "\"shipped\"", "\"article\"")
                .contains("the number of runs");
    }

    @Test
    void everyFindingHasAMeaning() {
        assertThat(Finding.values())
                .allMatch(finding -> !FindingExplanation.of(finding).isEmpty());
    }

    @Test
    void everyLinkLeadsSomewhereAndNoIdIsThereTwice() {
        List<String> ids = all(" id=\"([^\"]+)\"");

        assertThat(ids).doesNotHaveDuplicates();
        assertThat(ids).containsAll(found("href=\"#([^\"]+)\""));
    }

    @Test
    void everyElementIsClosedWhereItMustBe() {
        Deque<String> open = new ArrayDeque<>();
        Pattern tags = Pattern.compile("<(/?)([a-z][a-z0-9]*)((?:[^<>\"]|\"[^\"<>]*\")*?)(/?)>");
        String body = page.substring(page.indexOf("<body>"), page.indexOf("</html>"));
        tags.matcher(body.replaceAll("(?s)<script.*?</script>", "")).results().forEach(tag -> {
            if (tag.group(1).isEmpty()) {
                open.push(tag.group(2));
            }
            if (!tag.group(1).isEmpty() || !tag.group(4).isEmpty()) {
                assertThat(open.pop()).isEqualTo(tag.group(2));
            }
        });
        assertThat(open).isEmpty();
    }

    @Test
    void everyChartHasATextAlternativeAndIsReachableByKeyboard() {
        assertThat(all("<div class=\"chart timeline\" role=\"img\" aria-label=\"([^\"]+)\""))
                .isNotEmpty()
                .hasSameSizeAs(all("(<script type=\"application/json\">)"))
                .allMatch(label -> label.endsWith("the list below has the same content"));
        assertThat(all("<div class=\"scroll ([^>]*)>")).allMatch(scroll -> scroll.contains("tabindex=\"0\""));
    }

    @Test
    void timelineShowsSentAndLostCommands() {
        String lost = section("case-acquire-lost-textbook-flag-update");
        assertThat(lost).contains("<b>a</b>").containsPattern("reply lost|: lost");
        Document picture = picture(lost);
        assertThat(picture.getList("processes", String.class)).contains("server");
        assertThat(picture.getList("messages", Document.class))
                .anyMatch(one -> one.get("kind").equals("ask") && one.containsKey("arrived"))
                .anyMatch(one -> !one.containsKey("arrived"));
        String paused = section("case-holder-pause-insert-unique");
        assertThat(paused).contains("findAndModify: done");
        assertThat(picture(paused).getList("messages", Document.class))
                .anyMatch(one -> one.get("kind").equals("reply") && one.containsKey("arrived"));
    }

    @Test
    void thePictureShowsTheTwoHoldsThePauseAndTheConflict() {
        String section = section("case-holder-pause-insert-unique");
        Document picture = picture(section);

        assertThat(picture.getList("bars", Document.class).stream()
                        .map(bar -> bar.get("kind") + " " + bar.get("whose", "")))
                .contains("hold first", "hold second", "lease first", "pause ");
        assertThat(picture.getList("conflicts", Document.class)).isNotEmpty();
        assertThat(picture.getList("processes", String.class)).anyMatch(name -> name.startsWith("client "));
        assertThat(section).contains("stale unfenced</a>: in ");
    }

    @Test
    void findingsAreShownWithoutColourToo() {
        assertThat(page).contains("✕&#160;3", "△&#160;", "class=\"SOUND\">–");
    }

    @Test
    void nothingIsFetched() {
        assertThat(page.substring(0, page.indexOf("<script>")))
                .doesNotContain("http://", "https://", "@import", "url(", "src=");
        assertThat(all("(<script>)")).hasSize(1);
    }

    @Test
    void itServesLightAndDarkAndPaperAndPhones() {
        assertThat(page)
                .contains("prefers-color-scheme: dark", "@media print", "max-width: 600px", "name=\"viewport\"")
                .doesNotContain("<#", "<@");
    }

    @Test
    void textIsEscaped() {
        Cell cell = new Cell("<b>", "a\"b", 1, Map.of(), Map.of(), List.of(), new Cell.Totals(0, 0, 0, 0, 0));

        assertThat(new StudyPage(new Matrix(List.of(cell)), Map.of("<b>", "x & y")).html())
                .contains("&lt;b&gt;", "x &amp; y", "a&quot;b")
                .doesNotContain("<span>a\"b");
    }

    @Test
    void noStrategyOfTheLibraryIsAnArticle() {
        assertThat(Techniques.shipped()).noneMatch(technique -> Advice.isArticle(technique.name()));
    }

    @Test
    void aLateWriteIsNoFailureOfTheLockButTwoHoldersAre() {
        assertThat(Severity.of(Finding.STALE_FENCED)).isEqualTo(Severity.WORK_LOST);
        assertThat(Severity.of(Finding.HELD_TWICE)).isEqualTo(Severity.BROKEN);
    }

    /** Returns what the first picture of a section draws. */
    private static Document picture(String section) {
        int from = section.indexOf("{", section.indexOf("<script"));
        return Document.parse(section.substring(from, section.indexOf("</script>", from)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static Set<String> found(String pattern) {
        return Set.copyOf(all(pattern));
    }

    private static List<String> all(String pattern) {
        return Pattern.compile(pattern)
                .matcher(page)
                .results()
                .map((MatchResult hit) -> hit.group(1))
                .toList();
    }

    /** Returns the scenario and the technique of each cell with findings, from the expected matrix. */
    private static Stream<String[]> expected() {
        try (InputStream in = Objects.requireNonNull(
                StudyPageTest.class.getResourceAsStream("/org/mongolocks/study/matrix/expected.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(line -> line.split(" ", -1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String section(String id) {
        int from = page.indexOf("id=\"" + id + "\"");
        return page.substring(from, page.indexOf("</section>", from));
    }
}
