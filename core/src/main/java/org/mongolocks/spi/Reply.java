package org.mongolocks.spi;

import com.mongodb.MongoException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;

/** The result of a {@link MongoOp}; the same for both drivers. */
public sealed interface Reply {

    /**
     * Returns whether the operation failed with a certain fault.
     *
     * @param fault the fault
     * @return true if this is a {@link Failed} with that fault
     */
    default boolean failedWith(Fault fault) {
        return this instanceof Failed failed && failed.fault() == fault;
    }

    /**
     * The result of an operation that returns a document.
     *
     * @param document the document, or empty if none matched
     */
    record Found(Optional<BsonDocument> document) implements Reply {
        /**
         * Returns the reply of a match.
         *
         * @param document the document
         * @return the reply
         */
        public static Found of(BsonDocument document) {
            return new Found(Optional.of(document));
        }

        /**
         * Returns the reply of no match.
         *
         * @return the reply
         */
        public static Found none() {
            return new Found(Optional.empty());
        }
    }

    /**
     * The result of an operation that returns several documents.
     *
     * @param documents the documents that matched, in order
     */
    record FoundMany(List<BsonDocument> documents) implements Reply {
        /**
         * Copies the documents.
         *
         * @param documents the documents that matched
         */
        public FoundMany {
            documents = List.copyOf(documents);
        }
    }

    /**
     * The counts of a write. A write that was retried after a fault may count differently than the first time: do not
     * conclude from a count which owner holds a lock.
     *
     * @param matched the number of documents that matched; for a delete, the number of deleted documents
     * @param upserted whether a document was created
     */
    record Counted(long matched, boolean upserted) implements Reply {}

    /** The result of an operation that was done and returns nothing. */
    record Acknowledged() implements Reply {}

    /**
     * The operation failed.
     *
     * @param fault the kind of failure
     * @param cause the driver's exception
     * @param mayExecuteLate true if a delayed duplicate of this write may still be executed after a later operation in
     *     the same session was answered. That is possible only for a write without a transaction number: the server
     *     refuses a delayed write with an older number.
     */
    record Failed(Fault fault, MongoException cause, boolean mayExecuteLate) implements Reply {
        /** BadValue, FailedToParse, TypeMismatch. */
        private static final Set<Integer> NOT_PARSED = Set.of(2, 9, 14);

        /**
         * Creates the reply for an operation that cannot be executed late.
         *
         * @param fault the kind of failure
         * @param cause the driver's exception
         */
        public Failed(Fault fault, MongoException cause) {
            this(fault, cause, false);
        }

        /**
         * Returns whether the server may have executed the operation.
         *
         * @return true after a {@link Fault#AMBIGUOUS} or a {@link Fault#UNKNOWN_COMMIT}
         */
        public boolean isAmbiguous() {
            return fault == Fault.AMBIGUOUS || fault == Fault.UNKNOWN_COMMIT;
        }

        /**
         * Returns whether the server did not understand the operation. To an update pipeline, a server that expects
         * operators in every update replies so.
         *
         * @return true after the error BadValue, FailedToParse or TypeMismatch
         */
        public boolean isNotParsed() {
            return NOT_PARSED.contains(cause.getCode());
        }
    }

    /** The meaning of a failed operation, whichever driver and exception reported it. */
    enum Fault {
        /** A unique index has the key already. The operation changed nothing. */
        DUPLICATE_KEY,
        /**
         * A concurrent operation won the race for the same document. The operation changed nothing, and its transaction
         * is over.
         */
        WRITE_CONFLICT,
        /** A temporary fault. The operation changed nothing, and its transaction, if any, is over. */
        TRANSIENT,
        /** A commit may or may not have happened. It is safe to commit again. */
        UNKNOWN_COMMIT,
        /** The reply was lost: the operation may have been executed, may still be executed, or never. */
        AMBIGUOUS,
        /** The operation was not executed: it was not sent, or the server replied that it wrote nothing. */
        NOT_SENT,
        /** The server or its deployment does not support this. A retry does not help. */
        UNSUPPORTED,
        /** The server refused the operation. A retry does not help. */
        REJECTED,
        /**
         * The stored document is not one that the strategy can read. A strategy reports it with a
         * {@link ForeignFormatException}; a server never does. A retry does not help.
         */
        FOREIGN_FORMAT
    }
}
