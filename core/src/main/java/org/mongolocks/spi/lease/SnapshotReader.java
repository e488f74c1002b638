package org.mongolocks.spi.lease;

import static org.mongolocks.spi.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockFields.EXPIRES_AT;
import static org.mongolocks.spi.LockFields.FENCE;
import static org.mongolocks.spi.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockFields.FORMAT;
import static org.mongolocks.spi.LockFields.HOLDER;
import static org.mongolocks.spi.LockFields.LEASE_ID;
import static org.mongolocks.spi.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockFields.NOW;
import static org.mongolocks.spi.LockFields.OWNER;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.spi.Expressions;

/** A reader of lock documents. A field that is missing or of another type is treated as absent. */
public final class SnapshotReader {
    private static final List<String> FIELDS =
            List.of(FORMAT, OWNER, HOLDER, FENCE, ACQUIRED_AT, EXPIRES_AT, LEASE_MILLIS, FORCED_AT);

    private SnapshotReader() {}

    /**
     * Returns the projection of the fields of a lock and of the server's time.
     *
     * @param revisionField the field that counts changes
     * @return the projection
     */
    public static BsonDocument projection(String revisionField) {
        BsonDocument projection = new BsonDocument();
        FIELDS.forEach(field -> projection.append(field, new BsonInt32(1)));
        return projection.append(revisionField, new BsonInt32(1)).append(NOW, Expressions.NOW);
    }

    /**
     * Reads a lock document.
     *
     * @param name the name of the lock
     * @param stored the document
     * @param revisionField the field that counts changes
     * @return the state of the lock
     */
    public static LockSnapshot read(LockName name, BsonDocument stored, String revisionField) {
        Optional<Instant> expiresAt = date(stored, EXPIRES_AT);
        Optional<Duration> remaining = date(stored, NOW).flatMap(now -> expiresAt.map(end -> remaining(now, end)));
        return new LockSnapshot(
                name,
                owner(stored),
                number(stored, FENCE),
                number(stored, revisionField),
                date(stored, ACQUIRED_AT),
                expiresAt,
                Duration.ofMillis(number(stored, LEASE_MILLIS)),
                remaining,
                HolderInfoCodec.in(stored),
                leaseId(stored));
    }

    /**
     * Returns the holder of a lock.
     *
     * @param stored a lock document
     * @return the stored owner, empty if there is none
     */
    public static Optional<String> owner(BsonDocument stored) {
        BsonValue value = stored.get(OWNER);
        return value != null && value.isString() ? Optional.of(value.asString().getValue()) : Optional.empty();
    }

    /**
     * Reads a whole number.
     *
     * @param stored a document
     * @param field the field
     * @return the number, zero if there is none
     */
    public static long number(BsonDocument stored, String field) {
        BsonValue value = stored.get(field);
        return value != null && value.isNumber() ? value.asNumber().longValue() : 0;
    }

    /**
     * Returns the reason of a loss, by the document that is stored now. A larger token was granted to another owner,
     * which may have released the lock since; without one no other owner is known to have held it.
     *
     * @param stored the lock document, if there is one
     * @param fencingToken the token of the grant that was lost
     * @return the reason
     */
    public static LossReason lossReason(Optional<BsonDocument> stored, long fencingToken) {
        if (stored.isEmpty()) {
            return LossReason.EXPIRED;
        }
        if (stored.get().containsKey(FORCED_AT)) {
            return LossReason.FORCED;
        }
        boolean isGranted = owner(stored.get()).isPresent() || number(stored.get(), FENCE) > fencingToken;
        return isGranted ? LossReason.TAKEN_OVER : LossReason.EXPIRED;
    }

    private static OptionalLong leaseId(BsonDocument stored) {
        BsonValue value = stored.get(LEASE_ID);
        return value != null && value.isNumber()
                ? OptionalLong.of(value.asNumber().longValue())
                : OptionalLong.empty();
    }

    private static Optional<Instant> date(BsonDocument stored, String field) {
        BsonValue value = stored.get(field);
        return value != null && value.isDateTime()
                ? Optional.of(Instant.ofEpochMilli(value.asDateTime().getValue()))
                : Optional.empty();
    }

    private static Duration remaining(Instant now, Instant end) {
        Duration left = Duration.between(now, end);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
