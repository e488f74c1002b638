package org.mongolocks.spi;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;

/**
 * Has the programs that most strategies share: to renew, release, inspect and force free a {@link LeaseDocument}. Each
 * is one command, and one more only where a renewal finds the lock lost.
 */
public final class LeasePrograms {
    private final String strategy;
    private final LeaseDocument document;

    /**
     * Makes the programs of a strategy.
     *
     * @param strategy the name of the strategy, for labels
     * @param document its lock document
     */
    public LeasePrograms(String strategy, LeaseDocument document) {
        this.strategy = strategy;
        this.document = document;
    }

    /**
     * Renews a lease: {@code findAndModify} on name, owner and token. No match is a definite loss; a look at the
     * document then tells the reason.
     *
     * @param lease the lease
     * @return the program; see {@link LockStrategy#renew}
     */
    public Step<Renewal> renew(Lease lease) {
        BsonDocument mine = LeaseDocument.heldBy(lease.name(), lease.owner(), OptionalLong.of(lease.fencingToken()));
        return Step.call(change("renew", mine, document.setting(document.extended(lease.ttl()))), reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document().isPresent() ? Step.done(new Renewal.Renewed()) : lost(lease);
            }
            return Step.fail(reply);
        });
    }

    /**
     * Releases a lock: {@code findAndModify} on name, owner and, if known, token. The document stays as a tombstone.
     *
     * @param name what is locked
     * @param owner who held it
     * @param fencingToken the token of the grant, if known
     * @return the program; see {@link LockStrategy#release}
     */
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return Step.call(
                change("release", LeaseDocument.heldBy(name, owner, fencingToken), document.released()),
                LeasePrograms::matched);
    }

    /**
     * Looks at a lock, with the server's time.
     *
     * @param name what is locked
     * @return the program; see {@link LockStrategy#inspect}
     */
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        return Step.call(look("inspect", name), reply -> {
            if (reply instanceof Reply.Found found) {
                return Step.done(found.document().map(stored -> snapshot(name, stored)));
            }
            return Step.fail(reply);
        });
    }

    /**
     * Forces a lock free: {@code findAndModify} on name and the revision that was seen, which leaves a larger token.
     *
     * @param seen what the operator saw
     * @return the program; see {@link LockStrategy#forceRelease}
     */
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        BsonDocument unchanged =
                LeaseDocument.named(seen.name()).append(document.revisionField(), new BsonInt64(seen.revision()));
        return Step.call(
                change("force-release", unchanged, document.forcedFree(document.nextToken())), LeasePrograms::matched);
    }

    /**
     * Makes the operation that looks at a lock. It asks for the server's time too.
     *
     * @param label what for
     * @param name what is locked
     * @return the operation
     */
    public MongoOp look(String label, LockName name) {
        return new MongoOp.FindOne(
                strategy + "/" + label,
                LOCKS,
                LeaseDocument.named(name),
                Optional.of(Snapshots.projection(document.revisionField())));
    }

    /**
     * Reads a lock document.
     *
     * @param name what is locked
     * @param stored the document that the server returned
     * @return what it says
     */
    public LockSnapshot snapshot(LockName name, BsonDocument stored) {
        return Snapshots.read(name, stored, document.revisionField());
    }

    private MongoOp change(String label, BsonDocument filter, Change change) {
        return new MongoOp.FindOneAndUpdate(strategy + "/" + label, LOCKS, filter, change, false);
    }

    private Step<Renewal> lost(Lease lease) {
        return Step.call(look("why-lost", lease.name()), reply -> {
            if (reply instanceof Reply.Found found) {
                return Step.done(new Renewal.Lost(Snapshots.reasonOfLoss(found.document())));
            }
            return Step.done(new Renewal.Lost(LossReason.TAKEN_OVER));
        });
    }

    private static Step<Boolean> matched(Reply reply) {
        if (reply instanceof Reply.Found found) {
            return Step.done(found.document().isPresent());
        }
        return Step.fail(reply);
    }
}
