package org.mongolocks.protocol;

import static org.mongolocks.spi.LockSchema.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FENCE;
import static org.mongolocks.spi.LockSchema.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FORMAT;
import static org.mongolocks.spi.LockSchema.LockFields.HOLDER;
import static org.mongolocks.spi.LockSchema.LockFields.ID;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockSchema.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LockFields.RELEASED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.RENEWED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.TURN;
import static org.mongolocks.spi.LockSchema.LockFields.WAITING;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.lease.LeaseReader;

/**
 * Factory methods for the lock documents that a server would have stored for {@link ProtocolFixture#NAME}, at
 * {@link #SERVER_TIME}, with {@link #TOKEN} and {@link #REVISION}.
 *
 * @param format the mark of the strategy's documents
 * @param revisionField the field that counts changes; {@code rev} unless the strategy names it differently
 */
public record LockDocumentFixtures(String format, String revisionField) {
    /** The server's time. */
    public static final Instant SERVER_TIME = Instant.parse("2026-01-02T03:04:05Z");
    /** The token in every document. */
    public static final long TOKEN = 7;
    /** The revision of every document. */
    public static final long REVISION = 5;
    /** The rest of a live lease. */
    public static final Duration REMAINING = Duration.ofSeconds(4);

    /**
     * Returns the document of a live lease.
     *
     * @param owner the holder
     * @return the document
     */
    public BsonDocument heldBy(Owner owner) {
        return granted(owner, SERVER_TIME.plus(REMAINING));
    }

    /**
     * Returns the document of a lease that has ended.
     *
     * @param owner the former holder
     * @return the document
     */
    public BsonDocument expiredOf(Owner owner) {
        return granted(owner, SERVER_TIME);
    }

    /**
     * Returns the document of a lock that was released.
     *
     * @return the document
     */
    public BsonDocument released() {
        BsonDocument stored = granted(ProtocolFixture.OTHER, SERVER_TIME).append(RELEASED_AT, date(SERVER_TIME));
        stored.remove(OWNER);
        stored.remove(HOLDER);
        return stored;
    }

    /**
     * Returns the document of a lock that was released, and for which {@link ProtocolFixture#WAITER} waits second.
     *
     * @return the document
     */
    public BsonDocument awaited() {
        BsonArray waiters = new BsonArray(
                List.of(new BsonInt64(ProtocolFixture.WAITER - 1), new BsonInt64(ProtocolFixture.WAITER)));
        return released().append(WAITING, waiters).append(TURN, waiters);
    }

    /**
     * Returns the document of a lock that an operator force-released.
     *
     * @return the document
     */
    public BsonDocument forceReleased() {
        return released().append(FORCED_AT, date(SERVER_TIME));
    }

    /**
     * Returns the document of a live lease of another strategy.
     *
     * @return the document, which the strategy must not read
     */
    public BsonDocument foreign() {
        return heldBy(ProtocolFixture.OTHER).append(FORMAT, new BsonString("foreign/1"));
    }

    /**
     * Returns a document without a format mark: not a lock, or stored before there were marks.
     *
     * @return the document, which the strategy must not read
     */
    public BsonDocument unmarked() {
        BsonDocument stored = heldBy(ProtocolFixture.ME);
        stored.remove(FORMAT);
        return stored;
    }

    /**
     * Returns the expected refusal of a document.
     *
     * @param stored a document that the strategy must not read
     * @return the failure that a program ends with
     */
    public Reply.Failed refusalOf(BsonDocument stored) {
        return ForeignFormatException.in(stored, format).orElseThrow();
    }

    /**
     * Returns the snapshot of a document that a write has returned.
     *
     * @param stored the document
     * @return the snapshot
     */
    public LockSnapshot read(BsonDocument stored) {
        return LeaseReader.snapshot(ProtocolFixture.NAME, stored, revisionField);
    }

    /**
     * Returns the snapshot of a document that a read has returned, with the rest of the lease at {@link #SERVER_TIME}.
     *
     * @param stored the document
     * @return the snapshot
     */
    public LockSnapshot readWithTime(BsonDocument stored) {
        return read(Replies.withServerTime(stored));
    }

    /**
     * Returns the commands on such documents.
     *
     * @return the texts
     */
    public LeaseCommands commands() {
        return new LeaseCommands(format, revisionField);
    }

    private BsonDocument granted(Owner owner, Instant expiresAt) {
        return new BsonDocument(ID, new BsonString(ProtocolFixture.NAME.value()))
                .append(FORMAT, new BsonString(format))
                .append(OWNER, new BsonString(owner.stored()))
                .append(HOLDER, ProtocolFixture.HOLDER.stored())
                .append(FENCE, new BsonInt64(TOKEN))
                .append(revisionField, new BsonInt64(REVISION))
                .append(ACQUIRED_AT, date(expiresAt.minus(ProtocolFixture.TTL)))
                .append(RENEWED_AT, date(expiresAt.minus(ProtocolFixture.TTL)))
                .append(LEASE_MILLIS, new BsonInt64(ProtocolFixture.TTL.toMillis()));
    }

    private static BsonDateTime date(Instant instant) {
        return new BsonDateTime(instant.toEpochMilli());
    }
}
