package org.mongolocks.benchmarks.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.report.html.HtmlReport;
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

        assertThat(page.all("//figure[contains(., 'Commands for each grant')]//polyline"))
                .hasSize(2 * 2 * 5)
                .allSatisfy(line ->
                        assertThat(line.getAttribute("points").split(" ", -1)).hasSize(5));
    }

    @Test
    void baselineWithoutWaitersIsAHorizontalLine() {
        SampleRun run = SampleRun.full();
        run.add("B6", "throughput", SampleRun.BASELINE, "sync")
                .append("unit", "1/s")
                .append("value", 900.0);

        List<Element> baselines =
                page(run).all("//figure[contains(., 'Grants a second')]//polyline[@class='line baseline']");

        assertThat(baselines).hasSize(2).allSatisfy(line -> {
            List<String> heights = Stream.of(line.getAttribute("points").split(" ", -1))
                    .map(point -> point.substring(point.indexOf(',')))
                    .toList();
            assertThat(heights).hasSize(5).containsOnly(heights.get(0));
        });
    }

    @Test
    void measurementWithABaselineShowsTheBaseline() {
        Markup page = page(SampleRun.full());

        assertThat(page.all("//figure[contains(figcaption/h3, 'Time: acquire and release')]//*[@class='own-baseline']"))
                .hasSize(2 * 5);
        assertThat(
                        page.all(
                                "//figure[contains(figcaption/h3, 'Times the baseline: acquire and release')]//*[@class='chart']"))
                .hasSize(2);
    }

    @Test
    void baselineOfOneClientAppliesToTheOther() {
        SampleRun run = SampleRun.full()
                .without(one -> "floor-hand-off".equals(one.get("contender")) && "reactive".equals(one.get("client")));

        assertThat(page(run).all("//figure[contains(figcaption/h3, 'Time: hand-off')]//*[@class='own-baseline']"))
                .hasSize(2 * 5);
    }

    @Test
    void noiseIsShownBesideTheAffectedFigures() {
        Markup page = page(SampleRun.full().noisyIn("B2", 0.13).noisyIn("B2", 0.41));

        assertThat(page.texts("//figure[contains(., 'Noisy: baselines of B2 drifted by up to 41 %')]/figcaption/h3"))
                .containsExactly("Time: a try that is refused");
    }

    @Test
    void strategiesDifferInFormToo() {
        Markup page = page(SampleRun.full());

        List<String> forms = page.all("//*[@id='promises']//tbody/tr//path").stream()
                .limit(5)
                .map(mark -> mark.getAttribute("d"))
                .toList();
        assertThat(forms).hasSize(5).doesNotHaveDuplicates();
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

        assertThat(page.texts("//figure[.//*[contains(@class, 'mark peer')]][not(contains(., 'shedlock is'))]"))
                .isEmpty();
        assertThat(page.one("//figure[@id='figure-0-1']").getTextContent())
                .contains("shedlock is durable: as the driver is set; fencing: none; owner check: none; clock: each");
    }

    @Test
    void voidContenderIsNamedAndNotDrawn() {
        Markup page = page(SampleRun.full().verdict("flag-update", "void", "Two were in"));

        assertThat(page.texts("//*[@class='chart']")).isNotEmpty().noneMatch(chart -> chart.contains("flag-update"));
        assertThat(page.one("//figure[@id='figure-0-1']").getTextContent())
                .contains("Void and not drawn: flag-update.", "flag-update (void)");
        assertThat(page.texts("//aside")).singleElement().asString().contains("Void: flag-update", "Two were in");
    }

    @Test
    void skippedPeersAreShownWithTheReason() {
        SampleRun run = SampleRun.full().without(one -> SampleRun.PEERS.contains(one.getString("contender")));
        SampleRun.PEERS.forEach(peer -> run.verdict(peer, "skipped", "No server was named for " + peer));
        Markup page = page(run);

        assertThat(page.texts("//*[@class='chart']")).noneMatch(chart -> chart.contains("redisson"));
        assertThat(page.one("//*[@id='promises']").getTextContent())
                .contains("skipped: No server was named for redisson");
    }

    @Test
    void aRunOfOneStrategyHasItsChartsAll() {
        SampleRun run = SampleRun.full().without(one -> !"insert-unique".equals(one.get("contender")));

        assertThat(page(run).texts("//*[@class='chart']"))
                .hasSizeGreaterThan(20)
                .allMatch(chart -> chart.contains("insert-unique") && !chart.contains("NaN"));
    }

    @Test
    void zeroValuesCanBeDrawn() {
        SampleRun run = SampleRun.empty().with(SampleRun.contender("insert-unique", "strategy"));
        for (int waiters : List.of(0, 10, 100)) {
            run.add("B8", "idleCommands", "insert-unique", "sync")
                    .append("unit", "1/s")
                    .append("value", 0.0)
                    .append("parameters", new Document("waiters", waiters));
        }
        run.add("B3", "latency", "insert-unique", "sync").append("unit", "ns").append("value", 0.0);

        assertThat(HtmlReport.of(run.json())).doesNotContain("NaN", "Infinity");
    }

    private static List<ChartData> charts(SampleRun run) {
        return ChartData.of(ResultsReader.read(run.json()).measurements());
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
        for (Element chart : page.all("//*[@class='chart'][title[starts-with(@id, '" + figures + "')]]")) {
            if (chart.getAttribute("aria-labelledby").contains("-" + client + "-title")) {
                charts.add(chart.getTextContent());
            }
        }
        return charts;
    }

    private static Markup page(SampleRun run) {
        return Markup.of(HtmlReport.of(run.json()));
    }
}
