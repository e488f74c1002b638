package org.mongolocks.benchmarks.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.benchmarks.report.ResultsSchema;

/** The page is complete, self-contained, and safe against markup in names. */
class HtmlReportTest {
    private static final String HOSTILE = "</title><script>alert('x')</script>&amp;\"${title}\u0000\uD800|";

    static List<SampleRun> runs() {
        return List.of(
                SampleRun.full(),
                SampleRun.empty(),
                SampleRun.full().noisyIn("B1", 0.43),
                SampleRun.full().noisyIn("B1", 0.41),
                SampleRun.full().failure("flag-update", "B6", "A lock was lost"),
                SampleRun.full().verdict("shedlock", "skipped", "It is not here"),
                SampleRun.full().verdict("flag-update", "void", "Two were in"),
                SampleRun.full().without(one -> !"insert-unique".equals(one.get("contender"))));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void samplesMatchTheSchemaOfResults(SampleRun run) throws IOException {
        assertThat(ResultsSchema.faults(run.json())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("runs")
    void everyIdIsThereOnceAndEveryReferenceLeadsToOne(SampleRun run) {
        Markup page = page(run);

        List<String> ids = page.values("id");
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(page.values("href").stream().filter(link -> link.startsWith("#")))
                .allSatisfy(link -> assertThat(ids).contains(link.substring(1)));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void reportLoadsNoResourcesAndRunsNoScriptsButItsOwn(SampleRun run) {
        String html = run.html();
        Markup page = Markup.of(html);

        assertThat(html.substring(0, html.indexOf("<script>")))
                .doesNotContain("http:", "https:", "@import", "url(", "${", "<#");
        assertThat(page.all("//img | //iframe | //@src/.. | //@*[starts-with(name(), 'on')]/.."))
                .isEmpty();
        assertThat(page.texts("//script[not(@type)]"))
                .singleElement()
                .asString()
                .contains("d3js.org", "@observablehq/plot");
        assertThat(page.all("//script[@type]"))
                .hasSameSizeAs(page.all("//*[@role='img']/script[@type='application/json']"));
        assertThat(page.values("href"))
                .allMatch(link -> link.startsWith("#")
                        || List.of("data:,", "results.json").contains(link));
    }

    @Test
    void everyChartHasATitleAndADescription() {
        Markup page = page(SampleRun.full());

        int charts = page.charts().size();
        assertThat(charts).isGreaterThan(20);
        assertThat(page.all("//*[@role='img'][string(@aria-label)]/p")).hasSize(charts);
        assertThat(page.texts("//*[@role='img']/p"))
                .allMatch(text -> text.startsWith("Least: ") && !text.contains("none"));
    }

    @Test
    void costsOfTheClientAloneAreAlsoShownAsTimesTheBaseline() {
        SampleRun run = SampleRun.full();
        run.measurements().stream()
                .filter(one -> List.of("cpu", "allocation").contains(one.get("metric", "")))
                .forEach(one -> one.append("ratio", new Document("to", SampleRun.BASELINE).append("value", 1.4)));

        assertThat(page(run).texts("//section[@id='chapter-cost']//h3"))
                .contains(
                        "Processor time of the client, times the baseline: acquire and release",
                        "Memory that the client allocates, times the baseline: acquire and release");
    }

    @Test
    void styleSupportsDarkModePrintAndSmallScreens() {
        assertThat(SampleRun.empty().html())
                .contains("prefers-color-scheme: dark", "@media print", "max-width: 600px", "name=\"viewport\"");
    }

    @Test
    void theCommandTheServerAndTheFiguresAreThere() {
        Markup page = page(SampleRun.full());

        assertThat(page.one("//*[@class='facts']").getTextContent())
                .contains("MongoDB 7.0.2, replica set of 3", "./compare --quick", "OpenJDK 17", "results.json");
        assertThat(Document.parse(page.one("//*[@class='raw']/pre").getTextContent()))
                .isEqualTo(Document.parse(SampleRun.full().json()));
    }

    @Test
    void hostileNamesAreEscaped() {
        SampleRun run = SampleRun.full().with(SampleRun.contender(HOSTILE, "strategy"));
        run.add("B1", "latency", HOSTILE, "sync").append("unit", HOSTILE).append("value", 1e6);
        run.add(HOSTILE, HOSTILE, HOSTILE, "sync")
                .append("unit", "ns")
                .append("value", 1e6)
                .append("parameters", new Document(HOSTILE, HOSTILE));

        String html = run.html();

        assertThat(html).doesNotContain("<script>alert", "\u0000").contains("&lt;script&gt;", "\\u003cscript\\u003e");
        assertThat(Markup.of(html).all("//title")).hasSize(1);
        assertThat(Markup.of(html).all("//script[not(@type)]")).hasSize(1);
    }

    @Test
    void runWithoutMeasurementsIsMarked() {
        Markup page = page(SampleRun.empty());

        assertThat(page.charts()).isEmpty();
        assertThat(page.one("//*[@id='remarks']").getTextContent())
                .contains("Not measured in this run: Alone, Contention, Hand-off, Recovery, Load, Cost.");
    }

    @Test
    void noiseIsReportedBeforeTheCharts() {
        assertThat(page(SampleRun.full().noisyIn("B11", 0.43)).texts("//*[@id='answer']/p"))
                .anyMatch(note -> note.startsWith("Noisy: baselines drifted by up to 43 % in B11, "));
        assertThat(page(SampleRun.full()).texts("//*[@id='answer']/p")).noneMatch(note -> note.startsWith("Noisy"));
    }

    @Test
    void failedContenderIsNamedWithItsBenchmark() {
        SampleRun run = SampleRun.full().failure("flag-update", "B6", "A lock was lost");

        assertThat(page(run).texts("//aside//li"))
                .containsExactly("Failed: flag-update in B6 (A lock was lost). It has no figures there.");
    }

    private static Markup page(SampleRun run) {
        return run.page();
    }
}
