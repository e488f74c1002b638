package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the application of an update depends on beside the document.
 *
 * @param original the document before the update
 * @param matchedIndex the array element that the query matched, for the positional operator
 * @param isInsert whether an upsert is making a new document
 * @param now the time of this attempt
 * @param timestamps gives a new timestamp each time
 */
public record UpdateContext(
        Document original,
        @Nullable Integer matchedIndex,
        boolean isInsert,
        Instant now,
        Supplier<BsonTimestamp> timestamps) {}
