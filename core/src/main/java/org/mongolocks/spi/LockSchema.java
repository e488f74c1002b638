package org.mongolocks.spi;

import java.util.List;
import java.util.Optional;

/**
 * Lists the collections of a strategy. A client keeps the first under the name that its user chose, each other one
 * under that name, a dot and its own.
 *
 * @param collections the collections, first the one with the lock documents
 */
public record LockSchema(List<LockCollection> collections) {
    /** The collection with the lock documents; every strategy has it. */
    public static final String LOCKS = "locks";
    /** The collection with the queues of those who ask in order; it belongs to the engine, whatever the strategy. */
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
                    "The collection '" + QUEUE + "' belongs to the engine; a strategy names its own otherwise");
        }
    }

    /**
     * Describes one collection.
     *
     * @param name how {@link MongoOp} of this strategy name it: lower-case letters
     * @param ttlField a date field after which documents may go, or empty. The index only cleans up; no strategy may
     *     depend on it.
     */
    public record LockCollection(String name, Optional<String> ttlField) {}

    /**
     * Makes the schema of a strategy that keeps everything in its lock documents.
     *
     * @return a schema with one collection and no index
     */
    public static LockSchema locksOnly() {
        return new LockSchema(List.of(new LockCollection(LOCKS, Optional.empty())));
    }

    /**
     * Gives the real name of a collection.
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
}
