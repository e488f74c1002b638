package org.mongolocks.spi;

import com.mongodb.MongoException;
import java.util.List;
import java.util.Optional;
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
     * @param fault the meaning of the failure
     * @param cause the driver's exception
     * @param mayExecuteLate whether the server may execute the operation even after it has replied to a later operation of
     *     the same run. A numbered write (a retryable write, or one in a transaction) is refused then; one without a
     *     number is not.
     */
    record Failed(Fault fault, MongoException cause, boolean mayExecuteLate) implements Reply {
        /**
         * Creates the reply for an operation that cannot be executed late.
         *
         * @param fault the meaning of the failure
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
    }
}
