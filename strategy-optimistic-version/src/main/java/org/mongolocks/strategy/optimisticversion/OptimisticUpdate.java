package org.mongolocks.strategy.optimisticversion;

import java.time.Duration;
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
 * Changes one document of a user without a lock: reads it, has it changed, and writes it if its version has not moved since;
 * else again, after a random wait, up to a bound.
 *
 * <pre>{@code
 * OptimisticUpdate deposit = OptimisticUpdate.of("accounts", new BsonInt32(7), account ->
 *         Optional.of(account.append("balance", new BsonInt32(account.getInt32("balance").getValue() + 5))));
 * UpdateOutcome outcome = Programs.on(mongo, "app").run(deposit::program);
 * }</pre>
 *
 * The document has two fields more; every writer has to go by them:
 *
 * <pre>{@code
 * {
 *   _id: 7,
 *   balance: 105,
 *   version: NumberLong(12),                            // one more with each change; missing means 0
 *   versionMarks: [                                     // who made the last versions, the newest last
 *     {v: NumberLong(11), by: "0e7c..."}, {v: NumberLong(12), by: "93ab..."}
 *   ]
 * }
 * }</pre>
 *
 * <ol>
 *   <li>Look: {@code find {_id}}. No document: missing.
 *   <li>Change: the function gets a copy. Only the top-level fields in which its result differs are written; what another
 *       field has stays. No difference: unchanged.
 *   <li>Compare and set: {@code findAndModify {_id, version: v}} with {@code $set} and {@code $unset} of these fields,
 *       version v + 1, and a mark that is this run's alone. A document in the reply: updated. None: another was faster;
 *       wait, and back to 1, up to the bound; then conflicted.
 *   <li>The reply was lost: the same command again, which cannot be done twice, since the version moves with the first. If
 *       it does not match, the mark of v + 1 tells whose that version is: mine, then updated; another's, then back to 1.
 *       Only if {@value #KEPT_MARKS} versions have been made meanwhile, or the document is gone, it is indeterminate.
 * </ol>
 *
 * A version alone could not tell that: v + 1 may be another's. Round trips: 2, as many for each further attempt. Immutable
 * and thread-safe if the function and the generator are.
 */
public final class OptimisticUpdate {
    /** How many marks a document keeps: a lost reply can be settled until so many versions later. */
    public static final int KEPT_MARKS = 8;
    /** How many attempts there are unless another bound is set: 10. */
    public static final int DEFAULT_ATTEMPTS = 10;
    /** The field of the version unless another is chosen: {@value}. */
    public static final String DEFAULT_VERSION_FIELD = "version";
    /** The field of the marks unless another is chosen: {@value}. */
    public static final String DEFAULT_MARKS_FIELD = "versionMarks";

    private final Target target;
    private final Function<BsonDocument, Optional<BsonDocument>> change;
    private final Pace pace;
    private final Supplier<UUID> marks;

    private OptimisticUpdate(
            Target target, Function<BsonDocument, Optional<BsonDocument>> change, Pace pace, Supplier<UUID> marks) {
        this.target = target;
        this.change = change;
        this.pace = pace;
        this.marks = marks;
    }

    /**
     * Describes an update.
     *
     * @param collection the collection of the document
     * @param id its {@code _id}
     * @param change gives the document as it is to be, from a copy of the document as it is, which it may change; or empty
     *     to write nothing. It is called once for each attempt, on the thread that runs the program, and must not block. It
     *     leaves {@code _id}, version and marks as they are.
     * @return the update
     */
    public static OptimisticUpdate of(
            String collection, BsonValue id, Function<BsonDocument, Optional<BsonDocument>> change) {
        Target target = new Target(collection, id, new VersionFields(DEFAULT_VERSION_FIELD, DEFAULT_MARKS_FIELD));
        Pace pace = new Pace(DEFAULT_ATTEMPTS, Duration.ofMillis(5), Duration.ofMillis(500), new Random());
        return new OptimisticUpdate(target, change, pace, UUID::randomUUID);
    }

    /**
     * Chooses other fields for the version and the marks. All writers of a document use the same.
     *
     * @param version the name of a top-level field
     * @param versionMarks the name of another
     * @return the update
     * @throws IllegalArgumentException if a name is empty, is {@code _id} or that of the other field, begins with
     *     {@code $}, or has a dot or a NUL character
     */
    public OptimisticUpdate withFields(String version, String versionMarks) {
        return new OptimisticUpdate(target.with(new VersionFields(version, versionMarks)), change, pace, marks);
    }

    /**
     * Bounds how often the document is read and changed.
     *
     * @param most at least 1
     * @return the update
     * @throws IllegalArgumentException if it is less than 1
     */
    public OptimisticUpdate withAttempts(int most) {
        return new OptimisticUpdate(target, change, pace.upTo(most), marks);
    }

    /**
     * Sets how long to wait after another was faster, or after a fault: a random time from zero up to {@code first}, then
     * up to twice as long each time, and never longer than {@code cap}. The defaults are 5 and 500 milliseconds.
     *
     * @param first the bound of the first wait, 1 millisecond or more
     * @param cap the bound of all, at least the first
     * @return the update
     * @throws IllegalArgumentException if a bound is out of bounds
     */
    public OptimisticUpdate withWaits(Duration first, Duration cap) {
        return new OptimisticUpdate(target, change, pace.waiting(first, cap), marks);
    }

    /**
     * Sets where randomness comes from, for tests.
     *
     * @param generator gives the waits; thread-safe
     * @param unique gives a mark for each run, never the same one twice
     * @return the update
     */
    public OptimisticUpdate withRandomness(RandomGenerator generator, Supplier<UUID> unique) {
        return new OptimisticUpdate(target, change, pace.by(generator), unique);
    }

    /**
     * Gives the program for one run. Run each only once, for it has a mark of its own: pass this method to the clients, and
     * not its result.
     *
     * @return a program that ends with an outcome, or fails if the server refused. It throws {@link IllegalStateException}
     *     if the version of the document is not an integer or its marks are no array, {@link IllegalArgumentException} if
     *     the function returns what cannot be written, and what the function throws.
     */
    public Step<UpdateOutcome> program() {
        BsonString mark = new BsonString(marks.get().toString());
        return new UpdateRun(target, change, pace, mark).start();
    }
}
