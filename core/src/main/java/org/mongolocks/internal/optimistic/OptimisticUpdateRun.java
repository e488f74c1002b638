package org.mongolocks.internal.optimistic;

import static org.mongolocks.spi.Reply.Fault.AMBIGUOUS;
import static org.mongolocks.spi.Reply.Fault.NOT_SENT;
import static org.mongolocks.spi.Reply.Fault.TRANSIENT;
import static org.mongolocks.spi.Reply.Fault.WRITE_CONFLICT;

import com.mongodb.MongoException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/**
 * One run of an update, with a mark of its own:
 *
 * <ol>
 *   <li>Read: {@code find {_id}}. No document: missing.
 *   <li>Change: only the top-level fields that the user's function changed are written; other fields stay as they are.
 *       The order of nested fields is a difference, that of the top-level fields is not. No difference: unchanged.
 *   <li>Compare and set: {@code findAndModify {_id, version: v}} with {@code $set} and {@code $unset} of these fields,
 *       version v + 1, and a mark that is unique to this run. A document in the reply: updated. None: lost the race;
 *       wait, and back to 1, up to the bound; then conflicted.
 *   <li>The reply was lost: retry the same command, which cannot be executed twice, because the first one changes the
 *       version. If it does not match, the mark of v + 1 shows which run wrote that version: this run: updated; another
 *       run: back to 1. Only if {@value OptimisticDocuments#KEPT_MARKS} versions were written meanwhile, or the document
 *       was deleted, the outcome is indeterminate. The same after a temporary fault, which may be that of the driver's own
 *       retry.
 * </ol>
 * A version alone could not show that: another run may have written v + 1. Round trips: 2, as many for each further
 * attempt.
 */
record OptimisticUpdateRun(
        VersionedDocument target,
        Function<BsonDocument, VersionedDocument.Change> change,
        UpdateBackoff backoff,
        BsonString mark) {
    /** The most commands that may fail in one run. */
    private static final int MAX_FAULTS = 5;

    private static final Set<Fault> RETRIED = Set.of(TRANSIENT, NOT_SENT, WRITE_CONFLICT);

    /** The number of reads for a change, and of failed commands. */
    private record Count(int attempts, int faults) {
        Count attempt() {
            return new Count(attempts + 1, faults);
        }

        Count fault() {
            return new Count(attempts, faults + 1);
        }
    }

    /**
     * A write.
     *
     * @param op the command
     * @param version the version that it stores
     * @param fault the last temporary fault, perhaps that of the driver's own retry of a write that was executed
     */
    private record Write(MongoOp op, long version, Optional<MongoException> fault) {
        Write after(Reply reply) {
            return new Write(op, version, Optional.of(((Reply.Failed) reply).cause()));
        }
    }

    Step<UpdateOutcome> start() {
        return read(new Count(1, 0));
    }

    private Step<UpdateOutcome> read(Count count) {
        return Step.call(
                target.read("read"),
                reply -> reply instanceof Reply.Found found
                        ? found.document()
                                .map(read -> applyChange(read, count))
                                .orElseGet(() -> Step.done(new UpdateOutcome.Missing()))
                        : retry(reply, count, this::read));
    }

    private Step<UpdateOutcome> applyChange(BsonDocument read, Count count) {
        long version = target.fields().of(read);
        target.fields().marksOf(read);
        return target.compareAndSet(read, change.apply(read), mark)
                .map(op -> write(new Write(op, version + 1, Optional.empty()), count))
                .orElseGet(() -> Step.done(new UpdateOutcome.Unchanged(read)));
    }

    private Step<UpdateOutcome> write(Write write, Count count) {
        return Step.call(write.op(), reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document().map(after -> updated(after, count)).orElseGet(() -> noMatch(write, count));
            }
            return reply instanceof Reply.Failed failed && failed.fault() == AMBIGUOUS
                    ? afterLostReply(write, failed.cause(), count)
                    : retry(reply, count, next -> write(write.after(reply), next));
        });
    }

    private Step<UpdateOutcome> noMatch(Write write, Count count) {
        return write.fault().map(cause -> readWriter(write, cause, count)).orElseGet(() -> lostRace(write, count));
    }

    /** Nothing was written at this version, and nothing will be: it has changed. */
    private Step<UpdateOutcome> lostRace(Write write, Count count) {
        return count.attempts() < backoff.maxAttempts()
                ? new Step.Pause<>(backoff.waitAfter(count.attempts()), () -> read(count.attempt()))
                : Step.done(new UpdateOutcome.Conflicted(count.attempts(), write.version() - 1));
    }

    /** The same command cannot be executed twice, because the first one changes the version. */
    private Step<UpdateOutcome> afterLostReply(Write write, MongoException cause, Count count) {
        return count.faults() < MAX_FAULTS
                ? new Step.Pause<>(backoff.waitAfter(count.faults() + 1), () -> repeat(write, cause, count.fault()))
                : Step.done(new UpdateOutcome.Indeterminate(count.attempts(), cause));
    }

    private Step<UpdateOutcome> repeat(Write write, MongoException cause, Count count) {
        return Step.call(write.op(), reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document()
                        .map(after -> updated(after, count))
                        .orElseGet(() -> readWriter(write, cause, count));
            }
            return reply.failedWith(Fault.DUPLICATE_KEY) ? Step.fail(reply) : afterLostReply(write, cause, count);
        });
    }

    private Step<UpdateOutcome> readWriter(Write write, MongoException cause, Count count) {
        return Step.call(
                target.read("read-writer"),
                reply -> reply instanceof Reply.Found found
                        ? resolve(write, found.document(), cause, count)
                        : afterLostReply(write, cause, count));
    }

    private Step<UpdateOutcome> resolve(Write write, Optional<BsonDocument> now, MongoException cause, Count count) {
        Optional<BsonValue> writer = now.flatMap(document -> target.fields().writerOf(write.version(), document));
        if (writer.isEmpty()) {
            return Step.done(new UpdateOutcome.Indeterminate(count.attempts(), cause));
        }
        return writer.get().equals(mark) ? updated(now.orElseThrow(), count) : lostRace(write, count);
    }

    private Step<UpdateOutcome> retry(Reply reply, Count count, Function<Count, Step<UpdateOutcome>> same) {
        boolean isRetried = reply instanceof Reply.Failed failed && RETRIED.contains(failed.fault());
        return isRetried && count.faults() < MAX_FAULTS
                ? new Step.Pause<>(backoff.waitAfter(count.faults() + 1), () -> same.apply(count.fault()))
                : Step.fail(reply);
    }

    private static Step<UpdateOutcome> updated(BsonDocument after, Count count) {
        return Step.done(new UpdateOutcome.Updated(after, count.attempts()));
    }
}
