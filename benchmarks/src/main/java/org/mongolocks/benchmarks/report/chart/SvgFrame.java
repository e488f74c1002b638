package org.mongolocks.benchmarks.report.chart;

import org.mongolocks.html.HtmlElement;

/**
 * The SVG frame of a chart. It is as wide as a phone; larger screens show several charts side by side.
 *
 * @param id a unique id
 * @param title a short title
 * @param description the content in words, for screen readers
 */
record SvgFrame(String id, String title, String description) {
    static final double WIDTH = 400;

    HtmlElement svg(double height, Object... content) {
        return HtmlElement.of("svg", HtmlElement.of("title", title).with("id", id + "-title"))
                .add(HtmlElement.of("desc", description).with("id", id + "-desc"))
                .add(content)
                .with("class", "chart")
                .with("viewBox", "0 0 " + QuantityFormat.plain(WIDTH, 0) + " " + QuantityFormat.plain(height, 0))
                .with("role", "img")
                .with("aria-labelledby", id + "-title " + id + "-desc");
    }

    static HtmlElement text(String cssClass, double x, double y, String content) {
        return HtmlElement.of("text", content)
                .with("class", cssClass)
                .with("x", x)
                .with("y", y);
    }

    static HtmlElement line(String cssClass, double x1, double y1, double[] to) {
        return HtmlElement.of("line")
                .with("class", cssClass)
                .with("x1", x1)
                .with("y1", y1)
                .with("x2", to[0])
                .with("y2", to[1]);
    }

    static HtmlElement across(String cssClass, double x1, double x2, double y) {
        return line(cssClass, x1, y, new double[] {x2, y});
    }

    static HtmlElement upright(String cssClass, double x, double y1, double y2) {
        return line(cssClass, x, y1, new double[] {x, y2});
    }

    /** Shortens a name that does not fit; the table below has the full name. */
    static String shortened(String name, int letters) {
        return name.length() <= letters ? name : name.substring(0, letters - 1) + "…";
    }
}
