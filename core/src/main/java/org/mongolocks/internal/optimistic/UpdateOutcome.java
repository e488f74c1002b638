package org.mongolocks.internal.optimistic;

import com.mongodb.MongoException;
import org.bson.BsonDocument;

/** The result of one run of an update. Its attempts are the reads for a change, at least 1. */
public sealed interface UpdateOutcome {
    /** The change was made, once; after a lost reply the document may also have later changes of other writers. */
    record Updated(BsonDocument document, int attempts) implements UpdateOutcome {}

    /** The function changed nothing in the document that was read, and nothing was written. */
    record Unchanged(BsonDocument document) implements UpdateOutcome {}

    /** No document has the id. */
    record Missing() implements UpdateOutcome {}

    /** Lost every race, the last one with the version that was read last. Nothing was written. */
    record Conflicted(int attempts, long lastVersion) implements UpdateOutcome {}

    /** The reply to the write was lost, and no read shows whether it was executed: the change was made once or not at all. */
    record Indeterminate(int attempts, MongoException cause) implements UpdateOutcome {}
}
