package org.mongolocks.benchmarks.report.html;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.CostTable;
import org.mongolocks.benchmarks.report.Report;
import org.mongolocks.benchmarks.report.chart.ChartData;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.choice.Choice;
import org.mongolocks.benchmarks.report.choice.MeasuredRun;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.reporting.Template;

/** The HTML report of a run: one self-contained page, which loads nothing. Its markup is {@code report.ftlh}. */
public final class HtmlReport {
    private static final int SMALL = 400_000;
    private static final double GIBI = 1024.0 * 1024 * 1024;

    private final Report report;
    private final MeasuredRun run;
    private final ContenderStyles styles;
    private final List<ChartData> charts;

    /**
     * A chapter of the page.
     *
     * @param question what it answers
     * @param minor figures of minor interest, which are folded
     */
    public record Chapter(String id, String title, String question, List<Figure> figures, List<Figure> minor) {}

    private HtmlReport(Report report) {
        this.report = report;
        this.run = report.run();
        this.styles = new ContenderStyles(run.contenders());
        this.charts = ChartData.of(run.measurements());
    }

    /**
     * Returns the page.
     *
     * @param json the run as {@code results.json}, which the page shows unless it is large: it may outlive the file
     */
    public static String of(Report report, String json) {
        return new HtmlReport(report).html(json);
    }

    private String html(String json) {
        Choice choice = Choice.of(run);
        return Template.fill(
                HtmlReport.class,
                "report.ftlh",
                Map.ofEntries(
                        Map.entry("report", report),
                        Map.entry("choice", choice),
                        Map.entry("styles", styles),
                        Map.entry("costs", new CostTable(run, choice).rows()),
                        Map.entry("costColumns", CostTable.COLUMNS),
                        Map.entry("costLegend", CostTable.LEGEND),
                        Map.entry("warnings", warnings()),
                        Map.entry(
                                "chapters",
                                Arrays.stream(ReportChapter.values())
                                        .filter(chapter -> !of(chapter).isEmpty())
                                        .map(this::chapter)
                                        .toList()),
                        Map.entry(
                                "missing",
                                Arrays.stream(ReportChapter.values())
                                        .filter(chapter -> chapter != ReportChapter.MORE
                                                && of(chapter).isEmpty())
                                        .map(ReportChapter::title)
                                        .toList()),
                        Map.entry("memory", memory(report.machine().memoryBytes())),
                        Map.entry(
                                "elapsed",
                                QuantityFormat.number(report.elapsed().toMillis() / 1e3)),
                        Map.entry("json", json.length() > SMALL ? "" : json)));
    }

    private static String memory(long bytes) {
        return bytes > 0 ? QuantityFormat.number(bytes / GIBI) + " GiB, " : "";
    }

    private List<ChartData> of(ReportChapter chapter) {
        return charts.stream().filter(data -> ReportChapter.of(data) == chapter).toList();
    }

    private Chapter chapter(ReportChapter chapter) {
        return new Chapter(
                chapter.id(),
                chapter.title(),
                chapter.question(),
                figures(chapter, data -> !ReportChapter.isMinor(data)),
                figures(chapter, ReportChapter::isMinor));
    }

    private List<Figure> figures(ReportChapter chapter, Predicate<ChartData> kept) {
        return of(chapter).stream().filter(kept).flatMap(this::figures).toList();
    }

    private Stream<Figure> figures(ChartData data) {
        String id = "-" + charts.indexOf(data);
        return Stream.of(
                        figures("figure" + id, data),
                        figures("tails" + id, data.tails()),
                        ReportChapter.isComparedWithBaseline(data)
                                ? figures("ratios" + id, data.ratios())
                                : List.<Figure>of())
                .flatMap(List::stream);
    }

    private List<Figure> figures(String id, ChartData data) {
        Optional<Double> noise = Optional.ofNullable(run.benchmarks().noise().get(data.benchmark()));
        return Figure.of(id, styles, data, noise.filter(drift -> ReportChapter.isTimed(data)));
    }

    /** Returns reasons not to trust the figures of the run. */
    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (LockUnderTest one : run.contenders()) {
            if (one.verdict().status() == Status.VOID) {
                warnings.add("Void: " + one.title() + " let more than one hold a lock"
                        + one.verdict()
                                .reason()
                                .map(reason -> " (" + reason + ")")
                                .orElse("")
                        + ". Its figures count for nothing.");
            }
        }
        for (LockUnderTest one : run.contenders()) {
            one.verdict()
                    .failures()
                    .forEach(failure -> warnings.add("Failed: " + one.title() + " in " + failure.benchmark() + " ("
                            + failure.reason() + "). It has no figures there."));
        }
        report.machine().busy().ifPresent(warnings::add);
        return warnings;
    }
}
