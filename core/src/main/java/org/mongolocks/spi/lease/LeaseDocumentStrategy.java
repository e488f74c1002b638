package org.mongolocks.spi.lease;

import static org.mongolocks.spi.LockSchema.LOCKS;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteError;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonArray;
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
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.BulkUpdate.Update;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/**
 * A skeleton for a strategy that stores each lock in one {@link LeaseDocument}. A subclass implements {@link #traits}
 * and {@link #acquire}, for which {@link #acquireBy} and {@link #readFirst} are building blocks. All other operations are implemented here. Each sends one command, with two
 * exceptions: a renewal that finds the lock lost sends a read to learn why, and {@link #raiseTokens} sends up to two
 * commands for each page.
 *
 * <p>The updates that these programs send are those of the document. A subclass that does not read the server's time
 * overrides {@link #projection}, which is called while a program is built, and must be pure.
 */
public abstract class LeaseDocumentStrategy implements LockStrategy {
    private final String name;
    private final LeaseDocument document;

    /**
     * Creates the strategy.
     *
     * @param name the name by which users select it
     * @param document its lock document; the format is the name, a slash and a version
     * @throws IllegalArgumentException if the format does not begin with the name and a slash
     */
    protected LeaseDocumentStrategy(String name, LeaseDocument document) {
        if (!document.format().startsWith(name + "/")) {
            throw new IllegalArgumentException(
                    "format must begin with '" + name + "/', was '" + document.format() + "'");
        }
        this.name = name;
        this.document = document;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Optional<String> format() {
        return Optional.of(document.format());
    }

    /** Returns a schema with the lock documents only. */
    @Override
    public LockSchema schema() {
        return LockSchema.locksOnly();
    }

    /**
     * Renews a lease: {@code updateOne} on name, owner and token. No match is a definite loss; a read of the
     * document then gives the reason. If that read fails, {@link LossReason#TAKEN_OVER} is assumed.
     */
    @Override
    public Step<Renewal> renew(Lease lease) {
        return updateOne("renew", ownerFilter(lease), document.renewed(lease))
                .andThen(isRenewed -> isRenewed
                        ? Step.done(new Renewal.Renewed())
                        : lossReason(lease).andThen(reason -> Step.done(new Renewal.Lost(reason))));
    }

    /** Renews leases by one {@code update} command, each on name, owner and token. */
    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return Optional.of(
                updateEach("renew-all", leases, lease -> new Update(ownerFilter(lease), document.renewed(lease))));
    }

    /** If as many updates matched as have no error, each of these has matched. */
    @Override
    public Optional<List<Lease>> notRenewed(List<Lease> leases, Reply.Failed failure) {
        if (!(failure.cause() instanceof MongoBulkWriteException several) || several.getWriteConcernError() != null) {
            return Optional.empty();
        }
        List<BulkWriteError> errors = several.getWriteErrors();
        boolean allOthersMatched = several.getWriteResult().getMatchedCount() + errors.size() == leases.size();
        return allOthersMatched
                ? Optional.of(errors.stream()
                        .map(error -> leases.get(error.getIndex()))
                        .toList())
                : Optional.empty();
    }

    /** Reads the document; if that fails, {@link LossReason#TAKEN_OVER} is assumed. */
    @Override
    public Step<LossReason> lossReason(Lease lease) {
        return Step.call(
                find("loss-reason", lease.name()),
                reply -> Step.done(
                        reply instanceof Reply.Found found
                                ? LeaseDocument.lossReason(found.document())
                                : LossReason.TAKEN_OVER));
    }

    /**
     * Releases a lock: {@code updateOne} on name, owner and, if known, token. The document stays, with its token,
     * as a tombstone.
     */
    @Override
    public Step<Boolean> release(LockName lock, Owner owner, OptionalLong fencingToken) {
        return updateOne("release", document.ownerFilter(lock, owner, fencingToken), document.released());
    }

    /**
     * Releases locks by one {@code update} command, each on name, owner and token. A strategy that overrides
     * {@link #release} overrides this method too.
     */
    @Override
    public Optional<Step<Boolean>> releaseAll(List<Lease> leases) {
        return Optional.of(
                updateEach("release-all", leases, lease -> new Update(ownerFilter(lease), document.released())));
    }

    /**
     * Returns the field that counts changes: each lock document has a list of the clients that wait. A strategy that does
     * not {@link #register} waiting clients, or deletes documents in which clients wait, overrides this.
     */
    @Override
    public Optional<String> waitingList() {
        return Optional.of(document.revisionField());
    }

    /** Removes a client, or it and those before it, from the list by one {@code updateOne}. */
    @Override
    public final Step<Boolean> unregister(LockName lock, long client, boolean withThoseBefore) {
        Step<Boolean> program = withThoseBefore
                ? updateOne(
                        "unregister",
                        document.listedFilter(lock, client),
                        LeaseDocument.unregisteredWithThoseBefore(client))
                : updateOne("unregister", document.filterFor(lock), LeaseDocument.unregistered(client));
        return program.andThen(matched -> Step.done(true));
    }

    /** Ends the grant by {@code updateOne} on name, owner and token, and leaves a lease of no owner. */
    @Override
    public Step<Boolean> releaseAfter(Lease lease) {
        return updateOne("release-after", ownerFilter(lease), document.releasedAfter(lease));
    }

    /** Reads a lock by one {@code find}, with the server's time. */
    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName lock) {
        return read("inspect", lock);
    }

    /** Reads locks by one {@code find} on their names, with the server's time. */
    @Override
    public Optional<Step<List<LockSnapshot>>> inspectAll(List<LockName> locks) {
        BsonArray names = new BsonArray(
                locks.stream().map(lock -> new BsonString(lock.value())).toList());
        BsonDocument filter = new BsonDocument(LockFields.ID, new BsonDocument("$in", names));
        MongoOp find = new MongoOp.FindMany(label("inspect-all"), LOCKS, filter, projection(), locks.size());
        return Optional.of(Step.call(
                find,
                reply -> reply instanceof Reply.FoundMany found
                        ? Step.done(ListProgram.locks(found.documents(), document))
                        : Step.fail(reply)));
    }

    /** Lists locks by one {@code find} on a range of names, with the server's time. */
    @Override
    public Step<LockPage> list(LockQuery query) {
        return new ListProgram(label("list"), document, projection(), query).start();
    }

    /**
     * Force-releases a lock: {@code updateOne} on name, revision, token and owner as the operator saw them. The
     * filter has the token because the revisions of a document that was deleted and created again start from the
     * beginning. It also has the owner (null if there was none), because an election can roll back a grant, and
     * the next grant then gets the same token and revision.
     */
    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return forceRelease(seen, document.forceReleased());
    }

    /**
     * Sets the token of each selected lock whose token is less than {@code floor}, and force-releases it if it is held.
     * Lists the locks page by page, and sends one {@code update} command for each page that has such a lock.
     */
    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        return raise(query, floor, 0);
    }

    /**
     * Returns the lock document.
     *
     * @return the document
     */
    protected final LeaseDocument document() {
        return document;
    }

    /**
     * Returns the label of an operation.
     *
     * @param place the place in the protocol, for example {@code renew}
     * @return the name of the strategy, a slash and the place
     */
    protected final String label(String place) {
        return name + "/" + place;
    }

    /**
     * Returns the fields that are read.
     *
     * @return the fields and the server's time; empty for the whole document without that time
     */
    protected Optional<BsonDocument> projection() {
        return Optional.of(document.projection());
    }

    /**
     * Acquires by the command that fits what the client knows of the lock:
     *
     * <ol>
     *   <li>Create, if the client knows nothing of the lock, or has read that there is no document: an upsert, by a
     *       command of the strategy's own. A document in the reply decides the outcome. {@link Fault#DUPLICATE_KEY}
     *       means that a document exists which the command does not match: continue with 3.
     *   <li>Acquire a released lock, if the client last saw it released: {@code findAndModify} with
     *       {@link LeaseDocument#releasedFilter} and {@link LeaseDocument#granted(AcquireContext)}. No match: it is no longer so. Read it: held by
     *       another owner is contended; else continue with 3, or with 1 if there is no document.
     *   <li>Acquire or extend: {@code findAndModify} on the name alone, with {@link LeaseDocument#acquireOrExtend} and
     *       {@link LeaseDocument#projection}. A document in the reply decides the outcome, whichever owner holds the
     *       lock; one of another format ends the attempt with {@link Fault#FOREIGN_FORMAT}. No document means that it
     *       was deleted meanwhile: back to 1, once; then the attempt ends as contended.
     * </ol>
     * A client that last saw the lock held reads before that, see {@link #readFirst}; one that is to be registered as
     * waiting sends {@link #register} instead of a read. A waiter that was notified of the release begins with 3, usually
     * its only command: the reply shows which waiter won.
     *
     * @param context the owner, the lock and the lease
     * @param create supplies an upsert that is a {@link MongoOp.FindOneAndUpdate}, with a filter that begins as
     *     {@link LeaseDocument#filterFor} does
     * @return the program; see {@link LockStrategy#acquire}
     */
    protected final Step<LockOutcome> acquireBy(AcquireContext context, Supplier<MongoOp> create) {
        AcquireProgram program = new AcquireProgram(this, context, create);
        return switch (context.lastSeen()) {
            case UNKNOWN -> program.create();
            case FREE -> program.acquireReleased();
            case HELD -> program.readFirst();
            case NOTIFIED_FREE -> program.acquireOrExtend();
        };
    }

    /**
     * Reads the lock before anything else, if the client last saw it held: as long as it is held, one {@code find}
     * shows it. A write that changes nothing would wait until a majority has the newest entry of the oplog. A client
     * that is to be registered as waiting sends {@link #register} instead of the read.
     *
     * @param context the owner, the lock and the lease
     * @param contended returns the outcome if another owner holds the lock
     * @param attempt returns the program to continue with, given the lock that was read; empty if there is no document,
     *     or if nothing was read
     * @param <R> the result of the program
     * @return the program
     */
    protected final <R> Step<R> readFirst(
            AcquireContext context,
            Function<LockOutcome.Contended, R> contended,
            Function<Optional<LockSnapshot>, Step<R>> attempt) {
        if (context.lastSeen() != LastKnownState.HELD) {
            return attempt.apply(Optional.empty());
        }
        return registerOrRead(context, contended, () -> attempt.apply(Optional.empty()), attempt);
    }

    private <R> Step<R> registerOrRead(
            AcquireContext context,
            Function<LockOutcome.Contended, R> contended,
            Supplier<Step<R>> whenNotRegistered,
            Function<Optional<LockSnapshot>, Step<R>> whenRead) {
        if (context.registration().isPresent()) {
            return register(context)
                    .andThen(registered -> registered
                            .map(seen -> Step.done(contended.apply(seen)))
                            .orElseGet(whenNotRegistered));
        }
        return read("read", context.name())
                .andThen(seen -> seen.filter(lock -> lock.isHeld() && !context.isHeldByMe(lock.holder()))
                        .map(lock -> Step.done(contended.apply(new LockOutcome.Contended(lock))))
                        .orElseGet(() -> whenRead.apply(seen)));
    }

    /**
     * Reads a lock as a part of another program.
     *
     * @param place the place in the protocol, for the label of the operation
     * @param lock the name of the lock
     * @return a program that ends with the stored document, or empty; it fails with {@link Fault#FOREIGN_FORMAT} if
     *     that is not a document of the strategy
     */
    protected final Step<Optional<LockSnapshot>> read(String place, LockName lock) {
        return Step.call(find(place, lock), reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document()
                        .map(stored -> snapshot(lock, stored))
                        .orElseGet(() -> Step.done(Optional.empty()));
            }
            return Step.fail(reply);
        });
    }

    /**
     * Registers the client of an attempt as waiting, by {@code findAndModify}, if the attempt has a
     * {@linkplain AcquireContext#registration() registration}. The reply also shows the lock, so that this replaces a read
     * of it.
     *
     * @param context the owner, the lock and the registration
     * @return a program that ends with the lock, and the place of the client, as a contended outcome, although its lease
     *     may have ended, or no owner may be stored if it is the turn of another client; empty if there is nothing to
     *     register, or if the command matched nothing: no other owner holds the lock, or the list of waiting clients is
     *     full
     */
    protected final Step<Optional<LockOutcome.Contended>> register(AcquireContext context) {
        return context.registration()
                .map(wanted -> Step.call(
                        new MongoOp.FindOneAndUpdate(
                                label("register"),
                                LOCKS,
                                document.registrationFilter(context, wanted),
                                LeaseDocument.registered(wanted),
                                false,
                                projection().map(fields -> document.projectionWithWaiting())),
                        reply -> registered(context, wanted.client(), reply)))
                .orElseGet(() -> Step.done(Optional.empty()));
    }

    private Step<Optional<LockOutcome.Contended>> registered(AcquireContext context, long client, Reply reply) {
        return reply instanceof Reply.Found found
                ? Step.done(found.document()
                        .map(stored -> new LockOutcome.Contended(
                                LeaseDocument.snapshot(context.name(), stored, document.revisionField()),
                                LeaseDocument.place(stored, client))))
                : Step.fail(reply);
    }

    /**
     * Ends an attempt with the outcome that a lock document shows after an update, by its owner.
     *
     * @param context the owner, the lock and the lease
     * @param reply the reply to a {@link MongoOp.FindOneAndUpdate}
     * @return a program that is done if the reply has a document: acquired with the stored token if the owner of the
     *     attempt is stored, else contended. It fails with {@link Fault#FOREIGN_FORMAT} if that is not a document of
     *     the strategy, which {@link LeaseDocument#acquireOrExtend} returns unchanged, and if the reply is a fault.
     * @throws IllegalStateException if the reply has no document: the strategy does not handle this kind of reply
     */
    protected final Step<LockOutcome> outcome(AcquireContext context, Reply reply) {
        if (reply instanceof Reply.Found found && found.document().isPresent()) {
            BsonDocument stored = found.document().get();
            return ForeignFormatException.in(stored, document.format())
                    .map(Step::<LockOutcome>fail)
                    .orElseGet(() -> Step.done(outcome(context, stored)));
        }
        return Step.fail(reply);
    }

    private LockOutcome outcome(AcquireContext context, BsonDocument stored) {
        return context.isHeldByMe(LeaseDocument.owner(stored))
                ? context.acquired(LeaseDocument.number(stored, LockFields.FENCE))
                : new LockOutcome.Contended(LeaseDocument.snapshot(context.name(), stored, document.revisionField()));
    }

    /**
     * Force-releases a lock by a certain update.
     *
     * @param seen the lock as the operator saw it
     * @param update the update
     * @return the program; see {@link #forceRelease(LockSnapshot)}
     */
    protected final Step<Boolean> forceRelease(LockSnapshot seen, UpdateSpec update) {
        BsonDocument unchanged = document.filterFor(seen.name())
                .append(document.revisionField(), new BsonInt64(seen.revision()))
                .append(LockFields.FENCE, new BsonInt64(seen.fencingToken()))
                .append(LockFields.OWNER, ownerOrNull(seen));
        return updateOne("force-release", unchanged, update);
    }

    private Step<Long> raise(LockQuery query, long floor, long before) {
        return list(query)
                .andThen(page -> raisePage(page, floor)
                        .andThen(count -> page.next()
                                .map(last -> raise(query.after(last), floor, before + count))
                                .orElseGet(() -> Step.done(before + count))));
    }

    private Step<Long> raisePage(LockPage page, long floor) {
        BsonDocument below = new BsonDocument("$lt", new BsonInt64(floor));
        List<Update> updates = page.locks().stream()
                .filter(lock -> lock.fencingToken() < floor)
                .map(lock -> new Update(
                        document.filterFor(lock.name()).append(LockFields.FENCE, below), document.forceReleased(floor)))
                .toList();
        return updates.isEmpty()
                ? Step.done(0L)
                : Step.call(new MongoOp.BulkUpdate(label("raise-tokens"), LOCKS, updates), Step::matchCount);
    }

    /** A filter for null also matches a document without the field. */
    private static BsonValue ownerOrNull(LockSnapshot seen) {
        return seen.holder().<BsonValue>map(BsonString::new).orElse(BsonNull.VALUE);
    }

    private Step<Optional<LockSnapshot>> snapshot(LockName lock, BsonDocument stored) {
        return ForeignFormatException.in(stored, document.format())
                .map(Step::<Optional<LockSnapshot>>fail)
                .orElseGet(
                        () -> Step.done(Optional.of(LeaseDocument.snapshot(lock, stored, document.revisionField()))));
    }

    private BsonDocument ownerFilter(Lease lease) {
        return document.ownerFilter(lease.name(), lease.owner(), OptionalLong.of(lease.fencingToken()));
    }

    private Step<Boolean> updateOne(String place, BsonDocument filter, UpdateSpec update) {
        return Step.call(new MongoOp.UpdateOne(label(place), LOCKS, filter, update, false), Step::matched);
    }

    private Step<Boolean> updateEach(String place, List<Lease> leases, Function<Lease, Update> update) {
        List<Update> updates = leases.stream().map(update).toList();
        return Step.call(new MongoOp.BulkUpdate(label(place), LOCKS, updates), Step::matchCount)
                .andThen(count -> Step.done(count == updates.size()));
    }

    private MongoOp find(String place, LockName lock) {
        return new MongoOp.FindOne(label(place), LOCKS, LeaseDocument.named(lock), projection());
    }

    /**
     * One attempt of {@link LeaseDocumentStrategy#acquireBy}.
     *
     * @param mayStartAgain whether the attempt starts again if the document was deleted meanwhile: once, because that
     *     hardly happens twice
     */
    private record AcquireProgram(
            LeaseDocumentStrategy strategy, AcquireContext context, Supplier<MongoOp> upsert, boolean mayStartAgain) {

        AcquireProgram(LeaseDocumentStrategy strategy, AcquireContext context, Supplier<MongoOp> upsert) {
            this(strategy, context, upsert, true);
        }

        Step<LockOutcome> create() {
            return Step.call(
                    upsert.get(),
                    reply -> reply.failedWith(Fault.DUPLICATE_KEY)
                            ? acquireOrExtend()
                            : strategy.outcome(context, reply));
        }

        Step<LockOutcome> acquireReleased() {
            MongoOp acquire = new MongoOp.FindOneAndUpdate(
                    strategy.label("acquire-released"),
                    LOCKS,
                    strategy.document().releasedFilter(context.name()),
                    strategy.document().granted(context),
                    false);
            return Step.call(
                    acquire,
                    reply -> reply.equals(Reply.Found.none()) ? readFirst() : strategy.outcome(context, reply));
        }

        Step<LockOutcome> readFirst() {
            return strategy.registerOrRead(
                    context,
                    held -> held,
                    this::acquireOrExtend,
                    seen -> seen.isPresent() ? acquireOrExtend() : create());
        }

        Step<LockOutcome> acquireOrExtend() {
            LeaseDocument document = strategy.document();
            MongoOp acquire = new MongoOp.FindOneAndUpdate(
                    strategy.label("acquire-or-extend"),
                    LOCKS,
                    LeaseDocument.named(context.name()),
                    document.acquireOrExtend(context, document.nextToken()),
                    false,
                    strategy.projection());
            return Step.call(
                    acquire,
                    reply -> reply.equals(Reply.Found.none()) ? createAgain() : strategy.outcome(context, reply));
        }

        /** The document was deleted meanwhile. */
        private Step<LockOutcome> createAgain() {
            return mayStartAgain
                    ? new AcquireProgram(strategy, context, upsert, false).create()
                    : Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())));
        }
    }
}
