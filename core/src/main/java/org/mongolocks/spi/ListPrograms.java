package org.mongolocks.spi;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;

/** The program that lists the locks of a collection: one command for each page. */
record ListPrograms(String strategy, LeaseDocument document, Optional<BsonDocument> projection) {

    /** Reads one document more than the page has, which shows whether there is a next page. */
    Step<LockPage> list(LockQuery query) {
        MongoOp find = new MongoOp.FindMany(strategy + "/list", LOCKS, filter(query), projection, query.limit() + 1);
        return Step.call(
                find,
                reply -> reply instanceof Reply.FoundMany found
                        ? Step.done(page(found.documents(), query.limit()))
                        : Step.fail(reply));
    }

    private BsonDocument filter(LockQuery query) {
        BsonDocument filter = LeaseDocument.named(query);
        BsonDocument owner = new BsonDocument();
        query.instance().ifPresent(instance -> owner.putAll(PrefixRange.startingWith(Owner.storedPrefix(instance))));
        if (query.isHeldOnly()) {
            owner.append("$exists", BsonBoolean.TRUE);
            projection.ifPresent(byServerTime -> filter.append("$expr", isLive()));
        }
        return owner.isEmpty() ? filter : filter.append(LockFields.OWNER, owner);
    }

    private static BsonDocument isLive() {
        BsonArray both = new BsonArray(List.of(Expressions.path(LockFields.EXPIRES_AT), Expressions.NOW));
        return new BsonDocument("$gt", both);
    }

    private LockPage page(List<BsonDocument> found, int limit) {
        List<BsonDocument> shown = found.subList(0, Math.min(limit, found.size()));
        List<LockSnapshot> locks = new ArrayList<>();
        List<String> foreign = new ArrayList<>();
        for (BsonDocument stored : shown) {
            Optional<LockName> name =
                    ForeignFormatException.in(stored, document.format()).isPresent()
                            ? Optional.empty()
                            : lockName(name(stored));
            name.ifPresentOrElse(
                    own -> locks.add(SnapshotReader.read(own, stored, document.revisionField())),
                    () -> foreign.add(name(stored)));
        }
        boolean isLast = shown.size() == found.size();
        return new LockPage(locks, foreign, isLast ? Optional.empty() : Optional.of(name(shown.get(shown.size() - 1))));
    }

    /** A document that no client can have written must not fail the whole list. */
    private static Optional<LockName> lockName(String id) {
        try {
            return Optional.of(LockName.of(id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String name(BsonDocument stored) {
        return stored.getString(LockFields.ID).getValue();
    }
}
