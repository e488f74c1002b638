package org.mongolocks.benchmarks.report.chart;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.html.HtmlElement;

/**
 * A row chart: one row per contender, with its name, its figure in words, and below them its position on the scale that
 * all rows share. A latency has a mark at the median, strokes at the 90th and 99th percentile, and a ring at the
 * 99.9th. Any other figure is a bar from zero or, on a scale without zero, from the baseline.
 */
final class RowChart {
    static final double LEFT = 8;
    static final double RIGHT = SvgFrame.WIDTH - 12;
    private static final double TOP = 4;
    private static final double HEIGHT = 36;
    private static final double ROOM_FOR_SCALE = 22;
    private static final double ROOM_FOR_NUMBER = 44;
    private static final int LETTERS = 60;
    private static final int MIN_LETTERS = 10;

    private final Scale scale;
    private final String unit;
    private final List<Row> rows;

    /** Creates a chart on a scale from {@link #LEFT} to {@link #RIGHT}. */
    RowChart(Scale scale, String unit, List<Row> rows) {
        this.scale = scale;
        this.unit = unit;
        this.rows = rows;
    }

    HtmlElement in(SvgFrame picture) {
        List<HtmlElement> drawn = IntStream.range(0, rows.size())
                .mapToObj(i -> row(rows.get(i), TOP + i * HEIGHT))
                .toList();
        return picture.svg(bottom() + ROOM_FOR_SCALE, grid(), drawn);
    }

    private double bottom() {
        return TOP + rows.size() * HEIGHT;
    }

    private HtmlElement grid() {
        HtmlElement grid = HtmlElement.of("g");
        double last = -ROOM_FOR_NUMBER;
        for (double tick : scale.ticks()) {
            double x = scale.at(tick);
            grid.add(SvgFrame.upright("grid", x, TOP, bottom()));
            if (x - last >= ROOM_FOR_NUMBER) {
                grid.add(number(x, tick));
                last = x;
            }
        }
        return grid;
    }

    private HtmlElement number(double x, double tick) {
        double inside = Math.min(RIGHT - ROOM_FOR_NUMBER / 2, Math.max(LEFT + 12, x));
        return SvgFrame.text("scale middle", inside, bottom() + 15, QuantityFormat.tick(tick, unit));
    }

    private HtmlElement row(Row row, double y) {
        double middle = y + 25;
        HtmlElement drawn = HtmlElement.of("g")
                .add(SvgFrame.text(
                        "name",
                        LEFT,
                        y + 13,
                        SvgFrame.shortened(
                                row.label(),
                                Math.max(MIN_LETTERS, LETTERS - row.words().length()))))
                .add(SvgFrame.text("words end", RIGHT, y + 13, row.words()))
                .add(SvgFrame.across("track", LEFT, RIGHT, middle));
        row.baseline()
                .ifPresent(baseline -> drawn.add(SvgFrame.upright("own-baseline", scale.at(baseline), y + 18, y + 32)));
        row.measurement()
                .percentiles()
                .ifPresentOrElse(spread -> drawn.add(spread(row, spread, middle)), () -> drawn.add(bar(row, middle)));
        return drawn.add(row.style().mark(scale.at(row.value()), middle));
    }

    private List<HtmlElement> spread(Row row, Percentiles spread, double y) {
        String cssClass = row.style().cssClass();
        double p90 = x(spread.p90());
        double ring = x(spread.p999());
        return List.of(
                SvgFrame.across("thick " + cssClass, x(spread.p50()), p90, y),
                SvgFrame.across("thin " + cssClass, p90, ring, y),
                SvgFrame.upright("thin " + cssClass, p90, y - 5, y + 5),
                SvgFrame.upright("thin " + cssClass, x(spread.p99()), y - 5, y + 5),
                HtmlElement.of("circle")
                        .with("class", "ring " + cssClass)
                        .with("cx", ring)
                        .with("cy", y)
                        .with("r", 3));
    }

    private double x(long nanos) {
        return scale.at((double) nanos);
    }

    private HtmlElement bar(Row row, double y) {
        double start = scale.low() > 0 ? scale.at(row.baseline().orElse(scale.low())) : LEFT;
        HtmlElement bar =
                HtmlElement.of("g", SvgFrame.across("bar " + row.style().cssClass(), start, scale.at(row.value()), y));
        row.measurement().value().interval().ifPresent(interval -> bar.add(whisker(interval, y)));
        return bar;
    }

    private List<HtmlElement> whisker(Interval interval, double y) {
        double from = scale.at(interval.low());
        double until = scale.at(interval.high());
        return List.of(
                SvgFrame.across("whisker", from, until, y),
                SvgFrame.upright("whisker", from, y - 4, y + 4),
                SvgFrame.upright("whisker", until, y - 4, y + 4));
    }

    /**
     * A row of a chart: one contender.
     *
     * @param label its name
     * @param style its style
     * @param words its figures in words
     * @param measurement its figures
     * @param baseline the value of its baseline, if that was measured too
     */
    record Row(String label, SeriesStyle style, String words, Measurement measurement, OptionalDouble baseline) {
        double value() {
            return measurement.value().value();
        }

        /** Returns all values that must fit on the scale. */
        DoubleStream values() {
            DoubleStream ends = measurement.value().interval().stream().flatMapToDouble(Row::both);
            DoubleStream spread = measurement.percentiles().stream().flatMapToDouble(Row::spread);
            return DoubleStream.concat(
                    DoubleStream.concat(DoubleStream.of(value()), baseline.stream()),
                    DoubleStream.concat(ends, spread));
        }

        private static DoubleStream both(Interval interval) {
            return DoubleStream.of(interval.low(), interval.high());
        }

        private static DoubleStream spread(Percentiles percentiles) {
            return DoubleStream.of((double) percentiles.p50(), (double) percentiles.p999());
        }
    }
}
