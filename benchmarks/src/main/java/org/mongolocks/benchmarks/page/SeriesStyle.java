package org.mongolocks.benchmarks.page;

/**
 * The style of a contender in every chart. Each strategy has a colour, a marker and a dash pattern; baselines and peers
 * are grey.
 *
 * @param style the class in the style sheet
 * @param shape the marker
 * @param dash the dash pattern
 */
record SeriesStyle(String style, MarkerShape shape, String dash) {
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

    static final SeriesStyle FLOOR = new SeriesStyle("floor", MarkerShape.BAR, "1 3");

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
        return shape.at(x, y).with("class", "mark " + style);
    }

    /** Returns the marker alone, for use in text beside the name. */
    HtmlElement sample() {
        return HtmlElement.of("svg", mark(6, 6))
                .with("class", "sample")
                .with("viewBox", "0 0 12 12")
                .with("aria-hidden", "true");
    }
}
