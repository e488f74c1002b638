package org.mongolocks.benchmarks.report.chart;

/**
 * The style of a contender in every chart. Each strategy has a colour, a mark and a dash pattern, so that contenders can
 * be distinguished without colour; baselines and peers are grey.
 *
 * @param colour the variable of the style sheet
 * @param symbol the mark in a chart, a symbol of Observable Plot
 * @param glyph the same mark in text
 * @param dash the dash pattern of a line in a chart
 */
public record SeriesStyle(String colour, String symbol, String glyph, String dash) {
    private static final String[][] MARKS = {
        {"circle", "●"},
        {"square", "■"},
        {"triangle", "▲"},
        {"diamond", "◆"},
        {"star", "★"},
        {"cross", "✚"},
        {"wye", "Y"}
    };
    private static final String[] DASHES = {"none", "8 3", "3 2", "9 3 2 3", "14 4", "2 5"};
    private static final int COLOURS = 5;

    static final SeriesStyle BASELINE = new SeriesStyle("ink", "hexagon", "⬢", "1 3");

    /** Returns the style of the strategy at a position in the list, from zero. */
    static SeriesStyle ofStrategy(int place) {
        return of("c" + (place % COLOURS + 1), place, place);
    }

    /** Returns the style of the peer at a position in the list, from zero. */
    static SeriesStyle ofPeer(int place) {
        return of("soft", MARKS.length - 1 - place % MARKS.length, 2 + place % 4);
    }

    private static SeriesStyle of(String colour, int mark, int dash) {
        String[] form = MARKS[mark % MARKS.length];
        return new SeriesStyle(colour, form[0], form[1], DASHES[dash % DASHES.length]);
    }
}
