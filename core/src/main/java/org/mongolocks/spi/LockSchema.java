package org.mongolocks.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The collections of a strategy. In the database, the first has the name that the user chose, each other one that name,
 * a dot and its own.
 *
 * @param collections the collections, first the one with the lock documents
 */
public record LockSchema(List<LockCollection> collections) {
    /** The collection with the lock documents; every strategy has it. */
    public static final String LOCKS = "locks";

    /**
     * Copies the collections.
     *
     * @param collections the collections, first the one with the lock documents
     */
    public LockSchema {
        collections = List.copyOf(collections);
    }

    /**
     * One collection.
     *
     * @param name the name in each {@link MongoOp} of this strategy: lower-case letters
     * @param ttl the TTL index that deletes unused documents, or empty. It only cleans up; no strategy may depend on it.
     */
    public record LockCollection(String name, Optional<TtlIndex> ttl) {}

    /**
     * A TTL index: the server may delete a document when the date in a field is older than a time.
     *
     * @param field the field with the date
     * @param after the time; whole seconds
     */
    public record TtlIndex(String field, Duration after) {}

    /**
     * Returns the schema of a strategy that stores everything in its lock documents.
     *
     * @return a schema with one collection and no index
     */
    public static LockSchema locksOnly() {
        return new LockSchema(List.of(new LockCollection(LOCKS, Optional.empty())));
    }

    /**
     * Returns the name of a collection in the database.
     *
     * @param collection the name that an operation has
     * @param base the name that the user chose for the lock documents
     * @return the name in the database
     * @throws IllegalArgumentException if this schema has no such collection
     */
    public String resolve(String collection, String base) {
        if (collections.stream().noneMatch(known -> known.name().equals(collection))) {
            throw new IllegalArgumentException("No collection '" + collection + "' in " + collections);
        }
        return collection.equals(LOCKS) ? base : base + "." + collection;
    }

    /** The names of the fields of a lock document. */
    public static final class LockFields {
        /** The name of the lock. */
        public static final String ID = "_id";
        /** The mark of the strategy that may read and change the document: its name, a slash and a version. */
        public static final String FORMAT = "format";
        /**
         * The holder ({@link org.mongolocks.Owner#stored()}); absent when the lock was released. After a release before
         * the minimum hold has passed: {@link org.mongolocks.Owner#storedAfterRelease()}.
         */
        public static final String OWNER = "owner";
        /**
         * The information about the holder ({@link org.mongolocks.HolderInfo#stored}); absent when the lock was
         * released.
         */
        public static final String HOLDER = "holder";
        /** The fencing token of the newest grant. */
        public static final String FENCE = "fence";
        /** A number that every grant, renewal and release increments; a change of the list of waiters does not. */
        public static final String REVISION = "rev";
        /** The time of the newest grant. */
        public static final String ACQUIRED_AT = "acquiredAt";
        /** The start of the newest lease: the time of the newest grant or renewal. */
        public static final String RENEWED_AT = "renewedAt";
        /** The length of the newest lease in milliseconds. */
        public static final String LEASE_MILLIS = "leaseMs";
        /** A number that is new with each grant and renewal, where a strategy needs one; absent otherwise. */
        public static final String LEASE_ID = "leaseId";
        /** The time of the newest release, also after a later grant; absent before the first one. */
        public static final String RELEASED_AT = "releasedAt";
        /** The time when an operator force-released the lock; absent after the next grant. */
        public static final String FORCED_AT = "forcedAt";
        /** The numbers of the waiters, in the order of their turns; absent if none waits; see {@link LockStrategy#waitingList}. */
        public static final String WAITING = "waiting";
        /** The first of {@link #WAITING}, at most {@link LockStrategy#NOTIFIED_WAITERS}, while an owner is stored; else absent. */
        public static final String NEXT = "next";
        /**
         * The same while no owner is stored: a release renames {@link #NEXT}, and its change event notifies these waiters.
         * After a release before the minimum hold it is stored beside an owner, until the next change of the list.
         */
        public static final String TURN = "turn";
        /** How many waiters are in the list; computed for a reply, never stored. */
        public static final String WAITERS = "waiters";
        /** The numbers of waiters that one behind them in the list has passed, and that have not attempted since. */
        public static final String PASSED = "passed";

        /** The position of a waiter in the list, -1 if it is not in it; computed for a reply, never stored. */
        public static final String POSITION = "position";
        /** The server's time of the reply; never stored. */
        public static final String NOW = "now";

        private LockFields() {}
    }
}
