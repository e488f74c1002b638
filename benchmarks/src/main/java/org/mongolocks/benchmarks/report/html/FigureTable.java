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

/** A table of a data set, with all its figures and without empty columns. */
public final class FigureTable {
    private static final String NONE = "–";

    private final ContenderStyles styles;
    private final ChartData data;
    private final List<Column> columns = new ArrayList<>();

    private record Column(String name, Function<Measurement, String> cell) {}

    /**
     * A row.
     *
     * @param contender the id of the contender
     * @param isVoid whether its figures are void
     * @param cells the cells beside its name
     */
    public record Row(String contender, boolean isVoid, List<String> cells) {}

    FigureTable(ContenderStyles styles, ChartData data) {
        this.styles = styles;
        this.data = data;
        boolean hasPercentiles =
                data.measurements().stream().anyMatch(one -> one.percentiles().isPresent());
        column("client", one -> one.subject().client().id());
        SettingsText.names(data.measurements())
                .forEach(name -> column(ChartHeading.words(name), one -> {
                    Object value = one.subject().parameters().get(name);
                    return value == null ? NONE : SettingsText.value(value);
                }));
        column(
                hasPercentiles ? "median" : "value",
                one -> QuantityFormat.of(one.value().value(), one.metric().unit()));
        column(
                "95 % interval",
                one -> QuantityFormat.interval(one.value(), one.metric().unit()));
        percentile("90 %", Percentiles::p90);
        percentile("99 %", Percentiles::p99);
        percentile("99.9 %", Percentiles::p999);
        percentile("most", Percentiles::max);
        column("× baseline", FigureTable::ratio);
        column("samples", one -> QuantityFormat.count((double) one.samples()));
        column("repetitions", one -> Integer.toString(one.value().repetitions()));
    }

    private void column(String name, Function<Measurement, String> cell) {
        if (!data.measurements().stream().map(cell).allMatch(NONE::equals)) {
            columns.add(new Column(name, cell));
        }
    }

    private void percentile(String name, ToLongFunction<Percentiles> part) {
        column(
                name,
                one -> one.percentiles()
                        .map(all -> QuantityFormat.of(
                                (double) part.applyAsLong(all), one.metric().unit()))
                        .orElse(NONE));
    }

    private static String ratio(Measurement one) {
        return one.ratio()
                .map(ratio -> QuantityFormat.times(ratio.times().value()) + around(ratio.times()) + " " + ratio.to())
                .orElse(NONE);
    }

    private static String around(Estimate times) {
        return times.interval()
                .map(ends -> " (" + QuantityFormat.times(ends.low()) + "–" + QuantityFormat.times(ends.high()) + ")")
                .orElse("");
    }

    /** Returns the names of the columns, that of the contenders first. */
    public List<String> columns() {
        List<String> names = new ArrayList<>(List.of("who"));
        columns.forEach(column -> names.add(column.name()));
        return names;
    }

    public List<Row> rows() {
        return data.measurements().stream()
                .sorted(styles.order())
                .map(one -> new Row(
                        one.subject().contender(),
                        styles.isVoid(one),
                        columns.stream().map(column -> column.cell().apply(one)).toList()))
                .toList();
    }
}
