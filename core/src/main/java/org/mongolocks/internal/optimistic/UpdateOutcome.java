package org.mongolocks.internal.optimistic;

import com.mongodb.MongoException;
import org.bson.BsonDocument;

/** The result of one run of an update. */
public sealed interface UpdateOutcome {
    /**
     * The change was made, once.
     *
     * @param document the document with the change; if the reply to the write was lost, also with later changes of
     *     other writers
     * @param attempts how often the document was read for it, at least 1
     */
    record Updated(BsonDocument document, int attempts) implements UpdateOutcome {}

    /**
     * Nothing was written, because the function changed nothing.
     *
     * @param document the document as it was read
     */
    record Unchanged(BsonDocument document) implements UpdateOutcome {}

    /** No document has the id. Nothing was written. */
    record Missing() implements UpdateOutcome {}

    /**
     * Lost every race. Nothing was written.
     *
     * @param attempts how often the document was read
     * @param lastVersion the version that was read last
     */
    record Conflicted(int attempts, long lastVersion) implements UpdateOutcome {}

    /**
     * The reply to the write was lost, and the document no longer shows whether it was executed, or could not be read.
     * The change was made once or not at all.
     *
     * @param attempts how often the document was read before the write
     * @param cause the fault of the write
     */
    record Indeterminate(int attempts, MongoException cause) implements UpdateOutcome {}
}
