package org.mongolocks.protocol;

import static org.mongolocks.spi.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockFields.FENCE;
import static org.mongolocks.spi.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockFields.FORMAT;
import static org.mongolocks.spi.LockFields.HOLDER;
import static org.mongolocks.spi.LockFields.ID;
import static org.mongolocks.spi.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockFields.OWNER;
import static org.mongolocks.spi.LockFields.RELEASED_AT;

import java.time.Duration;
import java.time.Instant;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Snapshots;
import org.mongolocks.spi.StoredHolder;

/**
 * Makes the lock documents that a server would have stored for {@link Scene#NAME}, at {@link #SERVER_TIME}, with
 * {@link #TOKEN} and {@link #REVISION}.
 *
 * @param format the mark of the strategy's documents
 * @param revisionField the field that counts changes; {@code rev} unless the strategy names it differently
 */
public record StoredLocks(String format, String revisionField) {
    /** The server's time. */
    public static final Instant SERVER_TIME = Instant.parse("2026-01-02T03:04:05Z");
    /** The token in every document. */
    public static final long TOKEN = 7;
    /** The revision of every document. */
    public static final long REVISION = 5;
    /** What is left of a live lease. */
    public static final Duration REMAINING = Duration.ofSeconds(4);

    /**
     * Stores a live lease.
     *
     * @param owner who holds it
     * @return the document
     */
    public BsonDocument heldBy(Owner owner) {
        return given(owner, SERVER_TIME.plus(REMAINING));
    }

    /**
     * Stores a lease that has ended.
     *
     * @param owner who held it
     * @return the document
     */
    public BsonDocument expiredOf(Owner owner) {
        return given(owner, SERVER_TIME);
    }

    /**
     * Stores a lock that was given back.
     *
     * @return the document
     */
    public BsonDocument released() {
        BsonDocument stored = given(Scene.OTHER, SERVER_TIME).append(RELEASED_AT, date(SERVER_TIME));
        stored.remove(OWNER);
        stored.remove(HOLDER);
        return stored;
    }

    /**
     * Stores a lock that an operator forced free.
     *
     * @return the document
     */
    public BsonDocument forcedFree() {
        return released().append(FORCED_AT, date(SERVER_TIME));
    }

    /**
     * Stores a live lease of another strategy.
     *
     * @return the document, which the strategy may not read
     */
    public BsonDocument foreign() {
        return heldBy(Scene.OTHER).append(FORMAT, new BsonString("foreign/1"));
    }

    /**
     * Stores something that is no lock, or one of a time before there were marks.
     *
     * @return the document, which the strategy may not read
     */
    public BsonDocument unmarked() {
        BsonDocument stored = heldBy(Scene.ME);
        stored.remove(FORMAT);
        return stored;
    }

    /**
     * Expects the refusal of a document.
     *
     * @param stored a document that the strategy may not read
     * @return the failure that a program ends with
     */
    public Reply.Failed refusalOf(BsonDocument stored) {
        return ForeignFormatException.in(stored, format).orElseThrow();
    }

    /**
     * Reads a document as it is returned by a write.
     *
     * @param stored the document
     * @return what it says
     */
    public LockSnapshot read(BsonDocument stored) {
        return Snapshots.read(Scene.NAME, stored, revisionField);
    }

    /**
     * Reads a document as a look returns it, with what remains of the lease at {@link #SERVER_TIME}.
     *
     * @param stored the document
     * @return what it says
     */
    public LockSnapshot lookedAt(BsonDocument stored) {
        return read(Replies.withServerTime(stored));
    }

    private BsonDocument given(Owner owner, Instant expiresAt) {
        return new BsonDocument(ID, new BsonString(Scene.NAME.value()))
                .append(FORMAT, new BsonString(format))
                .append(OWNER, new BsonString(owner.stored()))
                .append(HOLDER, StoredHolder.of(Scene.HOLDER))
                .append(FENCE, new BsonInt64(TOKEN))
                .append(revisionField, new BsonInt64(REVISION))
                .append(ACQUIRED_AT, date(expiresAt.minus(Scene.TTL)))
                .append(EXPIRES_AT, date(expiresAt))
                .append(LEASE_MILLIS, new BsonInt64(Scene.TTL.toMillis()));
    }

    private static BsonDateTime date(Instant instant) {
        return new BsonDateTime(instant.toEpochMilli());
    }
}
