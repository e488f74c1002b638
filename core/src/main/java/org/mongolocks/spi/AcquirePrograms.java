package org.mongolocks.spi;

import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;

/** Has what strategies share to acquire a lock that is kept in a {@link LeaseDocument}. */
public final class AcquirePrograms {
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
     * Creates the lock document by one command, or takes the document that is there by another. For a strategy whose
     * first command takes a lock that was released, too.
     *
     * <ol>
     *   <li>Create, by a command of the strategy's own. A document in the reply answers.
     *       {@link Fault#DUPLICATE_KEY} says that a document is there which the command does not match.
     *   <li>Take or keep: {@code findAndModify} on the name, with {@link LeaseDocument#takenOrKept} and
     *       {@link LeaseDocument#projection}. A document in the reply answers, whoever has the lock. None says that the
     *       document has gone since, or is not one of the strategy.
     *   <li>Look, after none: a document of another format ends the attempt with {@link Fault#FOREIGN_FORMAT}. Else go
     *       back to 1, once.
     * </ol>
     *
     * A client that saw the lock held last looks before that, see {@link #lookFirst}, and begins with what fits: with 1
     * after a release, with 2 after the end of a lease. One that waited and was told of the release begins with 2,
     * which is the only command whether another was faster or not.
     *
     * @param context who asks for what
     * @param create gives an upsert that is a {@link MongoOp.FindOneAndUpdate}, with a filter that begins as
     *     {@link LeaseDocument#own} does
     * @return the program; see {@link LockStrategy#acquire}
     */
    public Step<LockOutcome> createOrTake(AcquireContext context, Supplier<MongoOp> create) {
        CreateOrTake attempt = new CreateOrTake(this, context, create);
        return lookFirst(
                context,
                LockOutcome.Contended::new,
                seen -> attempt.beginning(context.lastSeen() == LastSeen.RELEASED
                        || seen.flatMap(LockSnapshot::holder).isPresent()));
    }

    /**
     * Does the same as {@link #createOrTake}, for a strategy whose first command only creates: if a document is there,
     * or is likely to be since the client has seen the lock released, the program begins with 2.
     *
     * @param context who asks for what
     * @param create gives an upsert that is a {@link MongoOp.FindOneAndUpdate}, with a filter that begins as
     *     {@link LeaseDocument#own} does
     * @return the program; see {@link LockStrategy#acquire}
     */
    public Step<LockOutcome> createUnlessSeen(AcquireContext context, Supplier<MongoOp> create) {
        CreateOrTake attempt = new CreateOrTake(this, context, create);
        return lookFirst(
                context,
                LockOutcome.Contended::new,
                seen -> attempt.beginning(seen.isPresent() || isSeenFree(context.lastSeen())));
    }

    /**
     * Looks before anything is written, if the client saw the lock held last: as long as it is, one {@code find} says
     * so. A write that changes nothing would wait until a majority has the newest entry of the log.
     *
     * @param context who asks for what
     * @param contended makes the outcome if another has the lock
     * @param attempt gives the program to go on with, by what was seen; empty if there is no document, or if nobody
     * looked
     * @param <R> what the program results in
     * @return the program
     */
    public <R> Step<R> lookFirst(
            AcquireContext context,
            Function<LockSnapshot, R> contended,
            Function<Optional<LockSnapshot>, Step<R>> attempt) {
        return context.lastSeen() == LastSeen.HELD
                ? looking.look("look", context.name())
                        .andThen(seen -> seen.filter(lock -> isAnothers(context, lock))
                                .map(lock -> Step.done(contended.apply(lock)))
                                .orElseGet(() -> attempt.apply(seen)))
                : attempt.apply(Optional.empty());
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

    private static boolean isSeenFree(LastSeen seen) {
        return seen == LastSeen.FREE || seen == LastSeen.RELEASED;
    }

    private static boolean isAnothers(AcquireContext context, LockSnapshot lock) {
        return lock.isHeld() && !context.isHeldByMe(lock.holder());
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
