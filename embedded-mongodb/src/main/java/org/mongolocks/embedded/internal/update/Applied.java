package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an update made of a document.
 *
 * @param document the new document
 * @param isNoop whether it is the old one
 * @param fields the fields that changed, or null if the whole document was replaced
 */
public record Applied(
        Document document, boolean isNoop, @Nullable Fields fields) {
    static Applied noop(Document document) {
        return new Applied(document, true, null);
    }

    /**
     * The fields that an update changed, by dotted path.
     *
     * @param updated new values
     * @param removed what is gone
     */
    public record Fields(Document updated, List<String> removed) {}
}
