package org.mongolocks.study.process.message;

import org.mongolocks.study.sim.server.ProtectedResources.Values;

/** A message from a parent to a child. */
public sealed interface ParentMessage {
    /** The number in place of a lock's that tells a worker to ask again later. */
    int NO_LOCK_YET = 0;

    /** The number in place of a lock's that tells a worker to end. */
    int NO_LOCK = -1;

    /**
     * Opens a client, and starts its workers; a child can have several.
     *
     * @param place the location of the locks
     * @param isLibrary whether the locks are those of a library behind the interface for all
     * @param technique the name of the technique or library
     * @param driver the driver of its client
     * @param workers the number of threads
     * @param varies whether requests and the length of work differ, and clients are closed while they are used
     * @param seed the seed of its random numbers
     */
    record Start(
            Place place, boolean isLibrary, String technique, Driver driver, int workers, boolean varies, long seed)
            implements ParentMessage {}

    /**
     * Lets a waiting worker continue, with the lock or the values that it requested.
     *
     * @param workNanos how long the work that begins takes; 0 for as long as usual
     */
    record Answer(int worker, int lock, Values values, long workNanos) implements ParentMessage {}

    /** Asks for the memory and the threads of the child. */
    record Measure() implements ParentMessage {}

    /** Ends the run: the child completes its work, releases its locks, and exits. */
    record Stop() implements ParentMessage {}

    /** A driver of MongoDB, with the client of the library for it. */
    enum Driver {
        SYNC,
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
    record Place(String uri, int proxyPort, String database, String collection) {
        public Place through(int port) {
            return new Place(uri, port, database, collection);
        }
    }
}
