package org.mongolocks.strategy.optimisticversion;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.mongolocks.spi.Step;

/**
 * An update of one document of a user without a lock: it reads the document, applies a function, and writes the result
 * if the version has not changed since; else it repeats that after a random wait, up to a bound.
 *
 * <pre>{@code
 * OptimisticUpdate deposit = OptimisticUpdate.of("accounts", new BsonInt32(7), account ->
 *         Optional.of(account.append("balance", new BsonInt32(account.getInt32("balance").getValue() + 5))));
 * UpdateOutcome outcome = ProgramRunner.on(mongo, "app").run(deposit::program);
 * }</pre>
 *
 * The document has two more fields, which every writer must use:
 *
 * <pre>{@code
 * {
 *   _id: 7,
 *   balance: 105,
 *   version: NumberLong(12),                            // incremented by each change; missing means 0
 *   versionMarks: [                                     // the writers of the last versions, the newest last
 *     {v: NumberLong(11), by: "0e7c..."}, {v: NumberLong(12), by: "93ab..."}
 *   ]
 * }
 * }</pre>
 *
 * <ol>
 *   <li>Read: {@code find {_id}}. No document: missing.
 *   <li>Change: the function receives a copy. Only the top-level fields in which its result differs are written; other
 *       fields stay as they are. The order of nested fields is a difference, that of the top-level fields is not. No
 *       difference: unchanged.
 *   <li>Compare and set: {@code findAndModify {_id, version: v}} with {@code $set} and {@code $unset} of these fields,
 *       version v + 1, and a mark that is unique to this run. A document in the reply: updated. None: lost the race;
 *       wait, and back to 1, up to the bound; then conflicted.
 *   <li>The reply was lost: retry the same command, which cannot be executed twice, because the first one changes the
 *       version. If it does not match, the mark of v + 1 shows which run wrote that version: this run: updated; another
 *       run: back to 1. Only if {@value #KEPT_MARKS} versions were written meanwhile, or the document was deleted, the
 *       outcome is indeterminate.
 * </ol>
 * A version alone could not show that: another run may have written v + 1. Round trips: 2, as many for each further
 * attempt. Immutable and thread-safe if the function and the generator are.
 */
public final class OptimisticUpdate {
    /** The most marks in a document: a lost reply can be resolved until so many versions later. */
    public static final int KEPT_MARKS = 8;
    /** The default bound of attempts: 10. */
    public static final int DEFAULT_ATTEMPTS = 10;
    /** The default field of the version: {@value}. */
    public static final String DEFAULT_VERSION_FIELD = "version";
    /** The default field of the marks: {@value}. */
    public static final String DEFAULT_MARKS_FIELD = "versionMarks";

    private final VersionedDocument target;
    private final Function<BsonDocument, Optional<BsonDocument>> change;
    private final UpdateBackoff backoff;
    private final Supplier<UUID> marks;

    private OptimisticUpdate(
            VersionedDocument target,
            Function<BsonDocument, Optional<BsonDocument>> change,
            UpdateBackoff backoff,
            Supplier<UUID> marks) {
        this.target = target;
        this.change = change;
        this.backoff = backoff;
        this.marks = marks;
    }

    /**
     * Creates an update.
     *
     * @param collection the collection of the document
     * @param id the {@code _id} of the document
     * @param change returns the document as it should be, from a copy of the document as it is, which it may change; or
     *     empty to write nothing. It is called once for each attempt, on the thread that runs the program, and must not
     *     block. It must not change {@code _id}, version and marks.
     * @return the update
     */
    public static OptimisticUpdate of(
            String collection, BsonValue id, Function<BsonDocument, Optional<BsonDocument>> change) {
        Objects.requireNonNull(collection, "The collection is null");
        Objects.requireNonNull(id, "The id is null");
        Objects.requireNonNull(change, "The change is null");
        VersionedDocument target =
                new VersionedDocument(collection, id, new VersionFields(DEFAULT_VERSION_FIELD, DEFAULT_MARKS_FIELD));
        UpdateBackoff backoff =
                new UpdateBackoff(DEFAULT_ATTEMPTS, Duration.ofMillis(5), Duration.ofMillis(500), new Random());
        return new OptimisticUpdate(target, change, backoff, UUID::randomUUID);
    }

    /**
     * Returns the same update with other fields for the version and the marks. All writers of a document must use the
     * same.
     *
     * @param version the name of a top-level field
     * @param versionMarks the name of another
     * @return the update
     * @throws IllegalArgumentException if a name is empty, is {@code _id} or that of the other field, begins with
     *     {@code $}, or has a dot or a NUL character
     */
    public OptimisticUpdate withFields(String version, String versionMarks) {
        return new OptimisticUpdate(target.with(new VersionFields(version, versionMarks)), change, backoff, marks);
    }

    /**
     * Returns the same update with another bound of attempts.
     *
     * @param most how often the document is read and changed, at least 1
     * @return the update
     * @throws IllegalArgumentException if it is less than 1
     */
    public OptimisticUpdate withAttempts(int most) {
        return new OptimisticUpdate(target, change, backoff.withMaxAttempts(most), marks);
    }

    /**
     * Returns the same update with other waits after a lost race or a fault: a random time from zero up to
     * {@code first}, then up to twice as long each time, and never longer than {@code cap}. The defaults are 5 and 500
     * milliseconds.
     *
     * @param first the bound of the first wait, 1 millisecond or more
     * @param cap the bound of all waits, at least the first
     * @return the update
     * @throws IllegalArgumentException if a bound is out of bounds
     */
    public OptimisticUpdate withWaits(Duration first, Duration cap) {
        return new OptimisticUpdate(target, change, backoff.withWaits(first, cap), marks);
    }

    /**
     * Returns the same update with other sources of randomness, for tests.
     *
     * @param generator the source of the waits; thread-safe
     * @param markSupplier supplies a mark for each run, never the same one twice
     * @return the update
     */
    public OptimisticUpdate withRandomness(RandomGenerator generator, Supplier<UUID> markSupplier) {
        return new OptimisticUpdate(target, change, backoff.withRandom(generator), markSupplier);
    }

    /**
     * Returns the program for one run. Run each program only once, because it has a mark of its own: pass this method
     * to the clients, not its result.
     *
     * @return a program that ends with an outcome, or fails if the server refused, or if the document is larger than 16
     *     MB. It throws
     *     {@link IllegalStateException} if the version of the document is not an integer or its marks are no array,
     *     {@link NullPointerException} if the function returns null instead of an empty result,
     *     {@link IllegalArgumentException} if the function returns a document that cannot be written, and the
     *     exceptions of the function.
     */
    public Step<UpdateOutcome> program() {
        BsonString mark = new BsonString(marks.get().toString());
        return new OptimisticUpdateRun(target, change, backoff, mark).start();
    }
}
