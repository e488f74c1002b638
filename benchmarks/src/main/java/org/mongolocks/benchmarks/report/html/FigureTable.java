package org.mongolocks.benchmarks.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.mongolocks.benchmarks.report.chart.ChartData;
import org.mongolocks.benchmarks.report.chart.ChartHeading;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.chart.SettingsText;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.html.HtmlElement;

/** A table of a data set, with all its figures and without empty columns. */
final class FigureTable {
    private final ContenderStyles styles;
    private final ChartData data;

    private record Column(String name, Function<Measurement, String> cell) {}

    FigureTable(ContenderStyles styles, ChartData data) {
        this.styles = styles;
        this.data = data;
    }

    /** Returns the table as HTML; it scrolls if it is wider than the screen. */
    HtmlElement html(String name) {
        List<Column> columns = columns();
        HtmlElement head = HtmlElement.of(
                "tr",
                columns.stream()
                        .map(column -> HtmlElement.of("th", column.name()).with("scope", "col"))
                        .toList());
        List<HtmlElement> rows = data.measurements().stream()
                .sorted(styles.order())
                .map(one -> row(one, columns))
                .toList();
        return HtmlElement.framed(
                "Table: " + name,
                HtmlElement.of("table", HtmlElement.of("thead", head), HtmlElement.of("tbody", rows)));
    }

    private HtmlElement row(Measurement one, List<Column> columns) {
        String id = one.subject().contender();
        HtmlElement name = HtmlElement.of(
                        "th", styles.style(id).sample(), columns.get(0).cell().apply(one))
                .with("scope", "row");
        return HtmlElement.of(
                "tr",
                name,
                columns.stream()
                        .skip(1)
                        .map(column -> HtmlElement.of("td", column.cell().apply(one)))
                        .toList());
    }

    private List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("who", this::name));
        columns.add(new Column("client", one -> one.subject().client().id()));
        SettingsText.names(data.measurements())
                .forEach(name -> columns.add(new Column(ChartHeading.words(name), one -> setting(one, name))));
        columns.add(new Column(
                hasPercentiles() ? "median" : "value",
                one -> quantity(one, one.value().value())));
        columns.add(new Column("95 % interval", one -> QuantityFormat.interval(one.value(), unit())));
        addPercentiles(columns);
        columns.add(new Column("× baseline", FigureTable::ratio));
        columns.add(new Column("samples", one -> QuantityFormat.count((double) one.samples())));
        columns.add(
                new Column("repetitions", one -> Integer.toString(one.value().repetitions())));
        columns.removeIf(this::isEmpty);
        return columns;
    }

    private void addPercentiles(List<Column> columns) {
        columns.add(percentile("90 %", Percentiles::p90));
        columns.add(percentile("99 %", Percentiles::p99));
        columns.add(percentile("99.9 %", Percentiles::p999));
        columns.add(percentile("most", Percentiles::max));
    }

    private Column percentile(String name, ToLongFunction<Percentiles> part) {
        return new Column(
                name,
                one -> one.percentiles()
                        .map(all -> quantity(one, (double) part.applyAsLong(all)))
                        .orElse("–"));
    }

    private boolean isEmpty(Column column) {
        return data.measurements().stream()
                .allMatch(one -> column.cell().apply(one).equals("–"));
    }

    private boolean hasPercentiles() {
        return data.measurements().stream().anyMatch(one -> one.percentiles().isPresent());
    }

    private String name(Measurement one) {
        return styles.title(one.subject().contender()) + (styles.isVoid(one) ? " (void)" : "");
    }

    private static String setting(Measurement one, String name) {
        Object value = one.subject().parameters().get(name);
        return value == null ? "–" : SettingsText.value(value);
    }

    private String quantity(Measurement one, double value) {
        return QuantityFormat.of(value, one.metric().unit());
    }

    private String unit() {
        return data.metric().unit();
    }

    private static String ratio(Measurement one) {
        return one.ratio()
                .map(ratio -> QuantityFormat.times(ratio.times().value()) + around(ratio.times()) + " " + ratio.to())
                .orElse("–");
    }

    private static String around(Estimate times) {
        return times.interval()
                .map(ends -> " (" + QuantityFormat.times(ends.low()) + "–" + QuantityFormat.times(ends.high()) + ")")
                .orElse("");
    }
}
