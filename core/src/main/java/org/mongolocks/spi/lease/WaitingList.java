package org.mongolocks.spi.lease;

import static org.mongolocks.spi.Expressions.cond;
import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.ifNull;
import static org.mongolocks.spi.Expressions.path;
import static org.mongolocks.spi.LockSchema.LockFields.NEXT;
import static org.mongolocks.spi.LockSchema.LockFields.OWNER;
import static org.mongolocks.spi.LockSchema.LockFields.PASSED;
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
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.Waiter;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LockSchema.LockFields;
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

    /** The numbers of those that were passed; empty if there are none. */
    private static final BsonDocument PASSED_NUMBERS =
            cond(document("$isArray", array(path(PASSED))), path(PASSED), NOBODY);

    private static final BsonString THIS = new BsonString("$$this");
    private static final BsonString LISTED = new BsonString("$$listed");
    private static final BsonString POSITION = new BsonString("$$position");
    /** The index among those that were passed and have not come back, -1 for others. */
    private static final BsonString PLACE = new BsonString("$$place");

    private static final BsonDocument WAS_PASSED = document("$gte", array(PLACE, new BsonInt32(0)));
    private static final BsonDocument SIZE = document("$size", LISTED);
    private static final BsonDateTime LONG_AGO = new BsonDateTime(0);

    private WaitingList() {}

    /** Returns the number of the waiter that makes an attempt. */
    static long numberOf(AcquireContext context) {
        return context.waiter().map(Waiter::number).orElse(NO_WAITER);
    }

    /**
     * Returns an expression in which the list of a waiter, and its position there, are known to {@link #isTurn},
     * {@link #afterGrant}, {@link #changes} and {@link #changed}. One that is not in the list is behind all others, or before
     * them if it was passed.
     */
    static BsonDocument with(long number, BsonDocument expression) {
        BsonInt64 own = new BsonInt64(number);
        BsonDocument last = document("$indexOfArray", array(document("$concatArrays", array(LISTED, array(own))), own));
        BsonDocument position = cond(WAS_PASSED, new BsonInt32(0), last);
        BsonDocument place = cond(
                document("$in", array(own, LISTED)),
                new BsonInt32(-1),
                document("$indexOfArray", array(PASSED_NUMBERS, own)));
        return let("listed", LIST, let("place", place, let("position", position, expression)));
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

    /**
     * Returns the lists after a grant. Those before the new holder keep their order, and their right to come next: they
     * may be alive. One that has come back by that right and is passed again loses it, and joins at the end: it would cost
     * the others time at each grant. The numbers beyond all claims are removed.
     */
    static BsonDocument afterGrant(long number) {
        BsonDocument claims = document("$min", array(POSITION, new BsonInt32(LockStrategy.MAX_CLAIMS)));
        BsonDocument before = document("$slice", array(LISTED, claims));
        BsonDocument passed =
                document("$concatArrays", array(outside(before, PASSED_NUMBERS), outside(PASSED_NUMBERS, before)));
        BsonDocument rest = document("$slice", array(LISTED, POSITION, new BsonInt32(MAX_WAITERS)));
        BsonInt32 newest = new BsonInt32(-LockStrategy.MAX_CLAIMS);
        return lists(without(number, rest), document("$slice", array(without(number, passed), newest)));
    }

    /** Returns whether an attempt adds a waiter. */
    static boolean isAdded(AcquireContext context) {
        return context.waiter()
                .filter(waiter -> waiter.unlessAcquired() == Waiter.Entry.ADD)
                .isPresent();
    }

    /** Returns the condition that an attempt that does not acquire the lock changes the list. */
    static BsonValue changes(Waiter waiter) {
        BsonDocument isListed = document("$in", array(new BsonInt64(waiter.number()), LISTED));
        BsonDocument hasRoom = document("$lt", array(SIZE, new BsonInt32(MAX_WAITERS)));
        BsonDocument isNew = document("$and", array(document("$not", array(isListed)), hasRoom));
        return switch (waiter.unlessAcquired()) {
            case ADD -> document("$or", array(WAS_PASSED, isNew));
            case KEEP -> BsonBoolean.FALSE;
            case REMOVE -> document("$or", array(WAS_PASSED, isListed));
        };
    }

    /**
     * Returns the lists after that. One that was passed comes back with those behind it, so that they keep their order; their
     * numbers stay among those that were passed.
     */
    static BsonDocument changed(Waiter waiter) {
        BsonArray own = array(new BsonInt64(waiter.number()));
        if (waiter.unlessAcquired() != Waiter.Entry.ADD) {
            return lists(without(waiter.number(), LISTED), without(waiter.number(), PASSED_NUMBERS));
        }
        BsonDocument behind = document("$slice", array(PASSED_NUMBERS, PLACE, new BsonInt32(LockStrategy.MAX_CLAIMS)));
        return lists(
                cond(
                        WAS_PASSED,
                        document("$concatArrays", array(outside(LISTED, behind), LISTED)),
                        document("$concatArrays", array(LISTED, own))),
                PASSED_NUMBERS);
    }

    /** Returns the stage that removes a waiter from the list. */
    static BsonDocument removal(long number) {
        return document("$set", lists(without(number, LIST), without(number, PASSED_NUMBERS)));
    }

    private static BsonDocument lists(BsonValue waiting, BsonValue passed) {
        return new BsonDocument(WAITING, waiting).append(PASSED, passed);
    }

    /** Returns the numbers of a list that are not in another one. */
    private static BsonDocument outside(BsonValue other, BsonValue list) {
        return document(
                "$filter",
                document("input", list).append("cond", document("$not", array(document("$in", array(THIS, other))))));
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
        BsonDocument isKept = document("$ne", array(PASSED_NUMBERS, NOBODY));
        return fields.append(PASSED, keptIf(isForeign, PASSED, cond(isKept, path(PASSED), REMOVE)))
                .append(WAITING, keptIf(isForeign, WAITING, cond(isAwaited, path(WAITING), REMOVE)))
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

    /** Adds the position of a waiter to a copy of a projection. */
    static BsonDocument located(BsonDocument projection, long number) {
        return copyOf(projection)
                .append(LockFields.POSITION, document("$indexOfArray", array(LIST, new BsonInt64(number))));
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
