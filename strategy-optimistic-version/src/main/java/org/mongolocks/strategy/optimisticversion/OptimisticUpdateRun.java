package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.spi.Fault.AMBIGUOUS;
import static org.mongolocks.spi.Fault.NOT_SENT;
import static org.mongolocks.spi.Fault.TRANSIENT;
import static org.mongolocks.spi.Fault.WRITE_CONFLICT;

import com.mongodb.MongoException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** One run of an {@link OptimisticUpdate}, with a mark of its own. */
record OptimisticUpdateRun(
        VersionedDocument target,
        Function<BsonDocument, Optional<BsonDocument>> change,
        UpdateBackoff pace,
        BsonString mark) {
    /** The most commands that may fail in one run. */
    static final int MAX_FAULTS = 5;

    private static final Set<Fault> PASSING = Set.of(TRANSIENT, NOT_SENT, WRITE_CONFLICT);

    /** The number of reads for a change, and of failed commands. */
    private record Count(int attempts, int faults) {
        Count attempt() {
            return new Count(attempts + 1, faults);
        }

        Count fault() {
            return new Count(attempts, faults + 1);
        }
    }

    /** A write, and the version that it stores. */
    private record Write(MongoOp op, long makes) {}

    Step<UpdateOutcome> start() {
        return look(new Count(1, 0));
    }

    private Step<UpdateOutcome> look(Count count) {
        return Step.call(
                target.look("look"),
                reply -> reply instanceof Reply.Found found
                        ? found.document()
                                .map(read -> changed(read, count))
                                .orElseGet(() -> Step.done(new UpdateOutcome.Missing()))
                        : again(reply, count, this::look));
    }

    private Step<UpdateOutcome> changed(BsonDocument read, Count count) {
        long version = target.fields().of(read);
        target.fields().marksOf(read);
        BsonDocument operators = change.apply(read.clone())
                .map(after -> new DocumentDiff(read, after, target.fields()).operators())
                .orElseGet(BsonDocument::new);
        return operators.isEmpty()
                ? Step.done(new UpdateOutcome.Unchanged(read))
                : write(new Write(target.compareAndSet(read, operators, mark), version + 1), count);
    }

    private Step<UpdateOutcome> write(Write write, Count count) {
        return Step.call(write.op(), reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document().map(after -> updated(after, count)).orElseGet(() -> outrun(write, count));
            }
            return reply instanceof Reply.Failed failed && failed.fault() == AMBIGUOUS
                    ? doubted(write, failed.cause(), count)
                    : again(reply, count, next -> write(write, next));
        });
    }

    /** Nothing was written at this version, and nothing will be: it has changed. */
    private Step<UpdateOutcome> outrun(Write write, Count count) {
        return count.attempts() < pace.mostAttempts()
                ? new Step.Pause<>(pace.after(count.attempts()), () -> look(count.attempt()))
                : Step.done(new UpdateOutcome.Conflicted(count.attempts(), write.makes() - 1));
    }

    /** The same command cannot be executed twice, because the first one changes the version. */
    private Step<UpdateOutcome> doubted(Write write, MongoException cause, Count count) {
        return count.faults() < MAX_FAULTS
                ? new Step.Pause<>(pace.after(count.faults() + 1), () -> repeat(write, cause, count.fault()))
                : Step.done(new UpdateOutcome.Indeterminate(count.attempts(), cause));
    }

    private Step<UpdateOutcome> repeat(Write write, MongoException cause, Count count) {
        return Step.call(write.op(), reply -> {
            if (reply instanceof Reply.Found found) {
                return found.document()
                        .map(after -> updated(after, count))
                        .orElseGet(() -> askWhose(write, cause, count));
            }
            return reply.failedWith(Fault.DUPLICATE_KEY) ? Step.fail(reply) : doubted(write, cause, count);
        });
    }

    private Step<UpdateOutcome> askWhose(Write write, MongoException cause, Count count) {
        return Step.call(
                target.look("look-whose"),
                reply -> reply instanceof Reply.Found found
                        ? judged(write, found.document(), cause, count)
                        : doubted(write, cause, count));
    }

    private Step<UpdateOutcome> judged(Write write, Optional<BsonDocument> now, MongoException cause, Count count) {
        Optional<BsonValue> maker = now.flatMap(document -> target.fields().makerOf(write.makes(), document));
        if (maker.isEmpty()) {
            return Step.done(new UpdateOutcome.Indeterminate(count.attempts(), cause));
        }
        return maker.get().equals(mark) ? updated(now.orElseThrow(), count) : outrun(write, count);
    }

    private Step<UpdateOutcome> again(Reply reply, Count count, Function<Count, Step<UpdateOutcome>> same) {
        boolean passes = reply instanceof Reply.Failed failed && PASSING.contains(failed.fault());
        return passes && count.faults() < MAX_FAULTS
                ? new Step.Pause<>(pace.after(count.faults() + 1), () -> same.apply(count.fault()))
                : Step.fail(reply);
    }

    private static Step<UpdateOutcome> updated(BsonDocument after, Count count) {
        return Step.done(new UpdateOutcome.Updated(after, count.attempts()));
    }
}
