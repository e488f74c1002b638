package org.mongolocks.internal.optimistic;

import com.mongodb.MongoException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockRequest;
import org.mongolocks.UpdateConflictException;
import org.mongolocks.internal.base.FreshIds;
import org.mongolocks.internal.base.UserDocuments;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/**
 * The shared logic of the optimistic collections of both drivers: the program of an update, and what its outcome means.
 *
 * @param random the source of the waits: a random part of a bound that doubles (full jitter); thread-safe
 * @param marks supplies a mark for each run, never the same one twice
 */
public record OptimisticDocuments<T>(
        MongoNamespace collection,
        UserDocuments<T> documents,
        VersionFields fields,
        int attempts,
        Duration first,
        Duration cap,
        RandomGenerator random,
        Supplier<UUID> marks) {
    /** The most commands that may fail in one run. */
    private static final int MAX_FAULTS = 5;

    private static final int MAX_DOUBLINGS = 20;
    private static final String LABEL = "optimistic-update/";
    private static final Duration MIN_FIRST = Duration.ofMillis(1);
    private static final Set<Fault> RETRIED = Set.of(Fault.TRANSIENT, Fault.NOT_SENT, Fault.WRITE_CONFLICT);

    public OptimisticDocuments {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, was " + attempts);
        }
        Objects.requireNonNull(first, "The first wait is null");
        Objects.requireNonNull(cap, "The cap of the waits is null");
        if (first.compareTo(MIN_FIRST) < 0 || cap.compareTo(first) < 0 || cap.compareTo(LockRequest.MAX_WAIT) > 0) {
            throw new IllegalArgumentException("first wait must be from 1 ms to the cap, and the cap at most "
                    + LockRequest.MAX_WAIT + ", was " + first + " to " + cap);
        }
    }

    public static <T> OptimisticDocuments<T> of(MongoNamespace collection, Class<T> type, CodecRegistry codecs) {
        return new OptimisticDocuments<>(
                collection,
                UserDocuments.of(type, codecs),
                new VersionFields("version", "versionMarks"),
                10,
                Duration.ofMillis(5),
                Duration.ofMillis(500),
                new Random(),
                FreshIds::next);
    }

    public OptimisticDocuments<T> withFields(String version, String versionMarks) {
        VersionFields others = new VersionFields(version, versionMarks);
        return new OptimisticDocuments<>(collection, documents, others, attempts, first, cap, random, marks);
    }

    public OptimisticDocuments<T> withAttempts(int most) {
        return new OptimisticDocuments<>(collection, documents, fields, most, first, cap, random, marks);
    }

    public OptimisticDocuments<T> withWaits(Duration from, Duration to) {
        return new OptimisticDocuments<>(collection, documents, fields, attempts, from, to, random, marks);
    }

    /** Returns the same documents with other sources of randomness, for tests. */
    public OptimisticDocuments<T> withRandomness(RandomGenerator generator, Supplier<UUID> markSupplier) {
        return new OptimisticDocuments<>(collection, documents, fields, attempts, first, cap, generator, markSupplier);
    }

    /** Returns the codecs for the user's types and BSON. */
    public CodecRegistry registry() {
        return documents.registry();
    }

    /** Returns a phrase for the document in messages. */
    public String describe(Object id) {
        return "document " + id + " in '" + collection + "'";
    }

    /**
     * Returns the program of one run, which is run once. It throws the exceptions of the function, {@link
     * NullPointerException} if that returns null, {@link IllegalArgumentException} if its result cannot be written, and
     * {@link IllegalStateException} if the version of the document is not an integer or its marks are no array.
     */
    public Step<UpdateOutcome> program(Object id, UnaryOperator<T> change) {
        BsonDocument rendered = Filters.eq("_id", id).toBsonDocument(documents.type(), documents.registry());
        return new Run(new BsonDocument("_id", new BsonDocument("$eq", rendered.get("_id"))), change).read();
    }

    /**
     * Returns the document after a run; empty if it is missing.
     *
     * @throws UpdateConflictException if the run lost every race
     * @throws IndeterminateOutcomeException if the reply to the write was lost
     */
    public Optional<T> result(Object id, UpdateOutcome outcome) {
        if (outcome instanceof UpdateOutcome.Conflicted conflicted) {
            throw new UpdateConflictException(describe(id), conflicted.attempts(), conflicted.lastVersion());
        }
        if (outcome instanceof UpdateOutcome.Indeterminate indeterminate) {
            throw IndeterminateOutcomeException.ofUpdate(describe(id), indeterminate.cause());
        }
        if (outcome instanceof UpdateOutcome.Updated updated) {
            return Optional.of(documents.decode(updated.document()));
        }
        return outcome instanceof UpdateOutcome.Unchanged unchanged
                ? Optional.of(documents.decode(unchanged.document()))
                : Optional.empty();
    }

    /**
     * One run: read, change, and compare and set; after a lost race wait and read again, up to the bound. A fault is
     * followed by the same command. A write cannot be executed twice, because the first one changes the version; but if
     * it then matches nothing, that may be the second one, also after a temporary fault, which may be that of the
     * driver's own retry. The mark of its version shows which run wrote that; a version alone does not.
     */
    private final class Run {
        private final BsonDocument byId;
        private final UnaryOperator<T> change;
        private final BsonString mark = new BsonString(marks.get().toString());
        private int reads = 1;
        private int faults;

        /** A write of a version, with the last fault, or the one after which no reply shows that it was not executed. */
        private record Write(MongoOp op, long version, Optional<MongoException> fault, boolean isLost) {
            Write after(MongoException cause, boolean lost) {
                return isLost ? this : new Write(op, version, Optional.of(cause), lost);
            }
        }

        Run(BsonDocument byId, UnaryOperator<T> change) {
            this.byId = byId;
            this.change = change;
        }

        Step<UpdateOutcome> read() {
            return Step.call(
                    find("read"),
                    reply -> reply instanceof Reply.Found found
                            ? found.document()
                                    .map(this::changed)
                                    .orElseGet(() -> Step.done(new UpdateOutcome.Missing()))
                            : retry(reply, this::read));
        }

        private MongoOp find(String place) {
            return new MongoOp.FindOne(LABEL + place, collection.getCollectionName(), byId, Optional.empty());
        }

        /** The function may change its argument, so that is encoded before. */
        private Step<UpdateOutcome> changed(BsonDocument read) {
            long next = fields.of(read) + 1;
            BsonDocument unchanged = fields.unchanged(read, byId);
            T document = documents.decode(read);
            BsonDocument before = documents.encode(document);
            T after = Objects.requireNonNull(change.apply(document), "The function of an update returned null");
            BsonDocument update = fields.update(before, documents.encode(after), next, mark);
            return update.isEmpty()
                    ? Step.done(new UpdateOutcome.Unchanged(read))
                    : write(new Write(compareAndSet(unchanged, update), next, Optional.empty(), false));
        }

        private MongoOp compareAndSet(BsonDocument unchanged, BsonDocument update) {
            return new MongoOp.FindOneAndUpdate(
                    LABEL + "compare-and-set",
                    collection.getCollectionName(),
                    unchanged,
                    UpdateSpec.operators(update),
                    false);
        }

        private Step<UpdateOutcome> write(Write write) {
            return Step.call(write.op(), reply -> {
                if (reply instanceof Reply.Failed failed) {
                    Fault fault = failed.fault();
                    return fault == Fault.AMBIGUOUS || (write.isLost() && fault != Fault.DUPLICATE_KEY)
                            ? afterLostReply(write.after(failed.cause(), true))
                            : retry(reply, () -> write(write.after(failed.cause(), false)));
                }
                Optional<BsonDocument> after = ((Reply.Found) reply).document();
                return after.map(this::updated)
                        .orElseGet(() -> write.fault().isPresent() ? readWriter(write) : lostRace(write));
            });
        }

        /** Nothing was written at this version, and nothing will be: it has changed. */
        private Step<UpdateOutcome> lostRace(Write write) {
            return reads < attempts
                    ? new Step.Pause<>(waitAfter(reads++), this::read)
                    : Step.done(new UpdateOutcome.Conflicted(reads, write.version() - 1));
        }

        private Step<UpdateOutcome> afterLostReply(Write write) {
            return faults < MAX_FAULTS
                    ? new Step.Pause<>(waitAfter(++faults), () -> write(write))
                    : indeterminate(write);
        }

        private Step<UpdateOutcome> readWriter(Write write) {
            return Step.call(find("read-writer"), reply -> {
                if (!(reply instanceof Reply.Found found)) {
                    return afterLostReply(write.after(write.fault().orElseThrow(), true));
                }
                Optional<BsonValue> writer = found.document().flatMap(now -> fields.writerOf(write.version(), now));
                return writer.map(
                                by -> by.equals(mark) ? updated(found.document().orElseThrow()) : lostRace(write))
                        .orElseGet(() -> indeterminate(write));
            });
        }

        private Step<UpdateOutcome> retry(Reply reply, Supplier<Step<UpdateOutcome>> same) {
            boolean isRetried = reply instanceof Reply.Failed failed && RETRIED.contains(failed.fault());
            return isRetried && faults < MAX_FAULTS ? new Step.Pause<>(waitAfter(++faults), same) : Step.fail(reply);
        }

        private Step<UpdateOutcome> updated(BsonDocument after) {
            return Step.done(new UpdateOutcome.Updated(after, reads));
        }

        private Step<UpdateOutcome> indeterminate(Write write) {
            return Step.done(
                    new UpdateOutcome.Indeterminate(reads, write.fault().orElseThrow()));
        }

        /** Returns the wait after that many attempts or faults. */
        private Duration waitAfter(int tries) {
            Duration doubled = first.multipliedBy(1L << Math.min(tries - 1, MAX_DOUBLINGS));
            Duration bound = doubled.compareTo(cap) < 0 ? doubled : cap;
            return Duration.ofNanos(random.nextLong(bound.toNanos() + 1));
        }
    }
}
