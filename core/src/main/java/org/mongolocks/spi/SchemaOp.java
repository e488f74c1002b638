package org.mongolocks.spi;

import java.util.List;

/** Is an operation on collections and indexes, for the time when a client is built. */
public sealed interface SchemaOp extends MongoOp {
    /**
     * Creates a collection. Replies {@link Reply.Acknowledged}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     */
    record CreateCollection(String label, String collection) implements SchemaOp {
        @Override
        public <T> T accept(MongoOp.Visitor<T> visitor) {
            return visitor.createCollection(this);
        }
    }

    /**
     * Creates a TTL index that lets documents go when the date in a field has passed. Replies
     * {@link Reply.Acknowledged}, also if the same index is there already.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param field the field with the date
     */
    record CreateTtlIndex(String label, String collection, String field) implements SchemaOp {
        @Override
        public <T> T accept(MongoOp.Visitor<T> visitor) {
            return visitor.createTtlIndex(this);
        }
    }

    /**
     * Lists the indexes of a collection. Replies {@link Reply.FoundMany} with them as the server describes them, or with
     * none if there is no such collection.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     */
    record ListIndexes(String label, String collection) implements SchemaOp {
        @Override
        public <T> T accept(MongoOp.Visitor<T> visitor) {
            return visitor.listIndexes(this);
        }
    }

    /**
     * Describes collections with their type and options. Replies {@link Reply.FoundMany} with an entry for each that
     * exists, as {@code listCollections} gives it: {@code name} is the name in the database.
     *
     * @param label the place in the protocol
     * @param collections collections of the strategy's {@link LockSchema}
     */
    record ListCollections(String label, List<String> collections) implements SchemaOp {
        /**
         * Copies the collections.
         *
         * @param label the place in the protocol
         * @param collections the collections
         */
        public ListCollections {
            collections = List.copyOf(collections);
        }

        @Override
        public <T> T accept(MongoOp.Visitor<T> visitor) {
            return visitor.listCollections(this);
        }
    }

    /**
     * Reads how collections are sharded, from {@code config.collections}; for a router only. Replies
     * {@link Reply.FoundMany} with an entry for each that is sharded: {@code _id} is the database, a dot and the name in
     * it, {@code key} the shard key.
     *
     * @param label the place in the protocol
     * @param collections collections of the strategy's {@link LockSchema}
     */
    record FindShardKeys(String label, List<String> collections) implements SchemaOp {
        /**
         * Copies the collections.
         *
         * @param label the place in the protocol
         * @param collections the collections
         */
        public FindShardKeys {
            collections = List.copyOf(collections);
        }

        @Override
        public <T> T accept(MongoOp.Visitor<T> visitor) {
            return visitor.findShardKeys(this);
        }
    }

    /**
     * Has a case for each operation on the schema.
     *
     * @param <T> what each case returns
     */
    interface Visitor<T> {
        /**
         * Takes the creation of a collection.
         *
         * @param op the operation
         * @return the result
         */
        T createCollection(CreateCollection op);

        /**
         * Takes the creation of a TTL index.
         *
         * @param op the operation
         * @return the result
         */
        T createTtlIndex(CreateTtlIndex op);

        /**
         * Takes a list of indexes.
         *
         * @param op the operation
         * @return the result
         */
        T listIndexes(ListIndexes op);

        /**
         * Takes a description of collections.
         *
         * @param op the operation
         * @return the result
         */
        T listCollections(ListCollections op);

        /**
         * Takes a read of shard keys.
         *
         * @param op the operation
         * @return the result
         */
        T findShardKeys(FindShardKeys op);
    }
}
