package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a delete command.
 *
 * @param isMulti whether all matches are deleted, not only the first
 * @param hint the index to use, or null
 * @param collation how strings compare, empty for the collection's rule
 */
public record DeleteRequest(
        Document query, boolean isMulti, @Nullable Object hint, Document collation) {}
