package org.mongolocks.spi.lease;

import static org.mongolocks.spi.Expressions.add;
import static org.mongolocks.spi.Expressions.cond;
import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.ifNull;
import static org.mongolocks.spi.Expressions.path;
import static org.mongolocks.spi.LockSchema.LockFields.NEXT;
import static org.mongolocks.spi.LockSchema.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LockFields.POSITIONS;
import static org.mongolocks.spi.LockSchema.LockFields.TURN;
import static org.mongolocks.spi.LockSchema.LockFields.WAITERS;
import static org.mongolocks.spi.LockSchema.LockFields.WAITING;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.AcquireContext.Waiter;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LockStrategy;

/**
 * The list of waiters in a lock document, as {@link LockStrategy#waitingList} describes it: the expressions that decide by it
 * and change it.
 */
final class WaitingList {
    /** The number of an attempt that is not made by a waiter; no list has it. */
    static final long NO_WAITER = -1;

    /** A longer list would make each grant expensive; the other waiters poll. */
    private static final int MAX_WAITERS = 1_000;

    private static final BsonString REMOVE = new BsonString("$$REMOVE");
    private static final BsonArray NOBODY = new BsonArray();
    /** The list; empty if there is none, also in a document of another format. */
    private static final BsonDocument LIST = cond(document("$isArray", array(path(WAITING))), path(WAITING), NOBODY);

    private static final BsonString THIS = new BsonString("$$this");
    private static final BsonString LISTED = new BsonString("$$listed");
    private static final BsonString POSITION = new BsonString("$$position");
    private static final BsonDocument SIZE = document("$size", LISTED);
    private static final BsonDateTime LONG_AGO = new BsonDateTime(0);

    private WaitingList() {}

    /**
     * Returns an expression in which the list of a waiter, and its position there, are known to {@link #isTurn},
     * {@link #afterGrant}, {@link #changes} and {@link #changed}. One that is not in the list is behind all others.
     */
    static BsonDocument with(long number, BsonDocument expression) {
        BsonDocument withSelf = document("$concatArrays", array(LISTED, array(new BsonInt64(number))));
        BsonDocument position = document("$indexOfArray", array(withSelf, new BsonInt64(number)));
        return let("listed", LIST, let("position", position, expression));
    }

    /**
     * Returns the condition that no waiter comes first, for a lock that is free. A server clock that was set back since
     * the release does not block a lock.
     *
     * @param freeSince the time of the release, or the end of the lease; null if the lock was never held
     */
    static BsonDocument isTurn(BsonDocument freeSince) {
        BsonDocument since = ifNull(freeSince, LONG_AGO);
        BsonDocument free = document("$subtract", array(Expressions.NOW, since));
        BsonDocument setBack = document("$subtract", array(since, Expressions.NOW));
        BsonDocument claims = document("$min", array(POSITION, new BsonInt32(LockStrategy.MAX_CLAIMS)));
        BsonDocument claimTime =
                document("$multiply", array(claims, new BsonInt64(LockStrategy.CLAIM_TIME.toMillis())));
        return document("$gte", array(document("$max", array(free, setBack)), claimTime));
    }

    /** Returns the list after a grant. */
    static BsonDocument afterGrant() {
        return document("$slice", array(LISTED, add(POSITION, new BsonInt32(1)), new BsonInt32(MAX_WAITERS)));
    }

    /** Returns the condition that an attempt that does not acquire the lock changes the list. */
    static BsonValue changes(Waiter.Entry entry) {
        BsonDocument isListed = document("$lt", array(POSITION, SIZE));
        BsonDocument hasRoom = document("$lt", array(SIZE, new BsonInt32(MAX_WAITERS)));
        return switch (entry) {
            case ADD -> document("$and", array(document("$eq", array(POSITION, SIZE)), hasRoom));
            case KEEP -> BsonBoolean.FALSE;
            case REMOVE -> isListed;
        };
    }

    /** Returns the list after that. */
    static BsonDocument changed(Waiter waiter) {
        return waiter.unlessAcquired() == Waiter.Entry.ADD
                ? document("$concatArrays", array(LISTED, array(new BsonInt64(waiter.number()))))
                : without(waiter.number(), LISTED);
    }

    /** Returns the stage that removes a waiter from the list. */
    static BsonDocument removal(long number) {
        return document("$set", document(WAITING, without(number, LIST)));
    }

    private static BsonDocument without(long number, BsonValue list) {
        BsonDocument isOther = document("$ne", array(THIS, new BsonInt64(number)));
        return document("$filter", document("input", list).append("cond", isOther));
    }

    /**
     * Adds the fields that follow from the list and the owner, for the stage after the one that has changed them.
     *
     * @param fields the fields of that stage
     * @param isForeign the condition that the document stays as it is
     * @return the fields
     */
    static BsonDocument derivedFields(BsonDocument fields, BsonDocument isForeign) {
        BsonDocument isAwaited = document("$ne", array(LIST, NOBODY));
        BsonDocument first = document("$slice", array(path(WAITING), new BsonInt32(LockStrategy.NOTIFIED_WAITERS)));
        BsonDocument next = cond(hasNoOwner(), REMOVE, first);
        BsonDocument turn = cond(hasNoOwner(), first, REMOVE);
        return fields.append(WAITING, keptIf(isForeign, WAITING, cond(isAwaited, path(WAITING), REMOVE)))
                .append(NEXT, keptIf(isForeign, NEXT, cond(isAwaited, next, REMOVE)))
                .append(TURN, keptIf(isForeign, TURN, cond(isAwaited, turn, REMOVE)));
    }

    /** Returns an expression for a field as it is if a condition is true, else for another value. */
    static BsonDocument keptIf(BsonValue condition, String field, BsonValue other) {
        return cond(condition, path(field), other);
    }

    /** Returns the condition that no owner is stored. */
    static BsonDocument hasNoOwner() {
        return document("$eq", array(ifNull(path(OWNER), Expressions.NULL), Expressions.NULL));
    }

    /** Adds the number of waiters to a copy of a projection. */
    static BsonDocument counted(BsonDocument projection) {
        return copyOf(projection).append(WAITERS, document("$size", LIST));
    }

    /** Adds the positions of some waiters to a copy of a projection. */
    static BsonDocument located(BsonDocument projection, List<Long> numbers) {
        BsonArray all = new BsonArray(numbers.stream().map(BsonInt64::new).toList());
        BsonDocument position = document("$indexOfArray", array(LIST, THIS));
        return copyOf(projection)
                .append(POSITIONS, document("$map", document("input", all).append("in", position)));
    }

    private static BsonDocument copyOf(BsonDocument projection) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(projection);
        return copy;
    }

    private static BsonDocument let(String name, BsonValue value, BsonDocument in) {
        return document("$let", document("vars", document(name, value)).append("in", in));
    }

    private static BsonArray array(BsonValue... values) {
        return new BsonArray(List.of(values));
    }
}
