package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.spi.Reply.Fault.AMBIGUOUS;
import static org.mongolocks.spi.Reply.Fault.NOT_SENT;
import static org.mongolocks.spi.Reply.Fault.TRANSIENT;
import static org.mongolocks.spi.Reply.Fault.WRITE_CONFLICT;

import com.mongodb.MongoException;
import java.util.Objects;
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

/** One run of an {@link OptimisticUpdate}, with a mark of its own. */
record OptimisticUpdateRun(
        VersionedDocument target,
        Function<BsonDocument, Optional<BsonDocument>> change,
        UpdateBackoff backoff,
        BsonString mark) {
    /** The most commands that may fail in one run. */
    static final int MAX_FAULTS = 5;

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

    /** A write, with the version that it stores. */
    private record Write(MongoOp op, long version) {}

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
        return Objects.requireNonNull(
                        change.apply(read.clone()), "The function of an update returned null, not a document or empty")
                .flatMap(after -> target.compareAndSet(read, after, mark))
                .map(op -> write(new Write(op, version + 1), count))
                .orElseGet(() -> Step.done(new UpdateOutcome.Unchanged(read)));
    }

    private Step<UpdateOutcome> write(Write write, Count count) {
        return Step.call(write.op(), reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document().map(after -> updated(after, count)).orElseGet(() -> lostRace(write, count));
            }
            return reply instanceof Reply.Failed failed && failed.fault() == AMBIGUOUS
                    ? afterLostReply(write, failed.cause(), count)
                    : retry(reply, count, next -> write(write, next));
        });
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
