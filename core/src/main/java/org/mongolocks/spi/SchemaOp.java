package org.mongolocks.spi;

/** Is an operation on collections and indexes, for the time when a client is built. */
public sealed interface SchemaOp extends MongoOp {
    /**
     * Gives the collection.
     *
     * @return a collection of the strategy's {@link LockSchema}
     */
    String collection();

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
    }
}
