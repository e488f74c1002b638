package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;

/** A parsed update, ready to be applied to documents. */
public interface Update {
    /**
     * Applies the update to a document.
     *
     * @return the outcome; the document itself if nothing would change
     */
    Applied applyTo(Document document, UpdateContext context);

    /** Whether the update replaces the document, so that an upsert takes no more than {@code _id} over from its query. */
    default boolean isReplacement() {
        return false;
    }
}
