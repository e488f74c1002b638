package org.mongolocks.internal.wait;

import static org.mongolocks.spi.Expressions.NOW;
import static org.mongolocks.spi.Expressions.add;
import static org.mongolocks.spi.Expressions.cond;
import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.ifNull;
import static org.mongolocks.spi.Expressions.literal;
import static org.mongolocks.spi.Expressions.path;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/**
 * The commands on the server queue of a lock, and a reader of their replies. The document exists while the queue has a
 * ticket:
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "queue/1",
 *   tickets: [                                          // in order of arrival
 *     {owner: "worker-1/2f6c0c1e-...", ttlMs: NumberLong(30000), until: ISODate("2026-01-02T03:04:35.678Z"),
 *      givenUp: 2,                                      // that of the queue when the ticket was last renewed
 *      skipped: true}                                   // if its owner did not claim the lock; until it is renewed
 *   ],
 *   givenUp: 3,                                         // how many waiters have given up
 *   gaveUpAt: ISODate("2026-01-02T03:04:05.100Z"),      // when the newest of them did
 *   grantedAt: ISODate("2026-01-02T03:04:05.600Z"),     // when the newest ticket that was granted the lock was removed
 *   at: ISODate("2026-01-02T03:04:05.678Z")             // the newest change
 * }
 * }</pre>
 *
 * All commands select by name and format: a document of another collection of locks or of an application, whose
 * collection has the name of the queues, is never changed. Only the server's clock is used. A ticket whose {@code until} has passed is ignored, and removed by the next change.
 */
final class FairQueueDocument {
    static final String FORMAT = "queue/1";

    private static final String TICKETS = "tickets";
    private static final String OWNER = LockFields.OWNER;
    private static final String TTL = "ttlMs";
    private static final String UNTIL = "until";
    private static final String SKIPPED = "skipped";
    private static final String GIVEN_UP = "givenUp";
    private static final String GAVE_UP_AT = "gaveUpAt";
    private static final String AT = "at";
    private static final String GRANTED_AT = "grantedAt";
    /** The server's clock counts milliseconds. */
    private static final Duration CLOCK_STEP = Duration.ofMillis(1);

    private static final String VARIABLE = "ticket";
    private static final BsonValue TICKET = new BsonString("$$" + VARIABLE);

    private FairQueueDocument() {}

    /**
     * The ticket of one acquisition.
     *
     * @param owner the owner of the ticket
     * @param ttl how long it lasts unless it is renewed
     */
    record Ticket(Owner owner, Duration ttl) {
        /** A longer ticket needs fewer renewals, and clients that skip those of dead ones rarely wait for its end. */
        private static final Duration MIN_TTL_IF_SKIPPED = Duration.ofSeconds(20);
        /** However long the lock's lease is: until then a dead client may block a lock that is not held. */
        private static final Duration MAX_TTL = Duration.ofSeconds(30);
        /** After that time half of the shortest such ticket is left for retries, and of others more than an election takes. */
        private static final Duration MIN_RENEWAL_TIME = MIN_TTL_IF_SKIPPED.dividedBy(2);
        /** With a third, two retries fit into a ticket whose first renewal fails. */
        private static final int RENEWALS_PER_TICKET = 3;

        /** Returns the ticket of an acquisition, whose client does or does not skip the tickets of dead clients. */
        static Ticket of(Owner owner, Duration lockTtl, boolean skipsTickets) {
            Duration most = lockTtl.compareTo(MAX_TTL) < 0 ? lockTtl : MAX_TTL;
            return new Ticket(owner, skipsTickets && isShort(lockTtl) ? MIN_TTL_IF_SKIPPED : most);
        }

        long renewedAfterNanos() {
            long part = ttl.dividedBy(RENEWALS_PER_TICKET).toNanos();
            return isShort(ttl) ? part : Math.max(part, MIN_RENEWAL_TIME.toNanos());
        }

        private static boolean isShort(Duration ttl) {
            return ttl.compareTo(MIN_TTL_IF_SKIPPED) < 0;
        }
    }

    /** Appends a ticket unless it is there, and renews it and the given other tickets that are there. */
    static MongoOp enqueue(LockName name, Ticket mine, List<Ticket> others) {
        BsonArray owners = new BsonArray(Stream.concat(Stream.of(mine), others.stream())
                .map(FairQueueDocument::owner)
                .toList());
        BsonValue kept = map(path(TICKETS), cond(in(field(OWNER), literals(owners)), renewed(), TICKET));
        BsonValue missing = filter(literals(new BsonArray(List.of(stored(mine)))), isMissing());
        BsonDocument all = document("$concatArrays", new BsonArray(List.of(kept, map(missing, renewed()))));
        UpdateSpec change = UpdateSpec.pipeline(keepOnly(isLive()), document("$set", document(TICKETS, all)));
        return new MongoOp.FindOneAndUpdate("queue/add-ticket", LockSchema.QUEUE, named(name), change, true);
    }

    /** Removes the ticket of a waiter that gives up. */
    static MongoOp dequeue(LockName name, Owner owner) {
        BsonDocument change = keepOthers(owner);
        change.getDocument("$set")
                .append(GIVEN_UP, add(givenUp(), new BsonInt32(1)))
                .append(GAVE_UP_AT, NOW);
        return dequeue(name, change);
    }

    /** Removes the ticket of a waiter that was granted the lock, and marks those that were before it as skipped. */
    static MongoOp dequeueGranted(LockName name, Owner owner, List<String> skipped) {
        BsonDocument change = keepOthers(owner);
        BsonDocument set = change.getDocument("$set").append(GRANTED_AT, NOW);
        if (!skipped.isEmpty()) {
            BsonArray owners =
                    new BsonArray(skipped.stream().map(BsonString::new).toList());
            BsonDocument marked = cond(in(field(OWNER), literals(owners)), with(SKIPPED, BsonBoolean.TRUE), TICKET);
            set.append(TICKETS, map(set.getDocument(TICKETS), marked));
        }
        return dequeue(name, change);
    }

    private static MongoOp dequeue(LockName name, BsonDocument change) {
        return new MongoOp.FindOneAndUpdate(
                "queue/leave", LockSchema.QUEUE, named(name), UpdateSpec.pipeline(change), false);
    }

    private static BsonDocument keepOthers(Owner owner) {
        BsonDocument others = document("$ne", new BsonArray(List.of(field(OWNER), literal(owner.stored()))));
        return keepOnly(document("$and", new BsonArray(List.of(others, isLive()))));
    }

    /** Deletes the queue if it has no other ticket. */
    static MongoOp deleteIfOnly(LockName name, Owner owner) {
        BsonDocument alone = named(name)
                .append(TICKETS, document("$size", new BsonInt32(1)))
                .append(TICKETS + "." + OWNER, new BsonString(owner.stored()));
        return new MongoOp.DeleteOne("queue/leave-as-last", LockSchema.QUEUE, alone);
    }

    /** Deletes the queue if it is empty. */
    static MongoOp deleteIfEmpty(LockName name) {
        BsonDocument empty = named(name).append(TICKETS, document("$size", new BsonInt32(0)));
        return new MongoOp.DeleteOne("queue/sweep", LockSchema.QUEUE, empty);
    }

    /** Reads whatever document has the name. */
    static MongoOp readAny(LockName name) {
        BsonDocument any = document(LockFields.ID, new BsonString(name.value()));
        return new MongoOp.FindOne("queue/read-format", LockSchema.QUEUE, any, Optional.empty());
    }

    /** Reads the whole queue. */
    static MongoOp read(LockName name) {
        return read(name, path(TICKETS));
    }

    /** Reads a ticket and those before it, which are few however many are behind it. */
    static MongoOp readUpTo(LockName name, Owner owner) {
        BsonArray sought = new BsonArray(List.of(path(TICKETS + "." + OWNER), literal(owner.stored())));
        BsonDocument count = add(document("$indexOfArray", sought), new BsonInt32(1));
        return read(name, document("$slice", new BsonArray(List.of(path(TICKETS), count))));
    }

    /** Parses a queue in the reply to a command that began then; no document is an empty queue. */
    static FairQueueSnapshot read(Optional<BsonDocument> stored, long startedNanos) {
        return snapshot(stored, true, startedNanos);
    }

    /** Parses the beginning of a queue. */
    static FairQueueSnapshot readAhead(Optional<BsonDocument> stored, long startedNanos) {
        return snapshot(stored, false, startedNanos);
    }

    private static FairQueueSnapshot snapshot(Optional<BsonDocument> stored, boolean isWhole, long startedNanos) {
        return new FairQueueSnapshot(
                entries(stored),
                isWhole,
                startedNanos,
                before(GRANTED_AT, stored, startedNanos),
                before(GAVE_UP_AT, stored, startedNanos));
    }

    private static MongoOp read(LockName name, BsonValue tickets) {
        BsonDocument projection = document(TICKETS, filter(tickets, isLive()))
                .append(GRANTED_AT, new BsonInt32(1))
                .append(GIVEN_UP, new BsonInt32(1))
                .append(GAVE_UP_AT, new BsonInt32(1))
                .append(AT, NOW);
        return new MongoOp.FindOne("queue/read", LockSchema.QUEUE, named(name), Optional.of(projection));
    }

    private static List<FairQueueSnapshot.Entry> entries(Optional<BsonDocument> stored) {
        return stored.stream()
                .flatMap(queue -> queue.getArray(TICKETS, new BsonArray()).stream()
                        .map(BsonValue::asDocument)
                        .map(ticket -> entry(ticket, queue)))
                .filter(entry -> !entry.left().isNegative() && !entry.left().isZero())
                .toList();
    }

    /** Returns a time of the client at most a round trip before a time that is stored. */
    private static OptionalLong before(String field, Optional<BsonDocument> stored, long startedNanos) {
        return stored.stream()
                .filter(queue -> queue.isDateTime(field))
                .map(queue -> until(queue.getDateTime(AT), queue.getDateTime(field)))
                .mapToLong(since -> startedNanos - since.plus(CLOCK_STEP).toNanos())
                .findFirst();
    }

    private static Duration until(BsonDateTime end, BsonDateTime start) {
        return Duration.ofMillis(end.getValue() - start.getValue());
    }

    private static FairQueueSnapshot.Entry entry(BsonDocument ticket, BsonDocument queue) {
        return new FairQueueSnapshot.Entry(
                ticket.getString(OWNER).getValue(),
                until(ticket.getDateTime(UNTIL), queue.getDateTime(AT)),
                givenUp(queue) - givenUp(ticket),
                ticket.containsKey(SKIPPED));
    }

    private static int givenUp(BsonDocument stored) {
        return stored.getNumber(GIVEN_UP, new BsonInt32(0)).intValue();
    }

    private static BsonDocument givenUp() {
        return ifNull(path(GIVEN_UP), new BsonInt32(0));
    }

    private static BsonValue field(String field) {
        return new BsonString("$$" + VARIABLE + "." + field);
    }

    private static BsonDocument isMissing() {
        return document("$not", new BsonArray(List.of(in(field(OWNER), path(TICKETS + "." + OWNER)))));
    }

    private static BsonDocument isLive() {
        return document("$gt", new BsonArray(List.of(field(UNTIL), NOW)));
    }

    /** A renewed ticket is no longer skipped. */
    private static BsonDocument renewed() {
        return document(OWNER, field(OWNER))
                .append(TTL, field(TTL))
                .append(UNTIL, add(NOW, field(TTL)))
                .append(GIVEN_UP, givenUp());
    }

    private static BsonDocument with(String key, BsonValue value) {
        return document("$mergeObjects", new BsonArray(List.of(TICKET, document(key, value))));
    }

    private static BsonDocument keepOnly(BsonDocument condition) {
        BsonDocument some = filter(ifNull(path(TICKETS), new BsonArray()), condition);
        return document("$set", document(TICKETS, some).append(AT, NOW));
    }

    private static BsonDocument filter(BsonValue input, BsonDocument condition) {
        return document("$filter", over(input).append("cond", condition));
    }

    private static BsonDocument map(BsonValue input, BsonDocument to) {
        return document("$map", over(input).append("in", to));
    }

    private static BsonDocument over(BsonValue input) {
        return document("input", input).append("as", new BsonString(VARIABLE));
    }

    private static BsonDocument in(BsonValue value, BsonValue array) {
        return document("$in", new BsonArray(List.of(value, array)));
    }

    private static BsonDocument literals(BsonArray values) {
        return document("$literal", values);
    }

    private static BsonString owner(Ticket ticket) {
        return new BsonString(ticket.owner().stored());
    }

    private static BsonDocument stored(Ticket ticket) {
        return document(OWNER, owner(ticket))
                .append(TTL, new BsonInt64(ticket.ttl().toMillis()));
    }

    private static BsonDocument named(LockName name) {
        return document(LockFields.ID, new BsonString(name.value())).append(LockFields.FORMAT, new BsonString(FORMAT));
    }
}
