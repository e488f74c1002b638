package org.mongolocks.embedded.internal.cursor;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonSize;

/** Takes batches of documents from a source, none larger than a message may be. */
public final class BatchWriter implements DocumentSource {
    /** How many documents a first batch has unless asked otherwise. */
    public static final int DEFAULT_FIRST = 101;

    private final DocumentSource source;
    private @Nullable Document heldBack;

    public BatchWriter(DocumentSource source) {
        this.source = source;
    }

    /** As many documents as are asked for, as there are, and as fit into a message; one at least. */
    public List<Document> take(long count) {
        List<Document> batch = new ArrayList<>();
        long bytes = 0;
        while (batch.size() < count) {
            Document document = next();
            if (document == null) {
                break;
            }
            bytes += BsonSize.of(document);
            if (bytes > BsonSize.MAX_DOCUMENT && !batch.isEmpty()) {
                heldBack = document;
                break;
            }
            batch.add(document);
        }
        return batch;
    }

    @Override
    public @Nullable Document next() {
        Document document = heldBack == null ? source.next() : heldBack;
        heldBack = null;
        return document;
    }

    @Override
    public boolean isAtEnd() {
        return heldBack == null && source.isAtEnd();
    }
}
