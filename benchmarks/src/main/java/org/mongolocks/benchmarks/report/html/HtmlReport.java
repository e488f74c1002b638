package org.mongolocks.benchmarks.report.html;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.CostTable;
import org.mongolocks.benchmarks.report.chart.ChartData;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.choice.Choice;
import org.mongolocks.html.HtmlElement;
import org.mongolocks.html.HtmlPage;

/**
 * The HTML report of a run: one self-contained page without scripts and without network access. It is generated from
 * {@code results.json} alone.
 */
public final class HtmlReport {
    private static final int SMALL = 400_000;

    private final Results results;
    private final ContenderStyles styles;
    private final List<ChartData> charts;

    private HtmlReport(Results results) {
        this.results = results;
        this.styles = new ContenderStyles(results.contenders());
        this.charts = ChartData.of(results.measurements());
    }

    /**
     * Returns the page.
     *
     * @param resultsJson the content of {@code results.json}
     * @throws IllegalArgumentException if the format is not the one that this program writes
     */
    public static String of(String resultsJson) {
        return new HtmlReport(ResultsReader.read(resultsJson)).html();
    }

    private String html() {
        return HtmlPage.fill(resource("head.html"), Map.of("style", resource("page.css"))) + main()
                + "\n</body>\n</html>\n";
    }

    private HtmlElement main() {
        Choice choice = Choice.of(results.run());
        return HtmlElement.of("main", HtmlElement.of("h1", "Which lock on MongoDB, and what it costs"))
                .add(new RecommendationSection(choice, styles).html())
                .add(new ContenderSection(new CostTable(results.run(), choice), styles).html())
                .add(new Warnings(results).html())
                .add(contents())
                .add(Arrays.stream(ReportChapter.values())
                        .flatMap(chapter -> section(chapter).stream())
                        .toList())
                .add(remarks())
                .add(new RunConditionsSection(results.conditions()).html())
                .add(raw());
    }

    private HtmlElement contents() {
        List<HtmlElement> links = Arrays.stream(ReportChapter.values())
                .filter(chapter -> !of(chapter).isEmpty())
                .map(chapter -> HtmlElement.of(
                        "li", HtmlElement.of("a", chapter.title()).with("href", "#" + chapter.id())))
                .toList();
        return HtmlElement.of("nav", HtmlElement.of("ul", links)).with("aria-label", "Charts");
    }

    private List<ChartData> of(ReportChapter chapter) {
        return charts.stream().filter(data -> ReportChapter.of(data) == chapter).toList();
    }

    /** Returns no section for a chapter without measurements. */
    private List<HtmlElement> section(ReportChapter chapter) {
        List<ChartData> all = of(chapter);
        if (all.isEmpty()) {
            return List.of();
        }
        List<HtmlElement> figures = all.stream()
                .filter(data -> !ReportChapter.isMinor(data))
                .flatMap(this::figures)
                .toList();
        List<HtmlElement> minor = all.stream()
                .filter(ReportChapter::isMinor)
                .flatMap(this::figures)
                .toList();
        return List.of(HtmlElement.of(
                        "section",
                        HtmlElement.of("h2", chapter.title()),
                        HtmlElement.of("p", chapter.command()),
                        figures)
                .add(folded(minor))
                .with("id", chapter.id()));
    }

    private Stream<HtmlElement> figures(ChartData data) {
        String id = "-" + charts.indexOf(data);
        Stream<HtmlElement> figures = figures(data, "figure" + id);
        Stream<HtmlElement> tails = figures(data.tails(), "tails" + id);
        Stream<HtmlElement> ratios =
                ReportChapter.isComparedWithBaseline(data) ? figures(data.ratios(), "ratios" + id) : Stream.of();
        return Stream.of(figures, tails, ratios).flatMap(all -> all);
    }

    private Stream<HtmlElement> figures(ChartData data, String id) {
        Optional<Double> noise = ReportChapter.isTimed(data) ? results.noise(data.benchmark()) : Optional.empty();
        return data.isEmpty() ? Stream.of() : new FigureSection(styles, data, noise).under(id).stream();
    }

    private static List<HtmlElement> folded(List<HtmlElement> figures) {
        return figures.isEmpty()
                ? List.of()
                : List.of(
                        HtmlElement.of("details", HtmlElement.of("summary", "The same of other operations"), figures));
    }

    private HtmlElement remarks() {
        List<HtmlElement> lines = new ArrayList<>();
        results.remarks().forEach(remark -> lines.add(HtmlElement.of("li", remark)));
        String missing = Arrays.stream(ReportChapter.values())
                .filter(chapter -> chapter != ReportChapter.MORE && of(chapter).isEmpty())
                .map(ReportChapter::title)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            lines.add(HtmlElement.of("li", "Not measured in this run: " + missing + "."));
        }
        lines.add(HtmlElement.of("li", "docs/compare.md says how each figure is measured, and what it does not say."));
        return HtmlElement.of("section", HtmlElement.of("h2", "Remarks"), HtmlElement.of("ul", lines))
                .with("id", "remarks");
    }

    /** Embeds the results unless they are large, because the page may outlive the file. */
    private List<HtmlElement> raw() {
        return results.json().length() > SMALL
                ? List.of()
                : List.of(HtmlElement.of(
                                "details",
                                HtmlElement.of("summary", "results.json, as it was"),
                                HtmlElement.of("pre", results.json()).with("tabindex", "0"))
                        .with("class", "raw"));
    }

    private static String resource(String name) {
        return HtmlPage.resource(HtmlReport.class, name);
    }
}
