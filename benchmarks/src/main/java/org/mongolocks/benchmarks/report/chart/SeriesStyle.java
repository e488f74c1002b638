package org.mongolocks.benchmarks.report.chart;

import java.util.Locale;
import org.mongolocks.html.HtmlElement;

/**
 * The style of a contender in every chart. Each strategy has a colour, a marker and a dash pattern; baselines and peers
 * are grey.
 *
 * @param cssClass the class in the style sheet
 * @param shape the marker
 * @param dash the dash pattern
 */
public record SeriesStyle(String cssClass, MarkerShape shape, String dash) {
    private static final MarkerShape[] SHAPES = {
        MarkerShape.CIRCLE,
        MarkerShape.SQUARE,
        MarkerShape.TRIANGLE,
        MarkerShape.DIAMOND,
        MarkerShape.DOWNWARD,
        MarkerShape.PLUS,
        MarkerShape.HOURGLASS
    };
    private static final String[] DASHES = {"none", "8 3", "3 2", "9 3 2 3", "14 4", "2 5"};
    private static final int COLOURS = 5;

    static final SeriesStyle BASELINE = new SeriesStyle("baseline", MarkerShape.BAR, "1 3");

    /** Returns the style of the strategy at a position in the list, from zero. */
    static SeriesStyle ofStrategy(int place) {
        return new SeriesStyle(
                "s" + (place % COLOURS + 1), SHAPES[place % SHAPES.length], DASHES[place % DASHES.length]);
    }

    /** Returns the style of the peer at a position in the list, from zero. */
    static SeriesStyle ofPeer(int place) {
        return new SeriesStyle("peer", SHAPES[SHAPES.length - 1 - place % SHAPES.length], DASHES[2 + place % 4]);
    }

    HtmlElement mark(double x, double y) {
        return shape.at(x, y).with("class", "mark " + cssClass);
    }

    /** Returns the marker alone, for use in text beside the name. */
    public HtmlElement sample() {
        return HtmlElement.of("svg", mark(6, 6))
                .with("class", "sample")
                .with("viewBox", "0 0 12 12")
                .with("aria-hidden", "true");
    }

    /** The shape of a marker, so that contenders can be distinguished without colour. */
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
}
