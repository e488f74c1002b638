package org.mongolocks.embedded.internal.oplog;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that became visible together.
 *
 * @param timestamp when, in the logical time of the replica set
 * @param changes one, or those of a transaction
 * @param transaction whose they are, if they are a transaction's
 */
public record OplogEntry(
        BsonTimestamp timestamp,
        List<Change> changes,
        @Nullable TransactionId transaction) {
    /** A session and a number in it. */
    public record TransactionId(Document session, long number) {}
}
