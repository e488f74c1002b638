package org.mongolocks.embedded;

import de.bwaldvogel.mongo.bson.Document;

/** Runs a server. */
public final class EmbeddedMongo {
    private EmbeddedMongo() {}

    /**
     * Gives a document.
     *
     * @return the document
     */
    public static Document doc() {
        return new Document("a", 1);
    }
}
