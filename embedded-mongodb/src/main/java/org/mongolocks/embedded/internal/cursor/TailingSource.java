package org.mongolocks.embedded.internal.cursor;

import de.bwaldvogel.mongo.bson.Document;

/** Results that do not end where they end now: more may come. */
public interface TailingSource extends DocumentSource {
    /** Where a reader that has read all of this would go on, as the reply names it. */
    Document position();

    /** Whether something may have come since the last document was looked for. */
    boolean hasNews();
}
