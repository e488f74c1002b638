package org.mongolocks.strategy.optimisticversion;

import com.mongodb.MongoException;
import org.bson.BsonDocument;

/** Tells how an {@link OptimisticUpdate} ended. */
public sealed interface UpdateOutcome {
    /**
     * The change was made, once.
     *
     * @param document the document with the change; when the reply to the write was lost, with what others have changed
     *     since as well
     * @param attempts how often the document was read for it, at least 1
     */
    record Updated(BsonDocument document, int attempts) implements UpdateOutcome {}

    /**
     * Nothing was written: the function refused, or changed nothing.
     *
     * @param document the document as it was read
     */
    record Unchanged(BsonDocument document) implements UpdateOutcome {}

    /** No document has the id. Nothing was written. */
    record Missing() implements UpdateOutcome {}

    /**
     * Others were faster each time. Nothing was written.
     *
     * @param attempts how often the document was read
     * @param lastVersion the version that was read last
     */
    record Conflicted(int attempts, long lastVersion) implements UpdateOutcome {}

    /**
     * The reply to the write was lost, and the document does not tell any more whether it was done, or could not be read.
     * The change was made once or not at all.
     *
     * @param attempts how often the document was read before the write
     * @param cause what the write failed with
     */
    record Indeterminate(int attempts, MongoException cause) implements UpdateOutcome {}
}
