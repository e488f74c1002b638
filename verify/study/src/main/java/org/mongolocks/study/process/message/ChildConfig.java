package org.mongolocks.study.process.message;

/**
 * The configuration of a client in a child process.
 *
 * @param place the location of the locks
 * @param technique the name of the technique
 * @param driver the driver of its client
 * @param workers the number of threads
 * @param varies whether requests and the length of work differ, and clients are closed while they are used
 * @param seed the seed of its random numbers
 */
public record ChildConfig(Place place, String technique, Driver driver, int workers, boolean varies, long seed) {
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
}
