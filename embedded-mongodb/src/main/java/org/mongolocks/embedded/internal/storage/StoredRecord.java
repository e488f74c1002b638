package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.Document;

/** A document with its place in the collection. Its identity is its version: each write makes a new one. */
public final class StoredRecord {
    private final long id;
    private final Document document;

    StoredRecord(long id, Document document) {
        this.id = id;
        this.document = document;
    }

    public long id() {
        return id;
    }

    public Document document() {
        return document;
    }
}
