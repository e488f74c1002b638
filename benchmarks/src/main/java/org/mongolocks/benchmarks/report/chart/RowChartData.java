package org.mongolocks.benchmarks.report.chart;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.mongolocks.benchmarks.report.chart.RowChart.Row;
import org.mongolocks.benchmarks.report.chart.Scale.Spacing;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;

/** The data of a row chart. */
final class RowChartData {
    private static final double FAR = 20;

    private final ContenderStyles styles;
    private final ChartData data;

    RowChartData(ContenderStyles styles, ChartData data) {
        this.styles = styles;
        this.data = data;
    }

    /** Returns a chart of the shown measurements, on the scale of all measurements. */
    RowChart chart(List<Measurement> shown) {
        double[] values = data.measurements().stream()
                .map(this::row)
                .flatMapToDouble(Row::values)
                .toArray();
        return new RowChart(
                scale(values),
                data.metric().unit(),
                shown.stream().map(this::row).toList());
    }

    private Scale scale(double... values) {
        if (data.isAgainstBaseline()) {
            return aroundOne(values);
        }
        boolean isSpread =
                data.measurements().stream().anyMatch(one -> one.percentiles().isPresent());
        return isSpread
                ? Scale.logarithmic(values, RowChart.LEFT, RowChart.RIGHT)
                : Scale.forValues(values, RowChart.LEFT, RowChart.RIGHT);
    }

    /** Returns a scale around 1. Ratios close to the baseline would be indistinguishable on a scale from zero. */
    private static Scale aroundOne(double... values) {
        double least = Math.min(0.95, DoubleStream.of(values).min().orElse(1));
        double most = Math.max(1.1, DoubleStream.of(values).max().orElse(1));
        if (most > FAR) {
            return Scale.logarithmic(values, RowChart.LEFT, RowChart.RIGHT);
        }
        double margin = (most - least) * 0.04;
        return new Scale(Spacing.LINEAR, Math.max(0, least - margin), most + margin, RowChart.LEFT, RowChart.RIGHT);
    }

    private Row row(Measurement one) {
        String id = one.subject().contender();
        String setting = SettingsText.words(SettingsText.telling(one, data.measurements()));
        String label = styles.title(id) + (setting.isEmpty() ? "" : " · " + setting);
        return new Row(label, styles.style(id), words(one), one, baseline(one));
    }

    private static String words(Measurement one) {
        String value = QuantityFormat.of(one.value().value(), one.metric().unit());
        return value
                + one.ratio()
                        .map(ratio -> " · " + QuantityFormat.times(ratio.times().value()) + " × baseline")
                        .orElse("");
    }

    private OptionalDouble baseline(Measurement one) {
        return data.isAgainstBaseline()
                ? OptionalDouble.of(1)
                : one.ratio().map(ratio -> baseline(one, ratio)).orElse(OptionalDouble.empty());
    }

    /**
     * Returns the value of the baseline. A baseline that was measured with one client only also applies to the other.
     */
    private OptionalDouble baseline(Measurement one, Ratio ratio) {
        return data.measurements().stream()
                .filter(other -> other.subject().contender().equals(ratio.to()))
                .sorted(Comparator.comparing(
                        other -> other.subject().client() != one.subject().client()))
                .mapToDouble(other -> other.value().value())
                .findFirst();
    }
}
