package org.mongolocks.benchmarks.page;

/**
 * Is how a contender looks in every picture: strategies have a colour, a form and a dash each; floors and peers are grey.
 *
 * @param style the class that the style sheet knows
 * @param shape the form of its marks
 * @param dash the dashes of its lines
 */
record Look(String style, Shape shape, String dash) {
    private static final Shape[] SHAPES = {
        Shape.CIRCLE, Shape.SQUARE, Shape.TRIANGLE, Shape.DIAMOND, Shape.DOWNWARD, Shape.PLUS, Shape.HOURGLASS
    };
    private static final String[] DASHES = {"none", "8 3", "3 2", "9 3 2 3", "14 4", "2 5"};
    private static final int COLOURS = 5;

    static final Look FLOOR = new Look("floor", Shape.BAR, "1 3");

    /** Gives the look of the strategy at a place in the list, from zero. */
    static Look ofStrategy(int place) {
        return new Look("s" + (place % COLOURS + 1), SHAPES[place % SHAPES.length], DASHES[place % DASHES.length]);
    }

    /** Gives the look of the peer at a place in the list, from zero. */
    static Look ofPeer(int place) {
        return new Look("peer", SHAPES[SHAPES.length - 1 - place % SHAPES.length], DASHES[2 + place % 4]);
    }

    Tag mark(double x, double y) {
        return shape.at(x, y).with("class", "mark " + style);
    }

    /** Gives the mark alone, to stand in a line of text beside the name. */
    Tag sample() {
        return Tag.of("svg", mark(6, 6))
                .with("class", "sample")
                .with("viewBox", "0 0 12 12")
                .with("aria-hidden", "true");
    }
}
