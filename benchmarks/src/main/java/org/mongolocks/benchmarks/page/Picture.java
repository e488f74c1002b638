package org.mongolocks.benchmarks.page;

/**
 * The SVG frame of a chart. It is as wide as a phone; larger screens show several charts side by side.
 *
 * @param id a unique id
 * @param title a short title
 * @param description the content in words, for screen readers
 */
record Picture(String id, String title, String description) {
    static final double WIDTH = 400;

    Tag svg(double height, Object... content) {
        return Tag.of("svg", Tag.of("title", title).with("id", id + "-title"))
                .add(Tag.of("desc", description).with("id", id + "-desc"))
                .add(content)
                .with("class", "chart")
                .with("viewBox", "0 0 " + Quantity.plain(WIDTH, 0) + " " + Quantity.plain(height, 0))
                .with("role", "img")
                .with("aria-labelledby", id + "-title " + id + "-desc");
    }

    static Tag text(String style, double x, double y, String content) {
        return Tag.of("text", content).with("class", style).with("x", x).with("y", y);
    }

    static Tag line(String style, double x1, double y1, double[] to) {
        return Tag.of("line")
                .with("class", style)
                .with("x1", x1)
                .with("y1", y1)
                .with("x2", to[0])
                .with("y2", to[1]);
    }

    static Tag across(String style, double x1, double x2, double y) {
        return line(style, x1, y, new double[] {x2, y});
    }

    static Tag upright(String style, double x, double y1, double y2) {
        return line(style, x, y1, new double[] {x, y2});
    }

    /** Shortens a name that does not fit; the table below has the full name. */
    static String shortened(String name, int letters) {
        return name.length() <= letters ? name : name.substring(0, letters - 1) + "…";
    }
}
