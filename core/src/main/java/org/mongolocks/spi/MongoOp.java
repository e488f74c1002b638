package org.mongolocks.spi;

import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * Is one operation on MongoDB, as data. A runner executes it in one round trip (none for a transaction's start),
 * with majority and journalled write concern, on the primary, within the client's time limit for a command.
 */
public sealed interface MongoOp
        permits MongoOp.InsertOne,
                MongoOp.FindOne,
                MongoOp.FindMany,
                MongoOp.UpdateOne,
                MongoOp.UpdateEach,
                MongoOp.FindOneAndUpdate,
                MongoOp.DeleteOne,
                MongoOp.Transaction,
                MongoOp.Hello,
                SchemaOp {

    /**
     * Gives the place in the protocol that sends this, for messages and logs.
     *
     * @return for example {@code insert-unique/takeover}
     */
    String label();

    /**
     * Has the method of the visitor called that fits this operation.
     *
     * @param visitor the visitor
     * @param <T> what the visitor returns
     * @return what the visitor returned
     */
    <T> T accept(Visitor<T> visitor);

    /**
     * Inserts a document. Replies {@link Reply.Acknowledged}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param document the document
     */
    record InsertOne(String label, String collection, BsonDocument document) implements MongoOp {
        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.insertOne(this);
        }
    }

    /**
     * Finds a document. Replies {@link Reply.Found}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter which document
     * @param projection which fields; empty for all
     */
    record FindOne(String label, String collection, BsonDocument filter, Optional<BsonDocument> projection)
            implements MongoOp {
        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.findOne(this);
        }
    }

    /**
     * Finds documents in the order of their {@code _id}, in one batch. Replies {@link Reply.FoundMany}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter which documents
     * @param projection which fields; empty for all
     * @param limit how many at most; one at least
     */
    record FindMany(String label, String collection, BsonDocument filter, Optional<BsonDocument> projection, int limit)
            implements MongoOp {
        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.findMany(this);
        }
    }

    /**
     * Changes a document. Replies {@link Reply.Counted}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter which document
     * @param change how
     * @param upsert whether to create the document if none matches
     */
    record UpdateOne(String label, String collection, BsonDocument filter, Change change, boolean upsert)
            implements MongoOp {
        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.updateOne(this);
        }
    }

    /**
     * Changes several documents of one collection, each in its own way, in no certain order and each by itself: some may
     * be changed and others not. Replies {@link Reply.Counted} with how many of the updates matched. After a fault any of
     * them may have been executed.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param updates which documents, and how; one at least
     */
    record UpdateEach(String label, String collection, List<Update> updates) implements MongoOp {
        /**
         * Copies the updates.
         *
         * @param label the place in the protocol
         * @param collection the collection
         * @param updates the updates
         */
        public UpdateEach {
            updates = List.copyOf(updates);
        }

        /**
         * Changes one document.
         *
         * @param filter which document
         * @param change how
         */
        public record Update(BsonDocument filter, Change change) {}

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.updateEach(this);
        }
    }

    /**
     * Changes a document and gives it as it is afterwards. Replies {@link Reply.Found}. A server that answers a repeated
     * command from its memory does not heed the projection: what was computed is missing then.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter which document
     * @param change how
     * @param upsert whether to create the document if none matches
     * @param projection which fields; empty for all
     */
    record FindOneAndUpdate(
            String label,
            String collection,
            BsonDocument filter,
            Change change,
            boolean upsert,
            Optional<BsonDocument> projection)
            implements MongoOp {
        /**
         * Gives the whole document.
         *
         * @param label the place in the protocol
         * @param collection a collection of the strategy's {@link LockSchema}
         * @param filter which document
         * @param change how
         * @param upsert whether to create the document if none matches
         */
        public FindOneAndUpdate(String label, String collection, BsonDocument filter, Change change, boolean upsert) {
            this(label, collection, filter, change, upsert, Optional.empty());
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.findOneAndUpdate(this);
        }
    }

    /**
     * Deletes a document. Replies {@link Reply.Counted}.
     *
     * @param label the place in the protocol
     * @param collection a collection of the strategy's {@link LockSchema}
     * @param filter which document
     */
    record DeleteOne(String label, String collection, BsonDocument filter) implements MongoOp {
        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.deleteOne(this);
        }
    }

    /**
     * Bounds a transaction: operations between {@link Boundary#START} and {@link Boundary#COMMIT} or
     * {@link Boundary#ABORT} belong to it. Replies {@link Reply.Acknowledged}. A program whose transaction fails aborts
     * it before it goes on. Committing again after {@link Fault#UNKNOWN_COMMIT} is allowed.
     *
     * @param label the place in the protocol
     * @param boundary which bound
     */
    record Transaction(String label, Boundary boundary) implements MongoOp {
        /** Which bound of a transaction. */
        public enum Boundary {
            /** Begins; nothing is sent. */
            START,
            /** Makes all of it durable, or none. */
            COMMIT,
            /** Takes all of it back. A failure to tell the server is not reported: it ends the transaction by itself. */
            ABORT
        }

        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.transaction(this);
        }
    }

    /**
     * Asks the server what it is. Replies {@link Reply.Found} with its answer.
     *
     * @param label the place in the protocol
     * @param command {@code hello}, or {@code isMaster} where that is unknown
     */
    record Hello(String label, String command) implements MongoOp {
        @Override
        public <T> T accept(Visitor<T> visitor) {
            return visitor.hello(this);
        }
    }

    /**
     * Has a case for each operation.
     *
     * @param <T> what each case returns
     */
    interface Visitor<T> extends SchemaOp.Visitor<T> {
        /**
         * {@return what becomes of an insert}
         *
         * @param op the operation
         */
        T insertOne(InsertOne op);

        /**
         * {@return what becomes of a find}
         *
         * @param op the operation
         */
        T findOne(FindOne op);

        /**
         * {@return what becomes of a find of several documents}
         *
         * @param op the operation
         */
        T findMany(FindMany op);

        /**
         * {@return what becomes of an update}
         *
         * @param op the operation
         */
        T updateOne(UpdateOne op);

        /**
         * {@return what becomes of an update of several documents}
         *
         * @param op the operation
         */
        T updateEach(UpdateEach op);

        /**
         * {@return what becomes of a find-and-update}
         *
         * @param op the operation
         */
        T findOneAndUpdate(FindOneAndUpdate op);

        /**
         * {@return what becomes of a delete}
         *
         * @param op the operation
         */
        T deleteOne(DeleteOne op);

        /**
         * {@return what becomes of a bound of a transaction}
         *
         * @param op the operation
         */
        T transaction(Transaction op);

        /**
         * {@return what becomes of a question for what the server is}
         *
         * @param op the operation
         */
        T hello(Hello op);
    }
}
