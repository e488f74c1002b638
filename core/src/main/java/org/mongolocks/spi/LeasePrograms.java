package org.mongolocks.spi;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.spi.MongoOp.BulkUpdate.Update;

/**
 * Shared programs of most strategies, to renew, release, inspect and force-release a {@link LeaseDocument}. Each is one
 * command, and one more only where a renewal finds the lock lost.
 */
public final class LeasePrograms {
    private final String strategy;
    private final LeaseDocument document;
    private final Optional<BsonDocument> projection;

    /**
     * Creates the programs of a strategy.
     *
     * @param strategy the name of the strategy, for labels
     * @param document its lock document
     */
    public LeasePrograms(String strategy, LeaseDocument document) {
        this(strategy, document, Optional.of(document.projection()));
    }

    private LeasePrograms(String strategy, LeaseDocument document, Optional<BsonDocument> projection) {
        this.strategy = strategy;
        this.document = document;
        this.projection = projection;
    }

    /**
     * Returns the programs of a strategy that does not read the server's time. They read a lock with a plain find.
     *
     * @param strategy the name of the strategy, for labels
     * @param document its lock document
     * @return the programs
     */
    public static LeasePrograms withoutServerTime(String strategy, LeaseDocument document) {
        return new LeasePrograms(strategy, document, Optional.empty());
    }

    /**
     * Renews a lease: {@code findAndModify} on name, owner and token. No match is a definite loss; a read of the
     * document then shows the reason.
     *
     * @param lease the lease
     * @return the program; see {@link LockStrategy#renew}
     */
    public Step<Renewal> renew(Lease lease) {
        return renew(lease, document.set(document.renewalFields(lease.ttl())));
    }

    /**
     * Renews a lease by an update of the strategy's own.
     *
     * @param lease the lease
     * @param extension the update
     * @return the program; see {@link #renew(Lease)}
     */
    public Step<Renewal> renew(Lease lease, UpdateSpec extension) {
        return Step.call(change("renew", heldBy(lease), extension), reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document().isPresent() ? Step.done(new Renewal.Renewed()) : lost(lease);
            }
            return Step.fail(reply);
        });
    }

    /**
     * Renews leases in one {@code update} command, each on name, owner and token.
     *
     * @param leases the leases
     * @return the program; see {@link LockStrategy#renewAll}
     */
    public Step<Boolean> renewAll(List<Lease> leases) {
        return renewAll(leases, lease -> document.set(document.renewalFields(lease.ttl())));
    }

    /**
     * Renews leases in one command by an update of the strategy's own.
     *
     * @param leases the leases
     * @param extension returns the update for a lease
     * @return the program; see {@link #renewAll(List)}
     */
    public Step<Boolean> renewAll(List<Lease> leases, Function<Lease, UpdateSpec> extension) {
        List<Update> updates = leases.stream()
                .map(lease -> new Update(heldBy(lease), extension.apply(lease)))
                .toList();
        return Step.call(new MongoOp.BulkUpdate(strategy + "/renew-all", LOCKS, updates), reply -> {
            if (reply instanceof Reply.Counted counted) {
                return Step.done(counted.matched() == updates.size());
            }
            return Step.fail(reply);
        });
    }

    /**
     * Releases a lock: {@code findAndModify} on name, owner and, if known, token. The document stays as a tombstone.
     *
     * @param name the name of the lock
     * @param owner the holder
     * @param fencingToken the token of the grant, if known
     * @return the program; see {@link LockStrategy#release}
     */
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return release(document.heldBy(name, owner, fencingToken), document.released());
    }

    /**
     * Releases a lock by an update of the strategy's own.
     *
     * @param mine the filter, as {@link LeaseDocument#heldBy} returns it
     * @param freed the update
     * @return the program; see {@link LockStrategy#release}
     */
    public Step<Boolean> release(BsonDocument mine, UpdateSpec freed) {
        return Step.call(change("release", mine, freed), LeasePrograms::isMatched);
    }

    /**
     * Reads a lock, with the server's time.
     *
     * @param name the name of the lock
     * @return the program; see {@link LockStrategy#inspect}
     */
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        return read("inspect", name);
    }

    /**
     * Reads a lock as a part of another program.
     *
     * @param label the purpose, for the label of the operation
     * @param name the name of the lock
     * @return a program that ends with the stored document, or empty; it fails with {@link Fault#FOREIGN_FORMAT} if
     *     that is not a document of the strategy
     */
    public Step<Optional<LockSnapshot>> read(String label, LockName name) {
        return Step.call(find(label, name), reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document().isEmpty()
                        ? Step.done(Optional.empty())
                        : read(name, found.document().get());
            }
            return Step.fail(reply);
        });
    }

    /**
     * Lists locks, with the server's time: one {@code find} on a range of names.
     *
     * @param query the filter and the cursor
     * @return the program; see {@link LockStrategy#list}
     */
    public Step<LockPage> list(LockQuery query) {
        return new ListPrograms(strategy, document, projection).list(query);
    }

    /**
     * Force-releases a lock, which leaves a larger token.
     *
     * @param seen the lock as the operator saw it
     * @return the program; see {@link LockStrategy#forceRelease}
     */
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return forceRelease(seen, document.forceRelease(document.nextToken()));
    }

    /**
     * Force-releases a lock by an update of the strategy's own: {@code findAndModify} on name, revision, token and
     * owner as the operator saw them. The filter has the token because the revisions of a document that was deleted and
     * created again start from the beginning. It has the owner, also if absent, because an election may undo a grant:
     * the next grant has the same numbers.
     *
     * @param seen the lock as the operator saw it
     * @param freed the update
     * @return the program; see {@link LockStrategy#forceRelease}
     */
    public Step<Boolean> forceRelease(LockSnapshot seen, UpdateSpec freed) {
        BsonDocument unchanged = document.filterFor(seen.name())
                .append(document.revisionField(), new BsonInt64(seen.revision()))
                .append(LockFields.FENCE, new BsonInt64(seen.fencingToken()))
                .append(LockFields.OWNER, ownerOrNull(seen));
        return Step.call(change("force-release", unchanged, freed), LeasePrograms::isMatched);
    }

    /**
     * Raises tokens that are counted in {@link LockFields#FENCE}: lists, then sends one {@code update} command for each
     * page.
     *
     * @param query the locks
     * @param floor the least token
     * @return the program; see {@link LockStrategy#raiseTokens}
     */
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        return raiseTokens(query, floor, document.raised(floor));
    }

    /**
     * Raises tokens by an update of the strategy's own.
     *
     * @param query the locks
     * @param floor the least token
     * @param raised the update, for documents whose {@link LockFields#FENCE} is below the least token; it sets that
     *     token, and the next grant gets a larger one
     * @return the program; see {@link #raiseTokens(LockQuery, long)}
     */
    public Step<Long> raiseTokens(LockQuery query, long floor, UpdateSpec raised) {
        return raise(query, new Raise(floor, raised), 0);
    }

    private record Raise(long floor, UpdateSpec raised) {
        boolean concerns(LockSnapshot lock) {
            return lock.fencingToken() < floor;
        }

        Update update(BsonDocument own) {
            return new Update(own.append(LockFields.FENCE, new BsonDocument("$lt", new BsonInt64(floor))), raised);
        }
    }

    private Step<Long> raise(LockQuery query, Raise raise, long before) {
        return list(query)
                .andThen(page -> raiseAll(page, raise)
                        .andThen(count -> page.next()
                                .map(last -> raise(query.after(last), raise, before + count))
                                .orElseGet(() -> Step.done(before + count))));
    }

    private Step<Long> raiseAll(LockPage page, Raise raise) {
        List<Update> updates = page.locks().stream()
                .filter(raise::concerns)
                .map(lock -> raise.update(document.filterFor(lock.name())))
                .toList();
        return updates.isEmpty()
                ? Step.done(0L)
                : Step.call(new MongoOp.BulkUpdate(strategy + "/raise-tokens", LOCKS, updates), LeasePrograms::counted);
    }

    /**
     * Ends with the number of documents that a write matched.
     *
     * @param reply the reply to a write
     * @return a program that is done if the server replied, and failed if the reply is a fault
     */
    public static Step<Long> counted(Reply reply) {
        return reply instanceof Reply.Counted counted ? Step.done(counted.matched()) : Step.fail(reply);
    }

    /**
     * Ends with whether a write matched its document.
     *
     * @param reply the reply to a conditional write
     * @return a program that is done if the server replied, and failed if the reply is a fault
     */
    public static Step<Boolean> isMatched(Reply reply) {
        if (reply instanceof Reply.Found found) {
            return Step.done(found.document().isPresent());
        }
        return reply instanceof Reply.Counted counted ? Step.done(counted.matched() > 0) : Step.fail(reply);
    }

    /** A filter for null also matches a document without the field. */
    private static BsonValue ownerOrNull(LockSnapshot seen) {
        return seen.holder().<BsonValue>map(BsonString::new).orElse(BsonNull.VALUE);
    }

    private Step<Optional<LockSnapshot>> read(LockName name, BsonDocument stored) {
        return ForeignFormatException.in(stored, document.format())
                .map(Step::<Optional<LockSnapshot>>fail)
                .orElseGet(() -> Step.done(Optional.of(SnapshotReader.read(name, stored, document.revisionField()))));
    }

    private BsonDocument heldBy(Lease lease) {
        return document.heldBy(lease.name(), lease.owner(), OptionalLong.of(lease.fencingToken()));
    }

    private MongoOp change(String label, BsonDocument filter, UpdateSpec change) {
        return new MongoOp.FindOneAndUpdate(strategy + "/" + label, LOCKS, filter, change, false);
    }

    private MongoOp find(String label, LockName name) {
        return new MongoOp.FindOne(strategy + "/" + label, LOCKS, LeaseDocument.named(name), projection);
    }

    private Step<Renewal> lost(Lease lease) {
        return Step.call(find("why-lost", lease.name()), reply -> {
            if (reply instanceof Reply.Found found) {
                return Step.done(new Renewal.Lost(SnapshotReader.lossReason(found.document(), lease.fencingToken())));
            }
            return Step.done(new Renewal.Lost(LossReason.TAKEN_OVER));
        });
    }
}
