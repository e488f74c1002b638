package org.mongolocks.spi;

import java.util.List;

/** An operation on collections and indexes, which runs when a client is built. */
public sealed interface SchemaOp extends MongoOp {
    /**
     * An operation that creates a collection. The reply is {@link Reply.Acknowledged}.
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
     * An operation that creates a TTL index. The reply is {@link Reply.Acknowledged}, also if the same index exists
     * already.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param index the index
     */
    record CreateTtlIndex(String label, String collection, LockSchema.TtlIndex index) implements SchemaOp {
        @Override
        public <T> T accept(MongoOp.Visitor<T> visitor) {
            return visitor.createTtlIndex(this);
        }
    }

    /**
     * An operation that lists the indexes of a collection. The reply is {@link Reply.FoundMany} with the server's
     * descriptions of them, or with none if there is no such collection.
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
     * An operation that lists collections with their type and options. The reply is {@link Reply.FoundMany} with an
     * entry for each that exists, in the form of {@code listCollections}: {@code name} is the name in the database.
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
     * An operation that reads how collections are sharded, from {@code config.collections}; for a router only. The
     * reply is {@link Reply.FoundMany} with an entry for each that is sharded: {@code _id} is the database, a dot and
     * the name in it, {@code key} the shard key.
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
     * A visitor with a method for each operation on the schema.
     *
     * @param <T> the result of each method
     */
    interface Visitor<T> {
        /**
         * {@return the result for the creation of a collection}
         *
         * @param op the operation
         */
        T createCollection(CreateCollection op);

        /**
         * {@return the result for the creation of a TTL index}
         *
         * @param op the operation
         */
        T createTtlIndex(CreateTtlIndex op);

        /**
         * {@return the result for a list of indexes}
         *
         * @param op the operation
         */
        T listIndexes(ListIndexes op);

        /**
         * {@return the result for a list of collections}
         *
         * @param op the operation
         */
        T listCollections(ListCollections op);

        /**
         * {@return the result for a read of shard keys}
         *
         * @param op the operation
         */
        T findShardKeys(FindShardKeys op);
    }
}
