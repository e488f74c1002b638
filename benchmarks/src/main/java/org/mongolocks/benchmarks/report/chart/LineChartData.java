package org.mongolocks.benchmarks.report.chart;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.chart.LineChart.Axes;
import org.mongolocks.benchmarks.report.chart.LineChart.Point;
import org.mongolocks.benchmarks.report.chart.LineChart.Series;
import org.mongolocks.benchmarks.result.Measurement;

/** The data of a line chart. */
final class LineChartData {
    private final ContenderStyles styles;
    private final ChartData data;
    private final String axis;

    LineChartData(ContenderStyles styles, ChartData data, String axis) {
        this.styles = styles;
        this.data = data;
        this.axis = axis;
    }

    /** Returns a chart of the shown measurements, on the scales of all measurements. */
    LineChart chart(List<Measurement> shown) {
        double[] settings = data.measurements().stream()
                .flatMapToDouble(one -> setting(one).stream())
                .distinct()
                .sorted()
                .toArray();
        double[] values = data.measurements().stream()
                .flatMapToDouble(LineChartData::values)
                .toArray();
        Axes axes = new Axes(
                Scale.forSettings(settings, LineChart.LEFT, LineChart.RIGHT),
                DoubleStream.of(settings).boxed().toList(),
                ChartHeading.words(axis),
                Scale.forValues(values, LineChart.BOTTOM, LineChart.TOP),
                data.metric().unit());
        return new LineChart(axes, lines(shown, axes.settings()));
    }

    private List<Series> lines(List<Measurement> shown, List<Double> settings) {
        return shown.stream()
                .map(one -> one.subject().contender())
                .distinct()
                .map(id -> new Series(styles.title(id), styles.style(id), points(id, shown, settings)))
                .toList();
    }

    private List<Point> points(String id, List<Measurement> shown, List<Double> settings) {
        return shown.stream()
                .filter(one -> one.subject().contender().equals(id))
                .flatMap(one -> points(one, settings))
                .sorted(Comparator.comparingDouble(Point::x))
                .toList();
    }

    /** Returns the points of a measurement. One without the parameter, such as a baseline, is a horizontal line. */
    private Stream<Point> points(Measurement one, List<Double> settings) {
        OptionalDouble setting = setting(one);
        return setting.isPresent()
                ? Stream.of(new Point(setting.getAsDouble(), one.value()))
                : settings.stream().map(x -> new Point(x, one.value()));
    }

    private OptionalDouble setting(Measurement one) {
        return one.subject().parameters().get(axis) instanceof Number number
                ? OptionalDouble.of(number.doubleValue())
                : OptionalDouble.empty();
    }

    private static DoubleStream values(Measurement one) {
        return DoubleStream.concat(
                DoubleStream.of(one.value().value()),
                one.value().interval().stream().flatMapToDouble(ends -> DoubleStream.of(ends.low(), ends.high())));
    }
}
