package org.mongolocks.study.report;

import static org.mongolocks.html.HtmlElement.number;

import org.mongolocks.html.HtmlElement;

/** The lines of one command in one SVG path, which keeps the number of elements small. */
final class Path {
    private static final double HEAD = 5;
    private static final double LOST_AFTER = 0.55;
    private static final double LOST_WIDTH = 8;

    final StringBuilder ask = new StringBuilder();
    final StringBuilder reply = new StringBuilder();
    private final StringBuilder heads = new StringBuilder();
    private final StringBuilder gone = new StringBuilder();

    /** A point of the picture. */
    record Point(double x, double y) {
        Point towards(Point other, double part) {
            return new Point(x + (other.x - x) * part, y + (other.y - y) * part);
        }

        double distance(Point other) {
            return Math.hypot(other.x - x, other.y - y);
        }

        @Override
        public String toString() {
            return number(x) + " " + number(y);
        }
    }

    void arrow(StringBuilder line, Point from, Point to) {
        double length = Math.max(1, from.distance(to));
        Point neck = to.towards(from, HEAD / length);
        double dx = (to.y - from.y) * HEAD / 2 / length;
        double dy = (from.x - to.x) * HEAD / 2 / length;
        line(line, from, neck);
        line(heads, to, new Point(neck.x + dx, neck.y + dy));
        heads.append("L").append(new Point(neck.x - dx, neck.y - dy)).append("z");
    }

    /** Draws a lost message: it ends on its way, a little to the right, because the time of its loss is unknown. */
    void lost(StringBuilder line, Point from, Point to) {
        Point end = from.towards(new Point(to.x + LOST_WIDTH / LOST_AFTER, to.y), LOST_AFTER);
        line(line, from, end);
        cross(end);
    }

    void cross(Point at) {
        gone.append("M").append(new Point(at.x - 4, at.y - 4)).append("l8 8m0-8l-8 8");
    }

    private static void line(StringBuilder to, Point from, Point end) {
        to.append("M").append(from).append("L").append(end);
    }

    String svg() {
        return path("ask", ask) + path("reply", reply) + path("head", heads) + path("gone", gone);
    }

    private static String path(String kind, StringBuilder line) {
        return line.isEmpty()
                ? ""
                : HtmlElement.of("path").with("class", kind).with("d", line).toString();
    }
}
