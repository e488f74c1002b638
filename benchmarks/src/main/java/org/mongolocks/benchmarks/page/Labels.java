package org.mongolocks.benchmarks.page;

/** Finds places for labels one below the other. */
final class Labels {
    private Labels() {}

    /**
     * Moves labels so that each has room: down, and those that would end below the bottom up again.
     *
     * @param wanted where each wants to be, from above
     * @param room how far apart they have to be
     * @param bottom the lowest place
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
