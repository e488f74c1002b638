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
import org.jspecify.annotations.Nullable;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockRequest;
import org.mongolocks.UpdateConflictException;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.base.FreshIds;
import org.mongolocks.internal.base.UserDocuments;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

/**
 * The decisions of the optimistic collections of both drivers, without I/O.
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

    /** Returns an update of a document, for one run. */
    public Update update(Object id, UnaryOperator<T> change) {
        return new Update(id, change);
    }

    /**
     * One run of an update: read, change, and compare and set; after a lost race wait and read again, up to the bound.
     * A fault is followed by the same command. A write cannot be executed twice, because the first one changes the
     * version. But a write that matches nothing may be the second one, also after a temporary fault, which may be that
     * of the driver's own retry. The mark of its version shows which run wrote that; a version alone does not.
     *
     * <p>A client waits, sends the next command, and reports the reply or the failure, until the run is done.
     */
    public final class Update {
        private final String document;
        private final BsonDocument byId;
        private final UnaryOperator<T> change;
        private final BsonString mark = new BsonString(marks.get().toString());
        private Command next = Command.READ;
        private Optional<Duration> pause = Optional.empty();
        private Optional<T> result = Optional.empty();
        private int reads = 1;
        private int faults;
        private BsonDocument unchanged = new BsonDocument();
        private BsonDocument operators = new BsonDocument();
        /** The version that the write stores. */
        private long version;
        /** The last fault of the write, or the first one after which it may have been executed. */
        private @Nullable MongoException fault;

        private boolean mayBeExecuted;

        private enum Command {
            READ,
            WRITE,
            READ_WRITER,
            NONE
        }

        private Update(Object id, UnaryOperator<T> change) {
            BsonDocument rendered = Filters.eq("_id", id).toBsonDocument(documents.type(), documents.registry());
            this.document = "document " + id + " in '" + collection + "'";
            this.byId = new BsonDocument("_id", new BsonDocument("$eq", rendered.get("_id")));
            this.change = change;
        }

        public boolean isDone() {
            return next == Command.NONE;
        }

        /** Returns the document as it is stored afterwards; empty if it is missing. */
        public Optional<T> result() {
            return result;
        }

        /** Returns how long to wait before the next command. */
        public Optional<Duration> pause() {
            return pause;
        }

        /** Returns the filter of the next command. */
        public BsonDocument filter() {
            return next == Command.WRITE ? unchanged : byId;
        }

        /** Returns the change that the next command makes; empty if it only reads. */
        public Optional<BsonDocument> operators() {
            return next == Command.WRITE ? Optional.of(operators) : Optional.empty();
        }

        public LockTask task() {
            return LockTask.withoutLock("The update of " + document);
        }

        /** Continues with the document that the command has found and changed; runs the function of the user. */
        public void answered(Optional<BsonDocument> found) {
            pause = Optional.empty();
            switch (next) {
                case READ -> found.ifPresentOrElse(this::change, () -> next = Command.NONE);
                case WRITE -> found.ifPresentOrElse(this::done, this::notMatched);
                default -> {
                    BsonValue writer =
                            found.flatMap(now -> fields.writerOf(version, now)).orElseThrow(this::indeterminate);
                    found.filter(now -> writer.equals(mark)).ifPresentOrElse(this::done, this::lostRace);
                }
            }
        }

        /** The function may change its argument, so that is encoded before. */
        private void change(BsonDocument read) {
            version = fields.of(read) + 1;
            fault = null;
            mayBeExecuted = false;
            unchanged = fields.unchanged(read, byId);
            T decoded = documents.decode(read);
            BsonDocument before = documents.encode(decoded);
            T after = Objects.requireNonNull(change.apply(decoded), "The function of an update returned null");
            operators = fields.update(before, documents.encode(after), version, mark);
            next = Command.WRITE;
            if (operators.isEmpty()) {
                done(read);
            }
        }

        private void done(BsonDocument after) {
            result = Optional.of(documents.decode(after));
            next = Command.NONE;
        }

        private void notMatched() {
            if (fault == null) {
                lostRace();
            } else {
                next = Command.READ_WRITER;
            }
        }

        /** Nothing was written at this version, and nothing will be: it has changed. */
        private void lostRace() {
            if (reads >= attempts) {
                throw new UpdateConflictException(document, reads, version - 1);
            }
            pause = Optional.of(waitAfter(reads++));
            next = Command.READ;
        }

        public void failed(Reply.Failed failed) {
            boolean isAmbiguous = mayBeExecuted || failed.fault() == Fault.AMBIGUOUS;
            boolean isLost = next == Command.READ_WRITER
                    || (next == Command.WRITE && isAmbiguous && failed.fault() != Fault.DUPLICATE_KEY);
            fault = mayBeExecuted || next != Command.WRITE ? fault : failed.cause();
            mayBeExecuted |= isLost;
            if (isLost && faults >= MAX_FAULTS) {
                throw indeterminate();
            }
            if (!isLost && (faults >= MAX_FAULTS || !RETRIED.contains(failed.fault()))) {
                throw task().exception(failed);
            }
            pause = Optional.of(waitAfter(++faults));
            next = next == Command.READ ? Command.READ : Command.WRITE;
        }

        private IndeterminateOutcomeException indeterminate() {
            return IndeterminateOutcomeException.ofUpdate(document, Objects.requireNonNull(fault));
        }

        /** Returns the wait after that many attempts or faults. */
        private Duration waitAfter(int tries) {
            Duration doubled = first.multipliedBy(1L << Math.min(tries - 1, MAX_DOUBLINGS));
            return Duration.ofNanos(
                    random.nextLong(Durations.shorter(doubled, cap).toNanos() + 1));
        }
    }
}
