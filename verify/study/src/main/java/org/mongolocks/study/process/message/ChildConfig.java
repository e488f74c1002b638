package org.mongolocks.study.process.message;

/**
 * The configuration of a client in a child process.
 *
 * @param place the location of the locks
 * @param technique the name of the technique
 * @param driver the driver of its client
 * @param workers the number of threads
 * @param seed the seed of its random numbers
 */
public record ChildConfig(Place place, String technique, Driver driver, int workers, long seed) {
    static final String WORD = "START";

    /** A driver of MongoDB, with the client of the library for it. */
    public enum Driver {
        /** {@code mongodb-driver-sync}. */
        SYNC,
        /** {@code mongodb-driver-reactivestreams}. */
        REACTIVE
    }

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
                WORD,
                place.uri(),
                place.proxyPort(),
                place.database(),
                place.collection(),
                technique,
                driver,
                workers,
                seed);
    }

    static ChildConfig of(ProtocolLine line) {
        line.requireFields(8);
        Place place = new Place(line.field(0), line.smallNumber(1), line.field(2), line.field(3));
        return new ChildConfig(
                place, line.field(4), line.constant(5, Driver.class), line.smallNumber(6), line.number(7));
    }
}
