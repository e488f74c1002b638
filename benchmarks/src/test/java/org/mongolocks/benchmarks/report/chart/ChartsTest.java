package org.mongolocks.benchmarks.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.html.Markup;
import org.mongolocks.benchmarks.report.html.ResultsReader;
import org.mongolocks.benchmarks.report.html.SampleRun;
import org.mongolocks.benchmarks.result.Client;
import org.w3c.dom.Element;

/** Every measurement is drawn in a chart and listed in the table below it. */
class ChartsTest {
    @Test
    void everyContenderIsInEachChartThatThereAreFiguresOfItFor() {
        SampleRun run = SampleRun.full();
        Markup page = page(run);

        for (ChartData data : charts(run)) {
            for (String client : clients(data)) {
                assertThat(charts(page, run, data, client))
                        .as(data.benchmark() + " " + data.metric().name() + " " + client)
                        .isNotEmpty()
                        .allSatisfy(chart -> assertThat(chart).contains(contenders(data, client)));
            }
        }
    }

    @Test
    void everyFigureIsInATableBelow() {
        SampleRun run = SampleRun.full();
        Markup page = page(run);
        long measurements = run.measurements().size();

        assertThat(page.all("//figure[starts-with(@id, 'figure-')]//tbody/tr")).hasSize((int) measurements);
        assertThat(page.all("//figure[count(.//details//table) != 1]")).isEmpty();
    }

    @Test
    void measurementsByNumberOfWaitersAreDrawnAsLines() {
        Markup page = page(SampleRun.full());

        assertThat(charts(page, "//figure[contains(., 'Commands for each grant')]//*[@class='chart lines']"))
                .hasSize(2 * 2)
                .allSatisfy(chart -> assertThat(rows(chart).stream()
                                .collect(Collectors.groupingBy(row -> row.get("label"), Collectors.counting())))
                        .hasSize(5)
                        .allSatisfy((label, points) -> assertThat(points).isEqualTo(5)));
    }

    @Test
    void baselineWithoutWaitersIsAHorizontalLine() {
        SampleRun run = SampleRun.full();
        run.add("B6", "throughput", SampleRun.BASELINE, "sync")
                .append("unit", "1/s")
                .append("value", 900.0);

        List<Document> baselines =
                charts(page(run), "//figure[contains(., 'Grants a second')]//*[@role='img']").stream()
                        .flatMap(chart -> rows(chart).stream())
                        .filter(row -> !row.containsKey("x"))
                        .toList();

        assertThat(baselines)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .containsEntry("label", SampleRun.BASELINE)
                        .containsEntry("colour", "ink")
                        .containsEntry("value", 900.0));
    }

    @Test
    void measurementWithABaselineShowsTheBaseline() {
        Markup page = page(SampleRun.full());

        assertThat(baselines(page, "Time: acquire and release")).hasSize(2 * 5);
        assertThat(charts(
                        page,
                        "//figure[contains(figcaption/h3, 'Times the baseline: acquire and release')]//*[@role='img']"))
                .hasSize(2);
    }

    @Test
    void baselineOfOneClientAppliesToTheOther() {
        SampleRun run = SampleRun.full()
                .without(one -> "floor-hand-off".equals(one.get("contender")) && "reactive".equals(one.get("client")));

        assertThat(baselines(page(run), "Time: hand-off")).hasSize(2 * 5);
    }

    @Test
    void noiseIsShownBesideTheAffectedFigures() {
        Markup page = page(SampleRun.full().noisyIn("B11", 0.13).noisyIn("B11", 0.41));

        assertThat(page.texts("//figure[contains(., 'Noisy: baselines of B11 drifted by up to 41 %')]/figcaption/h3"))
                .containsExactly("Time: fixed rates");
    }

    @Test
    void strategiesDifferInFormToo() {
        Markup page = page(SampleRun.full());

        List<String> forms = page.all("//*[@id='promises']//tbody/tr//*[@class='mark']").stream()
                .map(mark -> mark.getAttribute("data-glyph"))
                .limit(5)
                .toList();
        assertThat(forms).hasSize(5).doesNotHaveDuplicates();
        assertThat(rows(page.charts().get(0)).stream()
                        .filter(row -> SampleRun.STRATEGIES.contains(row.getString("label")))
                        .map(row -> row.getString("symbol")))
                .hasSize(5)
                .doesNotHaveDuplicates();
    }

    @Test
    void ofLatenciesOverAnAxisTheTailIsDrawnToo() {
        SampleRun run = SampleRun.empty().with(SampleRun.contender("insert-unique", "strategy"));
        for (int rate : List.of(50, 200, 800)) {
            run.latency("B11", "insert-unique", "sync", 1).append("parameters", new Document("ratePerSecond", rate));
        }

        assertThat(page(run).texts("//figcaption/h3"))
                .containsExactly("Time: fixed rates", "Time that 99 of 100 do not exceed: fixed rates");
    }

    @Test
    void peersAreAlwaysShownWithTheirGuarantees() {
        Markup page = page(SampleRun.full());

        assertThat(page.texts(
                        "//figure[.//script[contains(., '\"colour\": \"soft\"')]][not(contains(., 'shedlock is'))]"))
                .isEmpty();
        assertThat(page.one("//figure[@id='figure-0-1']").getTextContent())
                .contains("shedlock is durable: as the driver is set; fencing: none; owner check: none; clock: each");
    }

    @Test
    void voidContenderIsNamedAndNotDrawn() {
        Markup page = page(SampleRun.full().verdict("flag-update", "void", "Two were in"));

        assertThat(page.texts("//*[@role='img']")).isNotEmpty().noneMatch(chart -> chart.contains("flag-update"));
        assertThat(page.one("//figure[@id='figure-0-1']").getTextContent())
                .contains("Void and not drawn: flag-update.", "flag-update (void)");
        assertThat(page.texts("//aside")).singleElement().asString().contains("Void: flag-update", "Two were in");
    }

    @Test
    void skippedPeersAreShownWithTheReason() {
        SampleRun run = SampleRun.full().without(one -> SampleRun.PEERS.contains(one.getString("contender")));
        SampleRun.PEERS.forEach(peer -> run.verdict(peer, "skipped", "No server was named for " + peer));
        Markup page = page(run);

        assertThat(page.texts("//*[@role='img']")).noneMatch(chart -> chart.contains("redisson"));
        assertThat(page.one("//*[@id='promises']").getTextContent())
                .contains("skipped: No server was named for redisson");
    }

    @Test
    void aRunOfOneStrategyHasItsChartsAll() {
        SampleRun run = SampleRun.full().without(one -> !"insert-unique".equals(one.get("contender")));

        assertThat(page(run).texts("//*[@role='img']"))
                .hasSizeGreaterThan(20)
                .allMatch(chart -> chart.contains("insert-unique") && !chart.contains("NaN"));
    }

    @Test
    void zeroValuesAreShown() {
        SampleRun run = SampleRun.empty().with(SampleRun.contender("insert-unique", "strategy"));
        for (int waiters : List.of(0, 10, 100)) {
            run.add("B8", "idleCommands", "insert-unique", "sync")
                    .append("unit", "1/s")
                    .append("value", 0.0)
                    .append("parameters", new Document("waiters", waiters));
        }
        run.add("B3", "latency", "insert-unique", "sync").append("unit", "ns").append("value", 0.0);

        assertThat(charts(page(run), "//*[@role='img']"))
                .hasSize(2)
                .allSatisfy(chart ->
                        assertThat(rows(chart)).allMatch(row -> row.get("value").equals(0.0)));
    }

    private static List<ChartData> charts(SampleRun run) {
        return ChartData.of(ResultsReader.read(run.json()).findings().measurements());
    }

    private static List<String> clients(ChartData data) {
        return data.measurements().stream()
                .map(one -> one.subject().client().id())
                .distinct()
                .toList();
    }

    private static List<String> contenders(ChartData data, String client) {
        return data.measurements().stream()
                .filter(one -> one.subject().client() == Client.valueOf(client.toUpperCase(Locale.ROOT)))
                .map(one -> one.subject().contender())
                .distinct()
                .toList();
    }

    private static List<String> charts(Markup page, SampleRun run, ChartData data, String client) {
        List<String> charts = new ArrayList<>();
        String figures = "figure-" + charts(run).indexOf(data) + "-";
        for (Element chart : page.all("//figure[starts-with(@id, '" + figures + "')]//*[@role='img']")) {
            if (chart.getAttribute("aria-label").endsWith(", " + client + " client")) {
                charts.add(chart.getTextContent());
            }
        }
        return charts;
    }

    private static List<Document> charts(Markup page, String path) {
        return page.texts(path + "/script").stream().map(Document::parse).toList();
    }

    private static List<Document> rows(Document chart) {
        return chart.getList("rows", Document.class);
    }

    /** Returns the rows of a figure that show their baseline. */
    private static List<Document> baselines(Markup page, String title) {
        return charts(page, "//figure[contains(figcaption/h3, '" + title + "')]//*[@role='img']").stream()
                .flatMap(chart -> rows(chart).stream())
                .filter(row -> row.containsKey("baseline"))
                .toList();
    }

    private static Markup page(SampleRun run) {
        return run.page();
    }
}
