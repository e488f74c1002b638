package org.mongolocks.embedded.internal.cursor;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.session.ApiParameters;
import org.mongolocks.embedded.internal.storage.Namespace;

/** A cursor that a client may go on reading. */
public final class OpenCursor {
    /** How many documents a first batch has unless asked otherwise. */
    public static final int DEFAULT_FIRST_BATCH = 101;

    private final long id;
    private final Namespace namespace;
    private final DocumentSource source;
    private final Owner owner;
    private long lastUsed;
    private boolean isInUse;
    private @Nullable Document heldBack;

    OpenCursor(long id, Namespace namespace, DocumentSource source, Owner owner) {
        this.id = id;
        this.namespace = namespace;
        this.source = source;
        this.owner = owner;
    }

    /**
     * Whose cursor it is.
     *
     * @param session the session in which it was made, or null
     * @param api what the command that made it declares of the stable API
     * @param txnNumber the transaction in which it was made, or null
     * @param collection the identity of the collection that it reads, or null if it holds its results
     */
    public record Owner(
            @Nullable UUID session,
            ApiParameters api,
            @Nullable Long txnNumber,
            @Nullable UUID collection) {}

    public long id() {
        return id;
    }

    public Namespace namespace() {
        return namespace;
    }

    public DocumentSource source() {
        return source;
    }

    public Owner owner() {
        return owner;
    }

    long lastUsed() {
        return lastUsed;
    }

    /** Notes that the cursor is in use now, or was until now. */
    public void use(long now, boolean isBeginning) {
        lastUsed = now;
        isInUse = isBeginning;
    }

    /** Whether a command is reading from it at the moment. */
    public boolean isInUse() {
        return isInUse;
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

    private @Nullable Document next() {
        Document document = heldBack == null ? source.next() : heldBack;
        heldBack = null;
        return document;
    }

    /** Whether the end is known to be reached. */
    public boolean isAtEnd() {
        return heldBack == null && source.isAtEnd();
    }
}
