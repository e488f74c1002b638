package org.mongolocks.benchmarks.report.chart;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.html.HtmlElement;

/** A line chart: one line per contender over a numeric parameter, labelled at its end. */
final class LineChart {
    static final double LEFT = 52;
    static final double RIGHT = SvgFrame.WIDTH - 152;
    static final double TOP = 10;
    static final double BOTTOM = 230;
    private static final double HEIGHT = 268;
    private static final double ROOM_FOR_NUMBER = 20;
    private static final double ROOM_FOR_NAME = 12;
    private static final int MAX_LETTERS = 23;

    private final Axes axes;
    private final List<Series> lines;

    /**
     * The axes of the chart.
     *
     * @param x the scale of the parameter, from {@link #LEFT} to {@link #RIGHT}
     * @param settings the values of the parameter, in ascending order
     * @param name the name of the parameter
     * @param y the scale of the measured values, from {@link #BOTTOM} to {@link #TOP}
     * @param unit the unit of the measured values
     */
    record Axes(Scale x, List<Double> settings, String name, Scale y, String unit) {}

    LineChart(Axes axes, List<Series> lines) {
        this.axes = axes;
        this.lines = lines.stream().filter(line -> !line.points().isEmpty()).toList();
    }

    HtmlElement in(SvgFrame picture) {
        return picture.svg(
                height(), upAxis(), alongAxis(), lines.stream().map(this::line).toList(), names());
    }

    private double height() {
        return Math.max(HEIGHT, TOP + (lines.size() + 1) * ROOM_FOR_NAME);
    }

    private HtmlElement upAxis() {
        HtmlElement axis = HtmlElement.of("g");
        double last = Double.MAX_VALUE;
        for (double tick : axes.y().ticks()) {
            double y = axes.y().at(tick);
            axis.add(SvgFrame.across("grid", LEFT, RIGHT, y));
            if (last - y >= ROOM_FOR_NAME) {
                axis.add(SvgFrame.text("scale end", LEFT - 6, y + 4, QuantityFormat.tick(tick, axes.unit())));
                last = y;
            }
        }
        return axis;
    }

    private HtmlElement alongAxis() {
        HtmlElement axis = HtmlElement.of("g", SvgFrame.across("axis", LEFT, RIGHT, BOTTOM));
        double last = -ROOM_FOR_NUMBER;
        for (double setting : axes.settings()) {
            double x = axes.x().at(setting);
            axis.add(SvgFrame.upright("axis", x, BOTTOM, BOTTOM + 4));
            if (x - last >= ROOM_FOR_NUMBER) {
                axis.add(SvgFrame.text("scale middle", x, BOTTOM + 16, QuantityFormat.plain(setting, 2)));
                last = x;
            }
        }
        return axis.add(SvgFrame.text("scale middle", (LEFT + RIGHT) / 2, BOTTOM + 32, axes.name()));
    }

    private HtmlElement line(Series line) {
        HtmlElement drawn = HtmlElement.of("g")
                .add(HtmlElement.of("polyline")
                        .with("class", "line " + line.style().cssClass())
                        .with("stroke-dasharray", line.style().dash())
                        .with("points", line.points().stream().map(this::place).collect(Collectors.joining(" "))));
        line.points().forEach(point -> drawn.add(mark(line.style(), point)));
        return drawn;
    }

    private String place(Point point) {
        return String.format(Locale.ROOT, "%.1f,%.1f", x(point), y(point));
    }

    private HtmlElement mark(SeriesStyle style, Point point) {
        HtmlElement drawn = HtmlElement.of("g");
        point.y()
                .interval()
                .ifPresent(ends -> drawn.add(SvgFrame.upright(
                        "whisker", x(point), axes.y().at(ends.low()), axes.y().at(ends.high()))));
        return drawn.add(style.mark(x(point), y(point)));
    }

    /** Places each name at the end of its line, or as close to it as the other names allow. */
    private HtmlElement names() {
        List<Series> fromAbove = lines.stream()
                .sorted(Comparator.comparingDouble(line -> y(line.last())))
                .toList();
        double[] wanted = fromAbove.stream().mapToDouble(line -> y(line.last())).toArray();
        double[] places = ChartLabels.apart(wanted, ROOM_FOR_NAME, height() - 8);
        HtmlElement names = HtmlElement.of("g");
        for (int i = 0; i < places.length; i++) {
            names.add(name(fromAbove.get(i), places[i]));
        }
        return names;
    }

    private List<HtmlElement> name(Series line, double y) {
        double end = x(line.last());
        return List.of(
                SvgFrame.line("leader", end + 6, y(line.last()), new double[] {RIGHT + 8, y}),
                line.style().mark(RIGHT + 14, y),
                SvgFrame.text("name", RIGHT + 22, y + 4, SvgFrame.shortened(line.label(), MAX_LETTERS)));
    }

    private double x(Point point) {
        return axes.x().at(point.x());
    }

    private double y(Point point) {
        return axes.y().at(point.y().value());
    }

    /**
     * A line of a chart: one contender.
     *
     * @param label its name
     * @param style its style
     * @param points the points in ascending order of x; without points the line is not drawn
     */
    record Series(String label, SeriesStyle style, List<Point> points) {
        Point last() {
            return points.get(points.size() - 1);
        }
    }

    /** The placement of labels in a column. */
    static final class ChartLabels {
        private ChartLabels() {}

        /**
         * Moves labels apart: down to avoid an overlap, and up where they would end below the bottom.
         *
         * @param wanted the preferred positions, in ascending order
         * @param distance the minimum distance
         * @param bottom the lowest position
         */
        static double[] apart(double[] wanted, double distance, double bottom) {
            double[] places = wanted.clone();
            for (int i = 1; i < places.length; i++) {
                places[i] = Math.max(places[i], places[i - 1] + distance);
            }
            double lowest = bottom;
            for (int i = places.length - 1; i >= 0; i--) {
                places[i] = Math.min(places[i], lowest);
                lowest = places[i] - distance;
            }
            return places;
        }
    }

    /**
     * A point of a line.
     *
     * @param x the value of the parameter
     * @param y the measured value
     */
    record Point(double x, Estimate y) {}
}
