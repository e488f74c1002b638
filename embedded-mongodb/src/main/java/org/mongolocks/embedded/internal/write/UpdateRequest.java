package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An update as a client asked for it.
 *
 * @param query which documents
 * @param update what to do with them
 * @param isMulti whether to change all that match, or the first
 * @param isUpsert whether to insert if none matches
 * @param arrayFilters names for elements of arrays, or null
 * @param hint the index to use, or null
 * @param sort which match is the first, or null
 * @param collation how strings compare, empty for the collection's rule
 */
public record UpdateRequest(
        Document query,
        @Nullable Object update,
        boolean isMulti,
        boolean isUpsert,
        @Nullable List<?> arrayFilters,
        @Nullable Object hint,
        @Nullable Document sort,
        Document collation) {}
