package org.mongolocks.study.process.message;

/**
 * The configuration of a child process.
 *
 * @param place the location of the locks
 * @param technique the name of the technique
 * @param workers the number of threads
 * @param seed the seed of its random numbers
 */
public record ChildConfig(Place place, String technique, int workers, long seed) {
    static final String WORD = "START";

    /**
     * The location of locks.
     *
     * @param uri the connection string of the server
     * @param proxyPort the port of the proxy on this machine through which the server is reached; 0 for none
     * @param database the database
     * @param collection the collection
     */
    public record Place(String uri, int proxyPort, String database, String collection) {
        public Place through(int port) {
            return new Place(uri, port, database, collection);
        }
    }

    ProtocolLine line() {
        return ProtocolLine.of(
                WORD, place.uri(), place.proxyPort(), place.database(), place.collection(), technique, workers, seed);
    }

    static ChildConfig of(ProtocolLine line) {
        line.requireFields(7);
        Place place = new Place(line.field(0), line.smallNumber(1), line.field(2), line.field(3));
        return new ChildConfig(place, line.field(4), line.smallNumber(5), line.number(6));
    }
}
