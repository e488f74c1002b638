package org.mongolocks.spi;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.Reply.Fault;

/**
 * One operation on MongoDB, as data. A runner executes it in one round trip (none for a transaction's start), on the
 * primary, within the client's time limit for a command. The write concern is majority and journalled, the read concern
 * local (snapshot in a transaction).
 */
public sealed interface MongoOp
        permits MongoOp.InsertOne,
                MongoOp.FindOne,
                MongoOp.FindMany,
                MongoOp.UpdateOne,
                MongoOp.BulkUpdate,
                MongoOp.FindOneAndUpdate,
                MongoOp.DeleteOne,
                MongoOp.Transaction,
                MongoOp.Hello,
                MongoOp.ReadSchema,
                MongoOp.CreateCollection {

    /**
     * Returns the place in the protocol that sends this operation, for messages and logs.
     *
     * @return for example {@code insert-unique/takeover}
     */
    String label();

    /**
     * An operation that inserts a document. The reply is {@link Reply.Acknowledged}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param document the document
     */
    record InsertOne(String label, String collection, BsonDocument document) implements MongoOp {}

    /**
     * An operation that finds a document. The reply is {@link Reply.Found}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter the filter
     * @param projection the fields to return; empty for all
     */
    record FindOne(String label, String collection, BsonDocument filter, Optional<BsonDocument> projection)
            implements MongoOp {}

    /**
     * An operation that finds documents in the order of their {@code _id}, in one batch. The reply is
     * {@link Reply.FoundMany}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter the filter
     * @param projection the fields to return; empty for all
     * @param limit the most documents to return; at least one
     */
    record FindMany(String label, String collection, BsonDocument filter, Optional<BsonDocument> projection, int limit)
            implements MongoOp {}

    /**
     * An operation that updates a document. The reply is {@link Reply.Counted}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter the filter
     * @param change the update
     * @param upsert whether to create the document if none matches
     */
    record UpdateOne(String label, String collection, BsonDocument filter, UpdateSpec change, boolean upsert)
            implements MongoOp {}

    /**
     * An operation that updates several documents of one collection, each by its own update, in no particular order and
     * independently: some may be changed and others not. The reply is {@link Reply.Counted} with the number of updates
     * that matched. After a fault any of them may have been executed.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param updates the updates; at least one
     */
    record BulkUpdate(String label, String collection, List<Update> updates) implements MongoOp {
        /**
         * Copies the updates.
         *
         * @param label the place in the protocol
         * @param collection the collection
         * @param updates the updates
         */
        public BulkUpdate {
            updates = List.copyOf(updates);
        }

        /**
         * The update of one document.
         *
         * @param filter the filter
         * @param change the update
         */
        public record Update(BsonDocument filter, UpdateSpec change) {}
    }

    /**
     * An operation that updates a document and returns it as it is afterwards. The reply is {@link Reply.Found}. When
     * the server answers a retried command with the stored result of its first execution, it ignores the projection:
     * computed fields are missing then.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter the filter
     * @param change the update
     * @param upsert whether to create the document if none matches
     * @param projection the fields to return; empty for all
     */
    record FindOneAndUpdate(
            String label,
            String collection,
            BsonDocument filter,
            UpdateSpec change,
            boolean upsert,
            Optional<BsonDocument> projection)
            implements MongoOp {
        /**
         * Creates an operation that returns the whole document.
         *
         * @param label the place in the protocol
         * @param collection a collection of the strategy's {@link LockSchema}
         * @param filter the filter
         * @param change the update
         * @param upsert whether to create the document if none matches
         */
        public FindOneAndUpdate(
                String label, String collection, BsonDocument filter, UpdateSpec change, boolean upsert) {
            this(label, collection, filter, change, upsert, Optional.empty());
        }
    }

    /**
     * An operation that deletes a document. The reply is {@link Reply.Counted}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter the filter
     */
    record DeleteOne(String label, String collection, BsonDocument filter) implements MongoOp {}

    /**
     * An operation that starts or ends a transaction: operations between {@link Boundary#START} and
     * {@link Boundary#COMMIT} or {@link Boundary#ABORT} belong to it. The reply is {@link Reply.Acknowledged}. A
     * program whose transaction fails aborts it before it continues. A second commit after {@link Fault#UNKNOWN_COMMIT}
     * is allowed.
     *
     * @param label the place in the protocol
     * @param boundary the start or the end
     */
    record Transaction(String label, Boundary boundary) implements MongoOp {
        /** The start or the end of a transaction. */
        public enum Boundary {
            /** Begins the transaction; nothing is sent. */
            START,
            /** Commits all of its writes, or none. */
            COMMIT,
            /** Undoes all of its writes. A fault is not reported: the server ends the transaction by itself. */
            ABORT
        }
    }

    /**
     * An operation that asks the server for its description. The reply is {@link Reply.Found} with the description.
     *
     * @param label the place in the protocol
     * @param command {@code hello}, or {@code isMaster} on servers that do not know it
     */
    record Hello(String label, String command) implements MongoOp {
        /** The {@code maxWireVersion} in the reply of MongoDB 4.4, the first version with computed projections. */
        public static final int WIRE_VERSION_4_4 = 9;
    }

    /**
     * An operation that reads a part of what the server stores about a collection. The reply is {@link Reply.FoundMany}
     * with the server's descriptions, or with none if there is no such collection.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param part what to read
     */
    record ReadSchema(String label, String collection, Part part) implements MongoOp {
        /** A part of the description of a collection. */
        public enum Part {
            /** Its type and options: an entry in the form of {@code listCollections}. */
            OPTIONS,
            /** Its indexes: an entry for each, in the form of {@code listIndexes}. */
            INDEXES,
            /** Its entry in {@code config.collections}, with the shard key in {@code key}; for a router only. */
            SHARD_KEY
        }
    }

    /**
     * An operation that creates a collection with its TTL index, if it has one, or that index of an existing collection.
     * The reply is {@link Reply.Acknowledged}, also if the same index exists already. The server creates the collection
     * of an index, so that one command does both.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     */
    record CreateCollection(String label, LockCollection collection) implements MongoOp {}

    /** The update of a document, by operators or by a pipeline. */
    sealed interface UpdateSpec {

        /**
         * An update by operators, which every server supports. Strings are data.
         *
         * @param operators for example {@code {$set: {...}}}
         */
        record Operators(BsonDocument operators) implements UpdateSpec {
            @Override
            public <T> T fold(Function<BsonDocument, T> byOperators, Function<List<BsonDocument>, T> byPipeline) {
                return byOperators.apply(operators);
            }
        }

        /**
         * An update by an aggregation pipeline, which can read the document and the server's clock ({@code $$NOW}). A
         * string that begins with a dollar sign is an expression there: put a caller's value in {@code $literal}.
         *
         * @param stages for example {@code [{$set: {...}}]}
         */
        record Pipeline(List<BsonDocument> stages) implements UpdateSpec {
            /**
             * Copies the stages.
             *
             * @param stages the stages, in order
             */
            public Pipeline {
                stages = List.copyOf(stages);
            }

            @Override
            public <T> T fold(Function<BsonDocument, T> byOperators, Function<List<BsonDocument>, T> byPipeline) {
                return byPipeline.apply(stages);
            }
        }

        /**
         * Applies the function for the kind of this update.
         *
         * @param byOperators receives the operators
         * @param byPipeline receives the stages, in order
         * @param <T> the result of both functions
         * @return the result of the function that was applied
         */
        <T> T fold(Function<BsonDocument, T> byOperators, Function<List<BsonDocument>, T> byPipeline);

        /**
         * Returns an update by a pipeline.
         *
         * @param stages the stages, in order
         * @return the update
         */
        static UpdateSpec pipeline(BsonDocument... stages) {
            return new Pipeline(List.of(stages));
        }

        /**
         * Returns an update by operators.
         *
         * @param operators for example {@code {$set: {...}}}
         * @return the update
         */
        static UpdateSpec operators(BsonDocument operators) {
            return new Operators(operators);
        }
    }
}
