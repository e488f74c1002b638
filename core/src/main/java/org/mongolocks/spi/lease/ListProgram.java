package org.mongolocks.spi.lease;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The program that lists one page of the locks of a collection. Without a projection it does not read the server's
 * time.
 */
record ListProgram(String label, LeaseDocument document, Optional<BsonDocument> projection, LockQuery query) {
    /** True when the lease has not ended, also for documents that this library has not written. */
    private static final BsonDocument IS_LIVE = LeaseUpdates.fixed(isLive());

    /** Reads one document more than the page has, which shows whether there is a next page. */
    Step<LockPage> start() {
        MongoOp find = new MongoOp.FindMany(label, LOCKS, filter(), projection, query.limit() + 1);
        return Step.call(
                find,
                reply ->
                        reply instanceof Reply.FoundMany found ? Step.done(page(found.documents())) : Step.fail(reply));
    }

    private BsonDocument filter() {
        BsonDocument filter = LeaseDocument.named(query);
        BsonDocument owner = new BsonDocument();
        query.instance().ifPresent(instance -> owner.putAll(PrefixRange.startingWith(Owner.storedPrefix(instance))));
        if (query.isHeldOnly()) {
            owner.append("$exists", BsonBoolean.TRUE);
            projection.ifPresent(byServerTime -> filter.append("$expr", IS_LIVE));
        }
        return owner.isEmpty() ? filter : filter.append(LockFields.OWNER, owner);
    }

    private LockPage page(List<BsonDocument> found) {
        List<BsonDocument> shown = found.subList(0, Math.min(query.limit(), found.size()));
        List<LockSnapshot> locks = new ArrayList<>();
        List<String> foreign = new ArrayList<>();
        for (BsonDocument stored : shown) {
            ownName(stored, document)
                    .ifPresentOrElse(
                            own -> locks.add(LeaseReader.snapshot(own, stored, document.revisionField())),
                            () -> foreign.add(id(stored)));
        }
        boolean isLast = shown.size() == found.size();
        return new LockPage(locks, foreign, isLast ? Optional.empty() : Optional.of(id(shown.get(shown.size() - 1))));
    }

    /** Returns the name of the lock in a document; empty if it is not of the strategy, which must not fail the whole list. */
    static Optional<LockName> ownName(BsonDocument stored, LeaseDocument document) {
        if (ForeignFormatException.in(stored, document.format()).isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(LockName.of(id(stored)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** An addition of anything but a date and a number would fail the whole command. */
    private static BsonDocument isLive() {
        BsonValue numbers = new BsonArray(
                Stream.of("int", "long", "double").map(BsonString::new).toList());
        BsonArray types = new BsonArray(List.of(
                Expressions.document(
                        "$eq", new BsonArray(List.of(typeOf(LockFields.RENEWED_AT), new BsonString("date")))),
                Expressions.document("$in", new BsonArray(List.of(typeOf(LockFields.LEASE_MILLIS), numbers)))));
        return Expressions.cond(
                Expressions.document("$and", types),
                Expressions.document("$gt", new BsonArray(List.of(LeaseUpdates.END, Expressions.NOW))),
                BsonBoolean.FALSE);
    }

    private static BsonDocument typeOf(String field) {
        return Expressions.document("$type", Expressions.path(field));
    }

    private static String id(BsonDocument stored) {
        return stored.getString(LockFields.ID).getValue();
    }

    /** The filters that select texts by a literal prefix, in the order of their bytes; no character is special. */
    static final class PrefixRange {
        private static final int AFTER_SURROGATES = Character.MAX_SURROGATE + 1;

        private PrefixRange() {}

        /** Returns the filter for all texts that begin with a prefix, and for no other value. */
        static BsonDocument startingWith(String prefix) {
            BsonDocument range = new BsonDocument("$gte", new BsonString(prefix));
            firstBeyond(prefix).ifPresent(end -> range.append("$lt", new BsonString(end)));
            return range;
        }

        /**
         * Returns the least text that is greater than all with that prefix: its last character incremented, if
         * possible.
         */
        static Optional<String> firstBeyond(String prefix) {
            int end = prefix.length();
            while (end > 0) {
                int last = prefix.codePointBefore(end);
                end -= Character.charCount(last);
                if (last < Character.MAX_CODE_POINT) {
                    return Optional.of(prefix.substring(0, end) + Character.toString(following(last)));
                }
            }
            return Optional.empty();
        }

        private static int following(int codePoint) {
            int next = codePoint + 1;
            return next == Character.MIN_SURROGATE ? AFTER_SURROGATES : next;
        }
    }
}
