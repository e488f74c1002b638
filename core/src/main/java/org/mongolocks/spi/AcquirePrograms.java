package org.mongolocks.spi;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;

/** Shared acquire programs of strategies that store a lock in a {@link LeaseDocument}. */
public final class AcquirePrograms {
    private final String strategy;
    private final LeaseDocument document;
    private final LeasePrograms looking;

    /**
     * Creates the programs of a strategy.
     *
     * @param strategy the name of the strategy, for labels
     * @param document its lock document
     */
    public AcquirePrograms(String strategy, LeaseDocument document) {
        this.strategy = strategy;
        this.document = document;
        this.looking = new LeasePrograms(strategy, document);
    }

    /**
     * Creates the lock document by one command, or acquires an existing document by another. For a strategy whose first
     * command also acquires a lock that was released.
     *
     * <ol>
     *   <li>Create, by a command of the strategy's own. A document in the reply decides the outcome.
     *       {@link Fault#DUPLICATE_KEY} means that a document exists which the command does not match.
     *   <li>Acquire or extend: {@code findAndModify} on the name, with {@link LeaseDocument#acquireOrExtend} and
     *       {@link LeaseDocument#projection}. A document in the reply decides the outcome, whichever owner holds the
     *       lock. No document means that it was deleted meanwhile, or is not one of the strategy.
     *   <li>Read, if there was none: a document of another format ends the attempt with {@link Fault#FOREIGN_FORMAT}.
     *       Otherwise go back to 1, once.
     * </ol>
     * A client that last saw the lock held reads before that, see {@link #readFirst}, and begins with the command that
     * fits: with 1 after a release, with 2 after the end of a lease. A waiter that was notified of the release begins
     * with 2: that is its only command, whether or not it loses the race.
     *
     * @param context the owner, the lock and the lease
     * @param create supplies an upsert that is a {@link MongoOp.FindOneAndUpdate}, with a filter that begins as
     *     {@link LeaseDocument#filterFor} does
     * @return the program; see {@link LockStrategy#acquire}
     */
    public Step<LockOutcome> upsertOrTakeOver(AcquireContext context, Supplier<MongoOp> create) {
        CreateOrTake attempt = new CreateOrTake(this, context, create);
        return readFirst(
                context,
                LockOutcome.Contended::new,
                seen -> attempt.beginning(context.lastSeen() == LastKnownState.NOTIFIED_FREE
                        || seen.flatMap(LockSnapshot::holder).isPresent()));
    }

    /**
     * Acquires as {@link #upsertOrTakeOver} does, for a strategy whose first command only creates: if a document exists, or
     * probably exists because the client has seen the lock released, the program begins with 2.
     *
     * @param context the owner, the lock and the lease
     * @param create supplies an upsert that is a {@link MongoOp.FindOneAndUpdate}, with a filter that begins as
     *     {@link LeaseDocument#filterFor} does
     * @return the program; see {@link LockStrategy#acquire}
     */
    public Step<LockOutcome> insertOrTakeOver(AcquireContext context, Supplier<MongoOp> create) {
        CreateOrTake attempt = new CreateOrTake(this, context, create);
        return readFirst(
                context,
                LockOutcome.Contended::new,
                seen -> attempt.beginning(seen.isPresent() || isSeenFree(context.lastSeen())));
    }

    /**
     * Reads the lock before anything is written, if the client last saw it held: as long as it is held, one
     * {@code find} shows it. A write that changes nothing would wait until a majority has the newest entry of the
     * oplog.
     *
     * @param context the owner, the lock and the lease
     * @param contended returns the outcome if another owner holds the lock
     * @param attempt returns the program to continue with, given the lock that was read; empty if there is no document,
     *     or if nothing was read
     * @param <R> the result of the program
     * @return the program
     */
    public <R> Step<R> readFirst(
            AcquireContext context,
            Function<LockSnapshot, R> contended,
            Function<Optional<LockSnapshot>, Step<R>> attempt) {
        return context.lastSeen() == LastKnownState.HELD
                ? looking.read("look", context.name())
                        .andThen(seen -> seen.filter(lock -> isAnothers(context, lock))
                                .map(lock -> Step.done(contended.apply(lock)))
                                .orElseGet(() -> attempt.apply(seen)))
                : attempt.apply(Optional.empty());
    }

    /**
     * Ends with the outcome that a changed lock document shows.
     *
     * @param context the owner, the lock and the lease
     * @param reply the reply to a {@link MongoOp.FindOneAndUpdate}
     * @return a program that is done if the reply has a document, and failed if it is a fault
     * @throws IllegalStateException if the reply has no document: the protocol has a gap
     */
    public Step<LockOutcome> answer(AcquireContext context, Reply reply) {
        if (reply instanceof Reply.Found found && found.document().isPresent()) {
            return Step.done(outcome(context, found.document().get()));
        }
        return Step.fail(reply);
    }

    /**
     * Returns the outcome, by the owner in a document that a write has just returned.
     *
     * @param context the owner, the lock and the lease
     * @param stored the document
     * @return acquired with the stored token if the owner of the attempt is stored, else contended
     */
    public LockOutcome outcome(AcquireContext context, BsonDocument stored) {
        return context.isHeldByMe(SnapshotReader.owner(stored))
                ? context.acquired(SnapshotReader.number(stored, LockFields.FENCE))
                : new LockOutcome.Contended(SnapshotReader.read(context.name(), stored, document.revisionField()));
    }

    private static boolean isSeenFree(LastKnownState seen) {
        return seen == LastKnownState.FREE || seen == LastKnownState.NOTIFIED_FREE;
    }

    private static boolean isAnothers(AcquireContext context, LockSnapshot lock) {
        return lock.isHeld() && !context.isHeldByMe(lock.holder());
    }

    private MongoOp acquireOrExtend(AcquireContext context) {
        return new MongoOp.FindOneAndUpdate(
                strategy + "/take-or-keep",
                LOCKS,
                document.filterFor(context.name()),
                document.acquireOrExtend(context, document.nextToken()),
                false,
                Optional.of(document.projection()));
    }

    /** One attempt of {@link #upsertOrTakeOver}. */
    private record CreateOrTake(AcquirePrograms programs, AcquireContext context, Supplier<MongoOp> create) {
        /** A document may be deleted at any time, but hardly once more right after it was created. */
        private static final int MAX_RETURNS = 1;

        Step<LockOutcome> beginning(boolean isThere) {
            return isThere ? take(MAX_RETURNS) : create(MAX_RETURNS);
        }

        private Step<LockOutcome> create(int returns) {
            return Step.call(
                    create.get(),
                    reply -> reply.failedWith(Fault.DUPLICATE_KEY) ? take(returns) : programs.answer(context, reply));
        }

        private Step<LockOutcome> take(int returns) {
            return Step.call(
                    programs.acquireOrExtend(context),
                    reply -> reply.equals(Reply.Found.none()) ? look(returns) : programs.answer(context, reply));
        }

        /** No document of this strategy has that name: there is none any more, or it has another format. */
        private Step<LockOutcome> look(int returns) {
            return programs.looking
                    .read("look-again", context.name())
                    .andThen(seen -> returns > 0 ? create(returns - 1) : contended(seen));
        }

        private Step<LockOutcome> contended(Optional<LockSnapshot> seen) {
            return Step.done(new LockOutcome.Contended(seen.orElseGet(() -> LockSnapshot.unused(context.name()))));
        }
    }
}
