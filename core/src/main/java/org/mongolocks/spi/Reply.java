package org.mongolocks.spi;

import com.mongodb.MongoException;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** Is what came of a {@link MongoOp}; the same on both drivers. */
public sealed interface Reply {

    /**
     * Tells whether the operation failed in a certain way.
     *
     * @param fault the way
     * @return true if this is a {@link Failed} with that fault
     */
    default boolean failedWith(Fault fault) {
        return this instanceof Failed failed && failed.fault() == fault;
    }

    /**
     * A document was asked for.
     *
     * @param document the document, or empty if none matched
     */
    record Found(Optional<BsonDocument> document) implements Reply {
        /**
         * Makes the reply of a match.
         *
         * @param document the document
         * @return the reply
         */
        public static Found of(BsonDocument document) {
            return new Found(Optional.of(document));
        }

        /**
         * Makes the reply of no match.
         *
         * @return the reply
         */
        public static Found none() {
            return new Found(Optional.empty());
        }
    }

    /**
     * Documents were asked for.
     *
     * @param documents those that matched, in order
     */
    record FoundMany(List<BsonDocument> documents) implements Reply {
        /**
         * Copies the documents.
         *
         * @param documents those that matched
         */
        public FoundMany {
            documents = List.copyOf(documents);
        }
    }

    /**
     * A write was counted. A write that was repeated after a fault may count differently than the first time: do not
     * conclude from a count who holds a lock.
     *
     * @param matched how many documents matched; for a delete, how many went
     * @param upserted whether a document was created
     */
    record Counted(long matched, boolean upserted) implements Reply {}

    /** The operation was done and there is nothing to tell about it. */
    record Acknowledged() implements Reply {}

    /**
     * The operation failed.
     *
     * @param fault what that means
     * @param cause the driver's exception
     * @param mayComeLate whether the server may execute it even after it has answered a later operation of the same
     *     run. A numbered write (a retryable write, or one in a transaction) is refused then; one without a number is
     *     not.
     */
    record Failed(Fault fault, MongoException cause, boolean mayComeLate) implements Reply {
        /**
         * Makes a reply about an operation that cannot come late.
         *
         * @param fault what that means
         * @param cause the driver's exception
         */
        public Failed(Fault fault, MongoException cause) {
            this(fault, cause, false);
        }

        /**
         * Tells whether the server may have executed the operation.
         *
         * @return true after a {@link Fault#AMBIGUOUS} or a {@link Fault#UNKNOWN_COMMIT}
         */
        public boolean isDoubtful() {
            return fault == Fault.AMBIGUOUS || fault == Fault.UNKNOWN_COMMIT;
        }
    }
}
