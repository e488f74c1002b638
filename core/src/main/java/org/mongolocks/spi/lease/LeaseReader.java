package org.mongolocks.spi.lease;

import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.LockSchema.LockFields.ACQUIRED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.FENCE;
import static org.mongolocks.spi.LockSchema.LockFields.FORCED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.HOLDER;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_ID;
import static org.mongolocks.spi.LockSchema.LockFields.LEASE_MILLIS;
import static org.mongolocks.spi.LockSchema.LockFields.NEXT;
import static org.mongolocks.spi.LockSchema.LockFields.NOW;
import static org.mongolocks.spi.LockSchema.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LockFields.POSITION;
import static org.mongolocks.spi.LockSchema.LockFields.RELEASED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.RENEWED_AT;
import static org.mongolocks.spi.LockSchema.LockFields.TURN;
import static org.mongolocks.spi.LockSchema.LockFields.WAITERS;
import static org.mongolocks.spi.LockSchema.LockFields.WAITING;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.spi.LockStrategy.Turn;

/**
 * The reader of the documents that {@link LeaseDocument} describes. A field that is missing or of another type is read as
 * absent.
 */
public final class LeaseReader {
    /** The fields that show waiters: all of them, or the first. */
    private static final List<String> LISTS = List.of(WAITING, NEXT, TURN);

    private LeaseReader() {}

    /**
     * Reads a lock document.
     *
     * @param name the name of the lock
     * @param stored the document
     * @param revisionField the field that counts changes
     * @return the state of the lock
     */
    public static LockSnapshot snapshot(LockName name, BsonDocument stored, String revisionField) {
        Duration ttl = Duration.ofMillis(number(stored, LEASE_MILLIS));
        Optional<String> owner = owner(stored);
        Optional<Instant> expiresAt = (owner.isPresent() ? Optional.<Instant>empty() : date(stored, RELEASED_AT))
                .or(() -> date(stored, RENEWED_AT).map(start -> start.plus(ttl)));
        Optional<Duration> remaining = date(stored, NOW)
                .flatMap(now -> expiresAt.map(end -> owner.isPresent() ? remaining(now, end) : Duration.ZERO));
        return LockSnapshot.of(name, owner, number(stored, FENCE), number(stored, revisionField))
                .lease(ttl, date(stored, ACQUIRED_AT), expiresAt)
                .remaining(remaining)
                .holderInfo(HolderInfo.ofStored(stored.get(HOLDER)))
                .leaseId(leaseId(stored))
                .waiters(waiters(stored));
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
     * Returns the reason of a loss before the end of the lease, by the document that is stored now.
     *
     * @param stored the lock document, if there is one
     * @return {@link LossReason#FORCED} until the next grant after a forced release, else {@link LossReason#TAKEN_OVER}
     */
    public static LossReason lossReason(Optional<BsonDocument> stored) {
        return stored.filter(document -> document.containsKey(FORCED_AT)).isPresent()
                ? LossReason.FORCED
                : LossReason.TAKEN_OVER;
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

    /** Returns how many waiters a reply shows: all if it has their number or the list, else at most the first ones. */
    static int waiters(BsonDocument stored) {
        if (stored.containsKey(WAITERS)) {
            return (int) number(stored, WAITERS);
        }
        for (String field : LISTS) {
            if (stored.get(field) instanceof BsonArray list) {
                return list.size();
            }
        }
        return 0;
    }

    /**
     * Returns the turn of a waiter.
     *
     * @param stored the lock document, with the {@linkplain WaitingList#located position} of the waiter or the whole list
     * @param lock the lock
     * @param waiter the number of the waiter
     * @return its turn; empty if it is not in the list
     */
    static Optional<Turn> turn(BsonDocument stored, LockSnapshot lock, long waiter) {
        int position = stored.get(POSITION) instanceof BsonNumber located
                ? located.intValue()
                : stored.get(WAITING) instanceof BsonArray list ? list.indexOf(new BsonInt64(waiter)) : -1;
        if (position < 0) {
            return Optional.empty();
        }
        return Optional.of(
                lock.holder().isPresent()
                        ? Turn.ofHeld(position, left(stored, lock))
                        : Turn.ofFree(position, between(stored, RELEASED_AT, NOW)));
    }

    /** Returns the turn behind all waiters that are shown for a free lock; empty if there are none, or no time is shown. */
    static Optional<Turn> turnBehindAll(BsonDocument stored, LockSnapshot lock) {
        boolean isAwaited = lock.holder().isEmpty() && lock.waiters() > 0 && stored.containsKey(NOW);
        return isAwaited
                ? Optional.of(Turn.ofFree(lock.waiters(), between(stored, RELEASED_AT, NOW)))
                : Optional.empty();
    }

    /** Returns how long the lease still lasts: less than zero if it has ended; all of it if the server's time is not known. */
    private static Duration left(BsonDocument stored, LockSnapshot lock) {
        return lock.remaining().isPresent()
                ? Duration.between(
                        date(stored, NOW).orElseThrow(), lock.expiresAt().orElseThrow())
                : lock.ttl();
    }

    /** Returns how long the lock had been free when it was acquired. */
    static Duration freeFor(BsonDocument granted) {
        return granted.get(RELEASED_AT) instanceof BsonDateTime from
                        && granted.get(ACQUIRED_AT) instanceof BsonDateTime to
                ? Duration.ofMillis(Math.max(0, to.getValue() - from.getValue()))
                : Duration.ZERO;
    }

    private static Duration between(BsonDocument stored, String from, String to) {
        return date(stored, from)
                .flatMap(start -> date(stored, to).map(end -> Duration.between(start, end)))
                .orElse(Duration.ZERO);
    }
}
