package org.mongolocks.benchmarks.page;

/** The placement of labels in a column. */
final class ChartLabels {
    private ChartLabels() {}

    /**
     * Moves labels apart: down to avoid an overlap, and up where they would end below the bottom.
     *
     * @param wanted the preferred positions, in ascending order
     * @param room the minimum distance
     * @param bottom the lowest position
     */
    static double[] apart(double[] wanted, double room, double bottom) {
        double[] places = wanted.clone();
        for (int i = 1; i < places.length; i++) {
            places[i] = Math.max(places[i], places[i - 1] + room);
        }
        double lowest = bottom;
        for (int i = places.length - 1; i >= 0; i--) {
            places[i] = Math.min(places[i], lowest);
            lowest = places[i] - room;
        }
        return places;
    }
}
