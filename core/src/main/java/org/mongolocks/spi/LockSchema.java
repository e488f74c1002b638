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
    /** The collection with the queues of fair waiters; it belongs to the engine, whatever the strategy. */
    public static final String QUEUE = "queue";

    /**
     * Copies the collections.
     *
     * @param collections the collections, first the one with the lock documents
     * @throws IllegalArgumentException if one of them is named {@value #QUEUE}
     */
    public LockSchema {
        collections = List.copyOf(collections);
        if (collections.stream().anyMatch(collection -> collection.name().equals(QUEUE))) {
            throw new IllegalArgumentException(
                    "The collection '" + QUEUE + "' belongs to the engine; a strategy must use other names");
        }
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
     * @throws IllegalArgumentException if this schema has no such collection, and it is not {@value #QUEUE}
     */
    public String resolve(String collection, String base) {
        if (!collection.equals(QUEUE)
                && collections.stream().noneMatch(known -> known.name().equals(collection))) {
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
        /** A number that every change increments. */
        public static final String REVISION = "rev";
        /** The time of the newest grant. */
        public static final String ACQUIRED_AT = "acquiredAt";
        /** The start of the newest lease: the time of the newest grant or renewal. */
        public static final String RENEWED_AT = "renewedAt";
        /** The length of the newest lease in milliseconds. */
        public static final String LEASE_MILLIS = "leaseMs";
        /** A number that is new with each grant and renewal, where a strategy needs one; absent otherwise. */
        public static final String LEASE_ID = "leaseId";
        /** The time of the release; absent while the lock is held. */
        public static final String RELEASED_AT = "releasedAt";
        /** The time when an operator force-released the lock; absent unless that was the newest change. */
        public static final String FORCED_AT = "forcedAt";
        /** The clients that wait for the lock, in the order of their turns; see {@link LockStrategy#waitingList}. */
        public static final String WAITING = "waiting";
        /** The server's time of the reply; never stored. */
        public static final String NOW = "now";

        private LockFields() {}
    }
}
