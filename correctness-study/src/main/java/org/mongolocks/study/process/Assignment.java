package org.mongolocks.study.process;

/**
 * Says what a child is to do.
 *
 * @param place where the locks are
 * @param technique the name of the technique
 * @param workers how many threads it has
 * @param seed where its chance comes from
 */
record Assignment(Place place, String technique, int workers, long seed) {
    static final String WORD = "START";

    /**
     * Says where locks are.
     *
     * @param uri the connection string of the server
     * @param proxyPort the port of the proxy on this machine through which the server is reached; 0 for none
     * @param database the database
     * @param collection the collection
     */
    record Place(String uri, int proxyPort, String database, String collection) {
        Place through(int port) {
            return new Place(uri, port, database, collection);
        }
    }

    Line line() {
        return Line.of(
                WORD, place.uri(), place.proxyPort(), place.database(), place.collection(), technique, workers, seed);
    }

    static Assignment of(Line line) {
        line.requireFields(7);
        Place place = new Place(line.field(0), line.smallNumber(1), line.field(2), line.field(3));
        return new Assignment(place, line.field(4), line.smallNumber(5), line.number(6));
    }
}
