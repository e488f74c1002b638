package org.mongolocks.benchmarks.page;

import java.util.Locale;

/** The shape of a marker, so that contenders can be told apart without colour. */
enum MarkerShape {
    CIRCLE("M-4,0 a4,4 0 1,0 8,0 a4,4 0 1,0 -8,0 Z"),
    SQUARE("M-3.7,-3.7 H3.7 V3.7 H-3.7 Z"),
    TRIANGLE("M0,-4.8 L4.6,3.6 H-4.6 Z"),
    DIAMOND("M0,-5.2 L5.2,0 L0,5.2 L-5.2,0 Z"),
    DOWNWARD("M0,4.8 L4.6,-3.6 H-4.6 Z"),
    PLUS("M-1.5,-4.8 H1.5 V-1.5 H4.8 V1.5 H1.5 V4.8 H-1.5 V1.5 H-4.8 V-1.5 H-1.5 Z"),
    HOURGLASS("M-4.2,-4.6 H4.2 L-4.2,4.6 H4.2 Z"),
    BAR("M-1.6,-5 H1.6 V5 H-1.6 Z");

    private final String path;

    MarkerShape(String path) {
        this.path = path;
    }

    HtmlElement at(double x, double y) {
        String place = String.format(Locale.ROOT, "translate(%.1f %.1f)", x, y);
        return HtmlElement.of("path").with("d", path).with("transform", place);
    }
}
