package org.mongolocks.benchmarks.page;

import java.util.List;
import org.mongolocks.benchmarks.result.Estimate;

/**
 * A line of a chart: one contender.
 *
 * @param label its name
 * @param look its style
 * @param points the points in ascending order of x; without points the line is not drawn
 */
record Series(String label, SeriesStyle look, List<Point> points) {
    /**
     * A point of a line.
     *
     * @param x the value of the parameter
     * @param y the measured value
     */
    record Point(double x, Estimate y) {}

    Point last() {
        return points.get(points.size() - 1);
    }
}
