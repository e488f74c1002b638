package org.mongolocks.benchmarks.page;

import java.util.List;
import org.mongolocks.benchmarks.result.Estimate;

/**
 * Is a line of a chart: one contender.
 *
 * @param label its name
 * @param look how it looks
 * @param points from left to right; with none of them there is no line
 */
record Series(String label, Look look, List<Point> points) {
    /**
     * Is a point of a line.
     *
     * @param x what was set
     * @param y what was measured
     */
    record Point(double x, Estimate y) {}

    Point last() {
        return points.get(points.size() - 1);
    }
}
