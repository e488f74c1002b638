package org.mongolocks.embedded.internal.session;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a statement that was executed, to answer it again.
 *
 * @param kind what was done
 * @param upsertedId the {@code _id}, if an upsert inserted
 * @param before the document before, if it was asked for
 * @param after the document after, if it was asked for
 */
public record StatementRecord(
        Kind kind,
        @Nullable Object upsertedId,
        @Nullable Document before,
        @Nullable Document after) {
    /** What a statement did. */
    public enum Kind {
        INSERT,
        UPDATE,
        DELETE
    }

    public static StatementRecord of(Kind kind) {
        return new StatementRecord(kind, null, null, null);
    }
}
