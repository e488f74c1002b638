package org.mongolocks.spi.lease;

import static org.mongolocks.spi.LockSchema.LOCKS;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteError;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
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
import org.mongolocks.spi.LockSchema.LockCollection;
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
 * and {@link #acquire}, for which {@link #acquireBy} and {@link #registerOrRead} are building blocks. All other operations
 * are implemented here. Each sends one command, with two exceptions: a renewal that finds the lock lost sends a read to
 * learn why, and {@link #raiseTokens} sends up to two commands for each page.
 *
 * <p>While others wait for a lock, its document has four more fields at most; see {@link #waitingList}:
 *
 * <pre>{@code
 * waiting: [NumberLong(17), NumberLong(4)],           // the waiters, the next one first
 * passed: [NumberLong(8)],                            // waiters that one behind them has passed, the first one first
 * next: [NumberLong(17), NumberLong(4)],              // the first four of them, while an owner is stored
 * turn: [NumberLong(17), NumberLong(4)]               // the same, while no owner is stored
 * }</pre>
 *
 * All strategies share what changes them:
 *
 * <ol>
 *   <li>A grant by plain operators has {@code waiting: {$exists: false}} in its filter: it never precedes a waiter.
 *   <li>A grant by pipeline decides whether it is the turn of the attempt, by the document and the server's clock. It
 *       removes the number of the waiter, and moves up to eight before it to {@code passed}, which keeps the newest eight:
 *       nobody waits for these. The next attempt of one of them is granted the lock if it is free, and else moves its number
 *       back to the front of {@code waiting}, with those behind it in {@code passed}. Otherwise the same command adds, keeps or removes that
 *       number. If neither changes anything, nothing is written. The reply shows the position.
 *   <li>A release of any kind renames {@code next} to {@code turn}, by plain operators.
 *   <li>A waiter that gives up removes its number: {@code updateOne {_id, format, $or: [{waiting: number}, {passed: number}]}}
 *       by pipeline.
 *   <li>Each pipeline computes {@code next} and {@code turn} from the list and the owner.
 * </ol>
 *
 * <p>The server deletes a document 48 hours after its newest grant, renewal or forced release, by
 * {@link LeaseDocument#unusedIndex}: at least 24 hours after the end of the lease. By then a waiter has acquired the
 * lock. A lock without a document is free. A new document begins its tokens at the server's time in milliseconds. Known
 * weakness: they go back if that clock is set back by more than 24 hours. They also go back if they were more than that
 * ahead of it, because an operator raised them or a lock was granted a thousand times a second for days.
 *
 * <p>The updates that these programs send are those of the document. A subclass that does not read the server's time
 * overrides {@link #projection}, which is called while a program is built, and must be pure.
 */
public abstract class LeaseDocumentStrategy implements LockStrategy {
    private final String name;
    private final LeaseDocument document;
    private final LeaseUpdates updates;

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
        this.updates = document.updates();
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Optional<String> format() {
        return Optional.of(document.format());
    }

    /** Returns a schema with the lock documents only, which {@link LeaseDocument#unusedIndex} cleans up. */
    @Override
    public LockSchema schema() {
        return new LockSchema(List.of(new LockCollection(LOCKS, document.unusedIndex())));
    }

    /**
     * Renews a lease: {@code updateOne} on name, owner and token. No match is a definite loss; a read of the
     * document then gives the reason. If that read fails, {@link LossReason#TAKEN_OVER} is assumed.
     */
    @Override
    public Step<Renewal> renew(Lease lease) {
        return updateOne("renew", ownerFilter(lease), updates.renewed(lease))
                .andThen(isRenewed -> isRenewed
                        ? Step.done(new Renewal.Renewed())
                        : lossReason(lease).andThen(reason -> Step.done(new Renewal.Lost(reason))));
    }

    /** Renews leases by one {@code update} command, each on name, owner and token. */
    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return Optional.of(
                updateEach("renew-all", leases, lease -> new Update(ownerFilter(lease), updates.renewed(lease))));
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
                find("loss-reason", lease.name(), projection()),
                reply -> Step.done(
                        reply instanceof Reply.Found found
                                ? LeaseReader.lossReason(found.document())
                                : LossReason.TAKEN_OVER));
    }

    /**
     * Releases a lock: {@code updateOne} on name, owner and, if known, token. The document stays, with its token,
     * as a tombstone, until {@link LeaseDocument#unusedIndex} deletes it.
     */
    @Override
    public Step<Boolean> release(LockName lock, Owner owner, OptionalLong fencingToken) {
        return updateOne("release", document.ownerFilter(lock, owner, fencingToken), updates.released());
    }

    /**
     * Releases locks by one {@code update} command, each on name, owner and token. A strategy that overrides
     * {@link #release} overrides this method too.
     */
    @Override
    public Optional<Step<Boolean>> releaseAll(List<Lease> leases) {
        return Optional.of(
                updateEach("release-all", leases, lease -> new Update(ownerFilter(lease), updates.released())));
    }

    /**
     * Returns the field that counts changes: each lock document has a list of waiters. A strategy whose attempts do not
     * observe it, or that deletes documents for which others wait, overrides this.
     */
    @Override
    public Optional<String> waitingList() {
        return Optional.of(document.revisionField());
    }

    /** Removes a waiter from the list by one {@code updateOne}. */
    @Override
    public final Step<Boolean> unregister(LockName lock, long number) {
        return updateOne("unregister", document.listedFilter(lock, number), updates.unregistered(number));
    }

    /** Ends the grant by {@code updateOne} on name, owner and token, and leaves a lease of no owner. */
    @Override
    public Step<Boolean> releaseAfter(Lease lease) {
        return updateOne("release-after", ownerFilter(lease), updates.releasedAfter(lease));
    }

    /** Reads a lock by one {@code find}, with the server's time. */
    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName lock) {
        return read(find("inspect", lock, countedProjection()), lock);
    }

    /** Reads a lock by one {@code find}, with the server's time and the position of the waiter. */
    @Override
    public Step<Optional<LockOutcome.Contended>> look(LockName lock, long number) {
        MongoOp find = find("look", lock, projection().map(fields -> document.projectionFor(number)));
        return Step.call(
                find,
                reply -> reply instanceof Reply.Found found
                        ? shown(found.document(), stored -> contended(lock, number, stored))
                        : Step.fail(reply));
    }

    /** Lists locks by one {@code find} on a range of names, with the server's time. */
    @Override
    public Step<LockPage> list(LockQuery query) {
        return new ListProgram(label("list"), document, countedProjection(), query).start();
    }

    /**
     * Force-releases a lock: {@code updateOne} on name, revision, token and owner as the operator saw them. The
     * filter has the token because the revisions of a document that was deleted and created again may repeat. It also has the owner (null if there was none), because an election can roll back a grant, and
     * the next grant then gets the same token and revision.
     */
    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return forceRelease(seen, updates.forceReleased());
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
     * Returns the updates of the lock document.
     *
     * @return the updates
     */
    protected final LeaseUpdates updates() {
        return updates;
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
     *       command of the strategy's own with {@link LeaseUpdates#created} or {@link LeaseUpdates#acquireOrExtend}. A
     *       document in the reply decides the outcome. {@link Fault#DUPLICATE_KEY}
     *       means that a document exists which the command does not match: continue with 3.
     *   <li>Acquire a released lock, if the client last saw it released: {@code findAndModify} with
     *       {@link LeaseDocument#releasedFilter} and {@link LeaseUpdates#granted(AcquireContext)}. No match: it is no
     *       longer so, or others wait. Continue with 3, or read it, see {@link #registerOrRead}.
     *   <li>Acquire or extend: {@code findAndModify} on the name alone, with {@link LeaseUpdates#acquireOrExtend} and
     *       {@link LeaseDocument#projection}. A document in the reply decides the outcome, whichever owner holds the
     *       lock; one of another format ends the attempt with {@link Fault#FOREIGN_FORMAT}. No document means that it
     *       was deleted meanwhile: back to 1, once; then the attempt ends as contended.
     * </ol>
     * An attempt of a waiter that last saw the lock held begins with 3, which adds the waiter to the list in the same
     * command. Another attempt that last saw it held reads before that.
     *
     * @param context the owner, the lock and the lease
     * @param create supplies an upsert that is a {@link MongoOp.FindOneAndUpdate}, with a filter that begins as
     *     {@link LeaseDocument#filterFor} does
     * @return the program; see {@link LockStrategy#acquire}
     */
    protected final Step<LockOutcome> acquireBy(AcquireContext context, Supplier<MongoOp> create) {
        AcquireProgram program = new AcquireProgram(this, context, create, true);
        return switch (context.lastSeen()) {
            case UNKNOWN -> program.create();
            case FREE -> program.acquireReleased();
            case HELD -> program.acquireHeld();
            case BECAME_FREE -> program.acquireOrExtend();
        };
    }

    /**
     * Begins with one command if the client last saw the lock held: it adds a waiter to the list, or reads the lock if
     * no waiter attempts. As long as the lock is held, that command shows it. For a strategy that acquires by other
     * commands than {@link LeaseUpdates#acquireOrExtend}.
     *
     * @param context the owner, the lock and the lease
     * @param contended returns the outcome if another owner holds the lock, or if other waiters come first
     * @param attempt returns the program to continue with, given the lock that was read; empty if there is no document,
     *     or if nothing was read
     * @param <R> the result of the program
     * @return the program
     */
    protected final <R> Step<R> registerOrRead(
            AcquireContext context,
            Function<LockOutcome.Contended, R> contended,
            Function<Optional<LockSnapshot>, Step<R>> attempt) {
        return context.lastSeen() == LastKnownState.HELD
                ? readFirst(context, contended, attempt)
                : attempt.apply(Optional.empty());
    }

    /**
     * Returns whether an attempt waits for another owner, or for other waiters.
     *
     * @param context the attempt
     * @param seen the lock, and the turn of the waiter
     * @return false if an attempt would be granted the lock
     */
    protected boolean comesLater(AcquireContext context, LockOutcome.Contended seen) {
        boolean isWaited = seen.turn().filter(turn -> !turn.after().isZero()).isPresent();
        return !context.isHeldByMe(seen.lock().holder()) && (seen.lock().isHeld() || isWaited);
    }

    private <R> Step<R> readFirst(
            AcquireContext context,
            Function<LockOutcome.Contended, R> contended,
            Function<Optional<LockSnapshot>, Step<R>> attempt) {
        boolean isWaiter = context.waiter().isPresent();
        Step<Optional<LockOutcome.Contended>> shown = isWaiter ? register(context) : readBehindAll(context.name());
        return shown.andThen(seen -> seen.filter(lock -> comesLater(context, lock))
                .map(lock -> Step.done(contended.apply(isWaiter ? lock : new LockOutcome.Contended(lock.lock()))))
                .orElseGet(() -> attempt.apply(seen.map(LockOutcome.Contended::lock))));
    }

    /** Ends with the lock, and the turn of one that comes after all waiters that are shown. An attempt before it is refused. */
    private Step<Optional<LockOutcome.Contended>> readBehindAll(LockName lock) {
        return Step.call(
                find("read", lock, projection()),
                reply -> reply instanceof Reply.Found found
                        ? shown(found.document(), stored -> {
                            LockSnapshot seen = LeaseReader.snapshot(lock, stored, document.revisionField());
                            return new LockOutcome.Contended(seen, LeaseReader.turnBehindAll(stored, seen));
                        })
                        : Step.fail(reply));
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
        return read(find(place, lock, projection()), lock);
    }

    private Step<Optional<LockSnapshot>> read(MongoOp find, LockName lock) {
        return Step.call(
                find,
                reply -> reply instanceof Reply.Found found
                        ? shown(
                                found.document(),
                                stored -> LeaseReader.snapshot(lock, stored, document.revisionField()))
                        : Step.fail(reply));
    }

    /**
     * Returns whether a release deletes the document, unless others wait: a waiter that finds none then creates it, so that it
     * is in the list whatever happens until its attempt.
     *
     * @return false, unless it is overridden
     */
    protected boolean releaseDeletes() {
        return false;
    }

    /** Adds the waiter to the list, or shows its turn. */
    private Step<Optional<LockOutcome.Contended>> register(AcquireContext context) {
        return releaseDeletes() && WaitingList.isAdded(context)
                ? Step.call(
                        registration(context, document.filterFor(context.name()), updates.createdFor(context), true),
                        reply -> reply.failedWith(Fault.DUPLICATE_KEY)
                                ? registerStored(context)
                                : registered(context, reply))
                : registerStored(context);
    }

    private Step<Optional<LockOutcome.Contended>> registerStored(AcquireContext context) {
        return Step.call(
                registration(context, LeaseDocument.named(context.name()), updates.registered(context), false),
                reply -> registered(context, reply));
    }

    private MongoOp registration(AcquireContext context, BsonDocument filter, UpdateSpec update, boolean upsert) {
        return new MongoOp.FindOneAndUpdate(label("register"), LOCKS, filter, update, upsert, projectionFor(context));
    }

    private Step<Optional<LockOutcome.Contended>> registered(AcquireContext context, Reply reply) {
        if (reply instanceof Reply.Found found) {
            return shown(found.document(), stored -> contended(context.name(), WaitingList.numberOf(context), stored));
        }
        return isPipelineRefused(reply) ? Step.done(Optional.empty()) : Step.fail(reply);
    }

    /** Some servers claim to be MongoDB 4.4 and have no update pipelines: a strategy that needs none keeps no list there. */
    private boolean isPipelineRefused(Reply reply) {
        return traits().contains(Trait.CLOCK_FREE) && reply instanceof Reply.Failed failed && failed.isNotParsed();
    }

    private <R> Step<Optional<R>> shown(Optional<BsonDocument> found, Function<BsonDocument, R> read) {
        return found.map(stored -> ifOwn(stored, () -> Optional.of(read.apply(stored))))
                .orElseGet(() -> Step.done(Optional.empty()));
    }

    private LockOutcome.Contended contended(LockName lock, long number, BsonDocument stored) {
        LockSnapshot seen = LeaseReader.snapshot(lock, stored, document.revisionField());
        return new LockOutcome.Contended(seen, LeaseReader.turn(stored, seen, number));
    }

    private <R> Step<R> ifOwn(BsonDocument stored, Supplier<R> result) {
        return ForeignFormatException.in(stored, document.format(), LOCKS)
                .map(Step::<R>fail)
                .orElseGet(() -> Step.done(result.get()));
    }

    /**
     * Returns the fields that an attempt reads.
     *
     * @param context the attempt
     * @return the fields of {@link #projection}, with the position of the waiter
     */
    protected final Optional<BsonDocument> projectionFor(AcquireContext context) {
        return projection()
                .map(fields -> context.waiter()
                        .map(waiter -> document.projectionFor(waiter.number()))
                        .orElse(fields));
    }

    /**
     * Ends an attempt with the outcome that a lock document shows after an update, by its owner.
     *
     * @param context the owner, the lock and the lease
     * @param reply the reply to a {@link MongoOp.FindOneAndUpdate}
     * @return a program that is done if the reply has a document: acquired with the stored token if the owner of the
     *     attempt is stored, else contended. It fails with {@link Fault#FOREIGN_FORMAT} if that is not a document of
     *     the strategy, which {@link LeaseUpdates#acquireOrExtend} returns unchanged, and if the reply is a fault.
     * @throws IllegalStateException if the reply has no document: the strategy does not handle this kind of reply
     */
    protected final Step<LockOutcome> outcome(AcquireContext context, Reply reply) {
        Optional<BsonDocument> found = reply instanceof Reply.Found shown ? shown.document() : Optional.empty();
        return found.isPresent() ? ifOwn(found.get(), () -> outcome(context, found.get())) : Step.fail(reply);
    }

    private LockOutcome outcome(AcquireContext context, BsonDocument stored) {
        if (!context.isHeldByMe(LeaseReader.owner(stored))) {
            return contended(context.name(), WaitingList.numberOf(context), stored);
        }
        long token = LeaseReader.number(stored, LockFields.FENCE);
        return context.acquired(token, LeaseReader.waiters(stored), LeaseReader.freeFor(stored));
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
        List<Update> raised = page.locks().stream()
                .filter(lock -> lock.fencingToken() < floor)
                .map(lock -> new Update(
                        document.filterFor(lock.name()).append(LockFields.FENCE, below), updates.forceReleased(floor)))
                .toList();
        return raised.isEmpty()
                ? Step.done(0L)
                : Step.call(new MongoOp.BulkUpdate(label("raise-tokens"), LOCKS, raised), Step::matchCount);
    }

    /** A filter for null also matches a document without the field. */
    private static BsonValue ownerOrNull(LockSnapshot seen) {
        return seen.holder().<BsonValue>map(BsonString::new).orElse(BsonNull.VALUE);
    }

    private BsonDocument ownerFilter(Lease lease) {
        return document.ownerFilter(lease.name(), lease.owner(), OptionalLong.of(lease.fencingToken()));
    }

    private Step<Boolean> updateOne(String place, BsonDocument filter, UpdateSpec update) {
        return new Step.Call<>(new MongoOp.UpdateOne(label(place), LOCKS, filter, update, false), Step::matched);
    }

    /**
     * Compares the count of matched documents with that of the updates, so it must not be too large. A router counts an
     * update by {@code _id} twice that it repeats after a migration of chunks, unless {@code _id} is the shard key: that is
     * one reason why a client refuses collections with another shard key.
     */
    private Step<Boolean> updateEach(String place, List<Lease> leases, Function<Lease, Update> update) {
        List<Update> all = leases.stream().map(update).toList();
        return Step.call(new MongoOp.BulkUpdate(label(place), LOCKS, all), Step::matchCount)
                .andThen(count -> Step.done(count == all.size()));
    }

    private Optional<BsonDocument> countedProjection() {
        return projection().map(fields -> document.projectionWithCount());
    }

    private MongoOp find(String place, LockName lock, Optional<BsonDocument> fields) {
        return new MongoOp.FindOne(label(place), LOCKS, LeaseDocument.named(lock), fields);
    }

    /**
     * One attempt of {@link LeaseDocumentStrategy#acquireBy}.
     *
     * @param mayStartAgain whether the attempt starts again if the document was deleted meanwhile: once, because that
     *     hardly happens twice
     */
    private record AcquireProgram(
            LeaseDocumentStrategy strategy, AcquireContext context, Supplier<MongoOp> upsert, boolean mayStartAgain) {
        private static boolean isMissing(Reply reply) {
            return reply instanceof Reply.Found found && found.document().isEmpty();
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
                    strategy.document.releasedFilter(context.name()),
                    strategy.updates.granted(context),
                    false,
                    Optional.empty());
            return Step.call(acquire, reply -> isMissing(reply) ? acquireHeld() : strategy.outcome(context, reply));
        }

        Step<LockOutcome> acquireHeld() {
            return context.waiter().isPresent()
                    ? acquireOrExtend()
                    : strategy.readFirst(
                            context, held -> held, seen -> seen.isPresent() ? acquireOrExtend() : create());
        }

        Step<LockOutcome> acquireOrExtend() {
            LeaseUpdates updates = strategy.updates;
            MongoOp acquire = new MongoOp.FindOneAndUpdate(
                    strategy.label("acquire-or-extend"),
                    LOCKS,
                    LeaseDocument.named(context.name()),
                    updates.acquireOrExtend(context, updates.nextToken()),
                    false,
                    strategy.projectionFor(context));
            return Step.call(acquire, reply -> isMissing(reply) ? createAgain() : strategy.outcome(context, reply));
        }

        /** The document was deleted meanwhile. */
        private Step<LockOutcome> createAgain() {
            return mayStartAgain
                    ? new AcquireProgram(strategy, context, upsert, false).create()
                    : Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())));
        }
    }
}
