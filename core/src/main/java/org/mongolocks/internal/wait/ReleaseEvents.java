package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.INFO;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.LockSchema.LockFields;

/**
 * The events of a change stream that report a release.
 *
 * <p>If the strategy keeps lists of waiters, a release with waiters sets the list of the first, by which it is
 * selected, and shows a new lease if the minimum hold has not passed. Without lists a release is known by what it
 * removes: the document, the owner, or, before the minimum hold has passed, the holder information. An update by
 * operators is reported with the fields that it set and removed. One by pipeline is reported as a replacement with the
 * whole document by MongoDB 4.4, and later where the difference is not smaller.
 *
 * <p>Where the first of a list leaves it, all numbers move, which MongoDB reports as the whole list. Where another one leaves, or
 * one joins, MongoDB since 5.0 reports only the numbers that moved: not selected, as the first was notified before.
 */
public final class ReleaseEvents {
    private static final Set<String> COLLECTION_EVENTS = Set.of("drop", "rename", "dropDatabase", "invalidate");

    private static final Duration MAX_AWAIT = Duration.ofSeconds(1);

    private static final String REVISION = "revision";
    private static final String TURN = "turn";
    private static final String HELD_MILLIS = "heldMillis";
    private static final String CHANGED = "updateDescription.updatedFields.";
    private static final String REPLACED = "fullDocument.";

    private ReleaseEvents() {}

    /** Returns the stages after {@code $changeStream} that select only releases, and of them only the needed fields. */
    public static List<BsonDocument> pipeline() {
        return pipeline(Optional.empty());
    }

    /**
     * Returns the pipeline that selects the releases that a client needs, and of them only the needed fields.
     *
     * @param own the numbers of the client, whose turns are selected; empty if the strategy keeps no lists of waiters: then
     *     all releases are selected
     * @return the stages after {@code $changeStream}
     */
    static List<BsonDocument> pipeline(Optional<Numbers> own) {
        BsonArray types =
                new BsonArray(COLLECTION_EVENTS.stream().map(BsonString::new).toList());
        BsonDocument collectionEnded = new BsonDocument("operationType", new BsonDocument("$in", types));
        BsonArray any = own.map(Numbers::turns).orElseGet(ReleaseEvents::releases);
        any.add(collectionEnded);
        BsonDocument fields = included("operationType", "documentKey", "ns");
        own.ifPresent(numbers -> fields.putAll(numbers.fields()));
        return List.of(new BsonDocument("$match", new BsonDocument("$or", any)), new BsonDocument("$project", fields));
    }

    private static BsonArray releases() {
        BsonDocument replaced =
                type("replace").append(REPLACED + LockFields.OWNER, new BsonDocument("$exists", BsonBoolean.FALSE));
        BsonArray removed = new BsonArray(List.of(new BsonString(LockFields.OWNER), new BsonString(LockFields.HOLDER)));
        BsonDocument updated =
                type("update").append("updateDescription.removedFields", new BsonDocument("$in", removed));
        return new BsonArray(List.of(type("delete"), replaced, updated));
    }

    /**
     * The numbers of the waiters of one client in the {@linkplain org.mongolocks.spi.LockStrategy#waitingList lists of
     * waiters}.
     *
     * @param first the first of {@value #COUNT} numbers
     * @param revisionField the field of a lock document that counts changes
     */
    record Numbers(long first, String revisionField) {
        /** How many numbers a client has: more than waiters at one time. */
        static final long COUNT = 1L << 20;

        /** An update by pipeline may be reported as a replacement. */
        private BsonArray turns() {
            BsonDocument isOwn =
                    new BsonDocument("$gte", new BsonInt64(first)).append("$lt", new BsonInt64(first + COUNT));
            BsonDocument hasOwn = new BsonDocument("$elemMatch", isOwn);
            return new BsonArray(List.of(
                    type("update").append(CHANGED + LockFields.TURN, hasOwn),
                    type("replace").append(REPLACED + LockFields.TURN, hasOwn)));
        }

        private BsonDocument fields() {
            return new BsonDocument(REVISION, either(revisionField))
                    .append(TURN, either(LockFields.TURN))
                    .append(HELD_MILLIS, new BsonString("$" + CHANGED + LockFields.LEASE_MILLIS));
        }

        private static BsonDocument either(String field) {
            BsonArray both = new BsonArray(
                    List.of(new BsonString("$" + CHANGED + field), new BsonString("$" + REPLACED + field)));
            return new BsonDocument("$ifNull", both);
        }
    }

    /**
     * One release.
     *
     * @param revision the revision of the lock after the release; zero if the event does not show it
     * @param turn the numbers of the first waiters; empty if the event shows no list
     * @param heldFor how long the lock stays held: the minimum hold has not passed
     */
    record Release(long revision, List<Long> turn, Duration heldFor) {
        static Release of(BsonDocument change) {
            List<Long> turn = change.get(TURN) instanceof BsonArray numbers
                    ? numbers.stream()
                            .map(number -> number.asNumber().longValue())
                            .toList()
                    : List.of();
            return new Release(number(change, REVISION), turn, Duration.ofMillis(number(change, HELD_MILLIS)));
        }

        private static long number(BsonDocument change, String field) {
            return change.get(field) instanceof BsonNumber number ? number.longValue() : 0;
        }
    }

    /**
     * Returns the feed of a client: none, so that waiters poll, if the driver's client has a time limit (timeoutMS).
     *
     * <p>With a limit, which cannot be removed from a stream, the driver resumes a broken stream on the server that it
     * had chosen before, repeatedly until the limit. While that server's connection pool is closed this keeps a
     * processor busy, and overflows the stack of the reactive driver. Without a limit the driver tries twice, the
     * stream fails, and it is opened again.
     *
     * @param timeoutMillis the time limit of the driver's client, or null for none
     * @param feed creates the feed
     * @return the feed, or one that delivers nothing
     */
    public static ChangeFeed unlessLimited(
            @Nullable Long timeoutMillis, ClientSettings settings, Supplier<ChangeFeed> feed) {
        if (timeoutMillis == null) {
            return feed.get();
        }
        System.getLogger("org.mongolocks")
                .log(
                        INFO,
                        "No change stream on collection '" + settings.collection() + "', so waiters poll: the driver's"
                                + " client has a timeoutMS of its own, with which it does not close a stream that fails");
        return ChangeFeed.none();
    }

    /** Refuses a stream on a client of the driver with a time limit, which may replace one without below a proxy. */
    public static void requireUnlimited(@Nullable Long timeoutMillis) {
        if (timeoutMillis != null) {
            throw new MongoClientException("The driver's client has a timeoutMS of its own");
        }
    }

    /**
     * Returns which lock an event is about.
     *
     * @param change an event that the pipeline has selected
     * @return the stored name of the lock; empty if the event is about the whole collection, or a document that is no
     *     lock
     */
    static Optional<String> lockOf(BsonDocument change) {
        BsonDocument key = change.getDocument("documentKey", new BsonDocument());
        return Optional.ofNullable(key.get(LockFields.ID))
                .filter(BsonValue::isString)
                .map(id -> id.asString().getValue());
    }

    /** Returns whether an event that the pipeline has selected is the end of the whole collection. */
    static boolean endsCollection(BsonDocument change) {
        return COLLECTION_EVENTS.contains(
                change.getString("operationType", new BsonString("")).getValue());
    }

    /** Returns how long a stream may wait for an event: less than a command may take, at most a second. */
    public static Duration longestAwait(ClientSettings settings) {
        Duration half = settings.commandTimeout().dividedBy(2);
        return half.compareTo(MAX_AWAIT) < 0 ? half : MAX_AWAIT;
    }

    private static BsonDocument type(String operationType) {
        return new BsonDocument("operationType", new BsonString(operationType));
    }

    private static BsonDocument included(String... fields) {
        BsonDocument projection = new BsonDocument();
        Stream.of(fields).forEach(field -> projection.append(field, new BsonInt32(1)));
        return projection;
    }

    /** A source of change streams on the collection of the lock documents; each driver has one. */
    @FunctionalInterface
    public interface ChangeFeed {
        /** See {@link #none()}. */
        ChangeFeed NONE = (pipeline, listener) -> () -> {};

        /**
         * Starts to open a stream, and returns at once.
         *
         * @param pipeline selects the events: the stages after {@code $changeStream}
         * @param listener called on the stream's own thread
         * @return the handle that closes the stream; the listener may still be called shortly after that
         */
        Subscription open(List<BsonDocument> pipeline, Listener listener);

        /**
         * Returns whether a listener hears of each reply of the server, also of one without a change.
         *
         * @return true if a stream that works is not silent for longer than a command may take; false if it is silent
         *     until the next change
         */
        default boolean reportsQuiet() {
            return false;
        }

        /**
         * Sends a cheap command, at once and without blocking, on a connection of the pool that the streams use. Here
         * it has failed, as if the pool gave no connection.
         */
        default CompletableFuture<Void> probe() {
            return CompletableFuture.failedFuture(new UnsupportedOperationException("This feed cannot probe its pool"));
        }

        /** Returns the feed of a client that only polls: always the same, which never calls its listener. */
        static ChangeFeed none() {
            return NONE;
        }

        /** A listener for the events of a change stream. Its methods return quickly. */
        interface Listener {
            /** Handles the opening: every later change will be delivered. */
            void opened();

            /** Handles a change of a lock document, or of their collection, as the pipeline returns it. */
            void changed(BsonDocument change);

            /** Handles a reply of the server without a change, after about a second. */
            void quiet();

            /** Handles a stream that failed, or was never opened. */
            void failed(MongoException cause);
        }

        /** An open stream. */
        @FunctionalInterface
        interface Subscription extends AutoCloseable {
            /** Closes the stream. Further calls have no effect. */
            @Override
            void close();
        }
    }
}
