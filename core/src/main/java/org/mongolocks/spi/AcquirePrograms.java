package org.mongolocks.spi;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;

/** Has what strategies share to acquire a lock that is kept in a {@link LeaseDocument}. */
public final class AcquirePrograms {
    /** What those know who waited: others may be faster, so that a command which only takes a free lock may be in vain. */
    private static final Set<LastSeen> WAITED = Set.of(LastSeen.HELD, LastSeen.RELEASED);

    private final String strategy;
    private final LeaseDocument document;
    private final LeasePrograms looking;

    /**
     * Makes the programs of a strategy.
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
     * Creates the lock document by one command, or takes the document that is there by another. For a strategy whose first
     * command takes a lock that was released, too.
     *
     * <ol>
     *   <li>Create, by a command of the strategy's own. A document in the reply answers.
     *       {@link Fault#DUPLICATE_KEY} says that a document is there which the command does not match.
     *   <li>Take or keep: {@code findAndModify} on the name, with {@link LeaseDocument#takenOrKept} and
     *       {@link LeaseDocument#projection}. A document in the reply answers, whoever has the lock. None says that the document has gone since, or is not one of the
     *       strategy.
     *   <li>Look, after none: a document of another format ends the attempt with {@link Fault#FOREIGN_FORMAT}. Else go
     *       back to 1, once.
     * </ol>
     *
     * If the client saw the lock held last, or waited for it and was told of its release, the program begins with 2, which
     * is the only command whether another was faster or not.
     *
     * @param context who asks for what
     * @param create gives an upsert that is a {@link MongoOp.FindOneAndUpdate}, with a filter that begins as
     *     {@link LeaseDocument#own} does
     * @return the program; see {@link LockStrategy#acquire}
     */
    public Step<LockOutcome> createOrTake(AcquireContext context, Supplier<MongoOp> create) {
        return new CreateOrTake(this, context, create).beginning(WAITED.contains(context.lastSeen()));
    }

    /**
     * Does the same as {@link #createOrTake}, for a strategy whose first command only creates: if the client has seen the
     * lock, held or released, a document is likely to be there, and the program begins with 2.
     *
     * @param context who asks for what
     * @param create gives an upsert that is a {@link MongoOp.FindOneAndUpdate}, with a filter that begins as
     *     {@link LeaseDocument#own} does
     * @return the program; see {@link LockStrategy#acquire}
     */
    public Step<LockOutcome> createUnlessSeen(AcquireContext context, Supplier<MongoOp> create) {
        return new CreateOrTake(this, context, create).beginning(context.lastSeen() != LastSeen.UNKNOWN);
    }

    /**
     * Ends with what a changed lock document tells.
     *
     * @param context who asks for what
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
     * Tells who has the lock by the owner in a document that a write has just returned.
     *
     * @param context who asks for what
     * @param stored the document
     * @return acquired with the stored token if the one who asks is its owner, else contended
     */
    public LockOutcome outcome(AcquireContext context, BsonDocument stored) {
        return context.isHeldByMe(Snapshots.owner(stored))
                ? context.acquired(Snapshots.number(stored, LockFields.FENCE))
                : new LockOutcome.Contended(Snapshots.read(context.name(), stored, document.revisionField()));
    }

    private MongoOp takeOrKeep(AcquireContext context) {
        return new MongoOp.FindOneAndUpdate(
                strategy + "/take-or-keep",
                LOCKS,
                document.own(context.name()),
                document.takenOrKept(context, document.nextToken()),
                false,
                Optional.of(document.projection()));
    }

    /** Is one attempt of {@link #createOrTake}. */
    private record CreateOrTake(AcquirePrograms programs, AcquireContext context, Supplier<MongoOp> create) {
        /** A document may go at any time, but hardly again in the moment after it was created. */
        private static final int MOST_RETURNS = 1;

        Step<LockOutcome> beginning(boolean isThere) {
            return isThere ? take(MOST_RETURNS) : create(MOST_RETURNS);
        }

        private Step<LockOutcome> create(int returns) {
            return Step.call(
                    create.get(),
                    reply -> reply.failedWith(Fault.DUPLICATE_KEY) ? take(returns) : programs.answer(context, reply));
        }

        private Step<LockOutcome> take(int returns) {
            return Step.call(
                    programs.takeOrKeep(context),
                    reply -> reply.equals(Reply.Found.none()) ? look(returns) : programs.answer(context, reply));
        }

        /** Nothing of ours has that name: there is nothing any more, or a document that is not ours. */
        private Step<LockOutcome> look(int returns) {
            return programs.looking
                    .look("look-again", context.name())
                    .andThen(seen -> returns > 0 ? create(returns - 1) : contended(seen));
        }

        private Step<LockOutcome> contended(Optional<LockSnapshot> seen) {
            return Step.done(new LockOutcome.Contended(seen.orElseGet(() -> LockSnapshot.unused(context.name()))));
        }
    }
}
