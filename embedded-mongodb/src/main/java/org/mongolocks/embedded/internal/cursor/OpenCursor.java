package org.mongolocks.embedded.internal.cursor;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.storage.Namespace;

/** A cursor that a client may go on reading. */
public final class OpenCursor {
    private final long id;
    private final Namespace namespace;
    private final DocumentSource source;
    private final BatchWriter batches;
    private final Owner owner;
    private long lastUsed;
    private boolean isInUse;

    OpenCursor(long id, Namespace namespace, DocumentSource source, Owner owner) {
        this.id = id;
        this.namespace = namespace;
        this.source = source;
        this.batches = new BatchWriter(source);
        this.owner = owner;
    }

    /**
     * Whose cursor it is.
     *
     * @param session the session in which it was made, or null
     * @param txnNumber the transaction in which it was made, or null
     * @param collection the identity of the collection that it reads, or null if it holds its results
     * @param neverTimesOut whether it may be idle for as long as its session lives
     */
    public record Owner(
            @Nullable UUID session,
            @Nullable Long txnNumber,
            @Nullable UUID collection,
            boolean neverTimesOut) {}

    public long id() {
        return id;
    }

    public Namespace namespace() {
        return namespace;
    }

    public DocumentSource source() {
        return source;
    }

    /** The batches of this cursor. */
    public BatchWriter batches() {
        return batches;
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
}
