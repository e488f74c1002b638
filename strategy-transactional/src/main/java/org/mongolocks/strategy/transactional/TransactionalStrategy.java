package org.mongolocks.strategy.transactional;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonValue;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseDocumentStrategy;

/**
 * A strategy that acquires by a transaction over two documents: a counter that stays for 48 hours, and a lock document
 * that a release deletes, unless others wait. The documents in the lock collection are held or awaited locks, or were left by
 * a crash, by a waiter that gave up, or by a release before the minimum hold had passed.
 *
 * <p>The document of a held lock, and its counter in the collection {@code fences}:
 *
 * <pre>{@code
 * {
 *   _id: "invoices",
 *   format: "transactional/3",
 *   owner: "worker-1/2f6c0c1e-8d5e-4b52-9d3c-0a6c1c1f7e55",
 *   holder: {host: "batch-7", pid: NumberLong(4711), thread: "main", note: "nightly run"},
 *   fence: NumberLong(1767323045678),                   // the counter at this grant
 *   acquiredAt: ISODate("2026-01-02T03:04:05.678Z"),
 *   renewedAt: ISODate("2026-01-02T03:04:05.678Z"),   // the start of the lease
 *   leaseMs: NumberLong(30000),                         // it ends so much later
 *   rev: NumberLong(3),                                 // incremented by each grant, renewal and release
 *   waiting: [NumberLong(17), NumberLong(4)],           // the waiters, and the first four of them: only while there
 *   next: [NumberLong(17), NumberLong(4)]               // are any, see LeaseDocumentStrategy
 * }
 * {
 *   _id: "invoices",
 *   format: "transactional/3",
 *   n: NumberLong(1767323045678),                       // the server's milliseconds at least, and larger than before
 *   renewedAt: ISODate("2026-01-02T03:04:05.678Z")      // changed by each grant and forced release, as n is
 * }
 * }</pre>
 *
 * To acquire:
 *
 * <ol>
 *   <li>Read, if this client last saw the lock held or conflicted with another transaction, and no change stream has
 *       reported a release since: {@code find {_id}}. Held by another owner: contended. Of another format: refused, and
 *       not changed. A waiter registers instead: {@code findAndModify {_id, format}} by pipeline, with upsert, adds
 *       its number to {@code waiting}, also of a free lock; outside a transaction, whose abort would undo it.
 *   <li>Start a transaction. Increment the counter: {@code findAndModify {_id, format}} in {@code fences}, with upsert.
 *   <li>Acquire or extend: {@code findAndModify {_id, format}} with upsert and a {@code $switch} on the document as it
 *       is. Own lease: extend it and keep the token. Free or expired, and no waiter comes first: acquire with the
 *       counter as the token, or with the next token after that of the document if it is larger. Else: no change. The
 *       owner in the returned document is the holder. If its token is larger than the counter, as after a restore of
 *       {@code fences} alone, the counter is raised to it.
 *   <li>Acquired: commit, and retry the commit at most three times while its outcome is unknown. Held by another owner,
 *       or others come first: abort, contended.
 *   <li>A fault in between: abort, and the attempt fails with it. A duplicate key: abort, and read the counter and
 *       the document: contended, or of another format and refused.
 * </ol>
 * To acquire several, all or none: increment the counter and acquire or extend each of them, in the order of their
 * names, in one transaction with one commit. The first that another owner holds ends it, and nothing has changed.
 *
 * <p>To release: {@code deleteOne {_id, format, owner, fence, waiting: {$exists: false}}}, for each of several by
 * itself. If that matched nothing, {@code updateOne} on the same owner and token removes the owner and renames
 * {@code next} to {@code turn}, and the document stays until a release when nobody waits. A grant that may or may not
 * have been committed is compensated by the same without the token, in another transaction of the same session, which
 * ends the first if it is open. If that matched nothing, the same is sent once more without a transaction. To
 * force-release: increment the counter, then leave a tombstone with that token, which shows the holder the reason of
 * the loss. To renew, inspect and list: one command each, see {@link LeaseDocumentStrategy}.
 *
 * <p>Traits: server clock, strict fencing, needs transactions (a replica set), multi-lock. Round trips: 3 if free; if
 * held, 3 for a client that has not seen that and 1 from then on. Release: 1, or 2 if others wait. For several locks: 2
 * each, and the commit. Indexes: TTL on {@code renewedAt} of both collections, 48 hours, which only clean up.
 *
 * <p>Known weakness: an attempt that meets another transaction on the same counter fails at once with a write conflict,
 * and is retried after a pause; under contention that is slower than one command. A transaction stays open if its
 * client has died, or one of its commands was executed late. It blocks the lock for all owners until the server ends it
 * ({@code transactionLifetimeLimitSeconds}, 60 seconds by default), however short the ttl. Tokens go back if the
 * server's clock is set back by more than 24 hours, see {@link LeaseDocumentStrategy}.
 */
public final class TransactionalStrategy extends LeaseDocumentStrategy {
    static final String NAME = "transactional";
    static final String FORMAT = NAME + "/3";

    /** Creates the strategy, usually through {@link java.util.ServiceLoader}. */
    public TransactionalStrategy() {
        super(NAME, LeaseDocument.withFormat(FORMAT));
    }

    @Override
    public Set<Trait> traits() {
        return Set.of(Trait.SERVER_CLOCK, Trait.STRICT_FENCING, Trait.NEEDS_TRANSACTIONS, Trait.MULTI_LOCK);
    }

    @Override
    public LockSchema schema() {
        LockCollection locks = super.schema().collections().get(0);
        return new LockSchema(List.of(locks, FenceCounter.collection(locks)));
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return allOrNone(List.of(context), acquired -> acquired.get(0), contended -> contended);
    }

    @Override
    public Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return Optional.of(allOrNone(
                contexts,
                acquired -> new MultiLockOutcome.Acquired(
                        acquired.stream().map(LockOutcome.Acquired::lease).toList()),
                contended -> new MultiLockOutcome.Contended(contended.lock(), contended.turn())));
    }

    @Override
    protected boolean releaseDeletes() {
        return true;
    }

    @Override
    public Step<Boolean> release(LockName lock, Owner owner, OptionalLong fencingToken) {
        Step<Boolean> release = Step.call(
                        new MongoOp.DeleteOne(
                                label("release"),
                                LOCKS,
                                document().withoutWaiting(document().ownerFilter(lock, owner, fencingToken))),
                        Step::matched)
                .andThen(released -> released ? Step.done(true) : super.release(lock, owner, fencingToken));
        return fencingToken.isPresent() ? release : afterTransaction(release);
    }

    /** Returns nothing: no command deletes several documents, each by its own filter. */
    @Override
    public Optional<Step<Boolean>> releaseAll(List<Lease> leases) {
        return Optional.empty();
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return FenceCounter.next(seen.name())
                .then(
                        count -> forceRelease(
                                seen,
                                updates().forceReleased(Math.max(count.asInt64().getValue(), seen.fencingToken() + 1))),
                        failure -> failure.failedWith(Fault.DUPLICATE_KEY)
                                ? FenceCounter.foreignOr(seen.name(), () -> new Step.Fail<>(failure))
                                : new Step.Fail<>(failure));
    }

    /** A counter has no owner: if the query selects holders, only the lock documents give the next tokens. */
    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        Step<Long> counters = query.isHeldOnly() || query.instance().isPresent()
                ? Step.done(0L)
                : FenceCounter.raiseAll(query, floor);
        return counters.andThen(
                count -> super.raiseTokens(query, floor).andThen(documents -> Step.done(count + documents)));
    }

    private <R> Step<R> allOrNone(
            List<AcquireContext> contexts,
            Function<List<LockOutcome.Acquired>, R> acquired,
            Function<LockOutcome.Contended, R> contended) {
        AcquireContext waiting = contexts.stream()
                .filter(context -> context.lastSeen() == LastKnownState.HELD)
                .findFirst()
                .orElse(contexts.get(0));
        return registerOrRead(
                waiting,
                contended,
                seen -> TransactionSteps.start(
                        () -> acquireNext(contexts, List.of(), new Ends<>(acquired, contended))));
    }

    /** How a transaction ends. */
    private record Ends<R>(
            Function<List<LockOutcome.Acquired>, R> acquired, Function<LockOutcome.Contended, R> contended) {}

    /** Continues the transaction with the next lock, after those that the owner holds. */
    private <R> Step<R> acquireNext(List<AcquireContext> contexts, List<LockOutcome.Acquired> acquired, Ends<R> ends) {
        if (acquired.size() == contexts.size()) {
            return TransactionSteps.commit(ends.acquired().apply(acquired));
        }
        AcquireContext next = contexts.get(acquired.size());
        return FenceCounter.next(next.name())
                .andThen(count -> acquireOrExtend(next.keepingList(), count))
                .then(
                        outcome -> {
                            if (outcome instanceof LockOutcome.Acquired grant) {
                                return acquireNext(contexts, with(acquired, grant), ends);
                            }
                            R contended = ends.contended().apply((LockOutcome.Contended) outcome);
                            return TransactionSteps.abort(() -> Step.done(contended));
                        },
                        failure -> abort(next.name(), failure, ends));
    }

    private Step<LockOutcome> acquireOrExtend(AcquireContext context, BsonValue count) {
        MongoOp acquire = new MongoOp.FindOneAndUpdate(
                label("acquire-or-extend"),
                LOCKS,
                document().filterFor(context.name()),
                updates().acquireOrExtend(context, newToken(count)),
                true,
                projectionFor(context));
        return Step.call(acquire, reply -> outcome(context, reply)).andThen(outcome -> {
            if (outcome instanceof LockOutcome.Acquired grant) {
                Lease lease = grant.lease();
                return FenceCounter.raisedTo(lease.name(), lease.fencingToken(), count, () -> Step.done(outcome));
            }
            return Step.done(outcome);
        });
    }

    /**
     * A duplicate key is a definite reply: a concurrent attempt has created the document, and a read shows its owner.
     */
    private <R> Step<R> abort(LockName lock, Reply.Failed failure, Ends<R> ends) {
        return TransactionSteps.abort(() -> failure.failedWith(Fault.DUPLICATE_KEY)
                ? FenceCounter.foreignOr(lock, () -> readHolder(lock, ends))
                : Step.fail(failure));
    }

    private <R> Step<R> readHolder(LockName lock, Ends<R> ends) {
        LockSnapshot unused = LockSnapshot.unused(lock);
        return read("read-holder", lock)
                .andThen(seen -> Step.done(ends.contended().apply(new LockOutcome.Contended(seen.orElse(unused)))));
    }

    /** Larger than the token in the lock document, also if the counter is not. */
    private BsonValue newToken(BsonValue count) {
        return Expressions.document("$max", new BsonArray(List.of(count, Expressions.increment(LockFields.FENCE))));
    }

    /**
     * A grant with an unknown token may be in a transaction that is still open: the next transaction of its session
     * ends it. It may also have been committed so recently that the snapshot of the next one does not show it: a
     * release that matched nothing is repeated without a transaction.
     */
    private static Step<Boolean> afterTransaction(Step<Boolean> release) {
        Step<Boolean> next = TransactionSteps.start(() -> release.then(
                TransactionSteps::commit, failure -> TransactionSteps.abort(() -> new Step.Fail<>(failure))));
        return next.andThen(released -> released ? Step.done(true) : release);
    }

    private static <T> List<T> with(List<T> all, T next) {
        return Stream.concat(all.stream(), Stream.of(next)).toList();
    }
}
