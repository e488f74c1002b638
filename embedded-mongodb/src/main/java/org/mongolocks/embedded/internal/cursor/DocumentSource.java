package org.mongolocks.embedded.internal.cursor;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;

/** Results of a query, one after the other. */
public interface DocumentSource {
    /** The next document, or null at the end. */
    @Nullable
    Document next();

    /**
     * Whether the end is known to be reached. A scan knows that only when it has looked for one more document and found none, and so a
     * batch that is full may leave a cursor behind that has nothing more to give.
     */
    boolean isAtEnd();
}
