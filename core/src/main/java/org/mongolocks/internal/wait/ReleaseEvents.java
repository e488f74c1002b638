package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.INFO;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.spi.LockSchema.LockFields;

/**
 * The events of a change stream that report a release.
 *
 * <p>A release removes the owner from the lock document or deletes the document; one before the minimum hold has passed
 * removes the holder information and shows a new end of the lease. An update by operators is reported with
 * the fields that it removed; one by pipeline, which a strategy of others may send, is reported by MongoDB 4.4 as a
 * replacement with the whole document.
 */
public final class ReleaseEvents {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    private static final Set<String> COLLECTION_EVENTS = Set.of("drop", "rename", "dropDatabase", "invalidate");

    private static final Duration MAX_AWAIT = Duration.ofSeconds(1);

    private ReleaseEvents() {}

    /**
     * Returns the pipeline that selects only releases, and of them only the needed fields.
     *
     * @return the stages after {@code $changeStream}
     */
    public static List<BsonDocument> pipeline() {
        return pipeline(released());
    }

    /**
     * Returns the pipeline that selects only releases of some locks.
     *
     * @param names the stored names of the locks
     * @return the stages after {@code $changeStream}
     */
    static List<BsonDocument> pipeline(Collection<String> names) {
        BsonArray some = new BsonArray(names.stream().map(BsonString::new).toList());
        return pipeline(released().append("documentKey." + LockFields.ID, new BsonDocument("$in", some)));
    }

    private static BsonDocument released() {
        BsonDocument replaced = type("replace")
                .append("fullDocument." + LockFields.OWNER, new BsonDocument("$exists", BsonBoolean.FALSE));
        BsonArray removed = new BsonArray(List.of(new BsonString(LockFields.OWNER), new BsonString(LockFields.HOLDER)));
        BsonDocument updated =
                type("update").append("updateDescription.removedFields", new BsonDocument("$in", removed));
        return new BsonDocument("$or", new BsonArray(List.of(type("delete"), replaced, updated)));
    }

    private static List<BsonDocument> pipeline(BsonDocument released) {
        BsonArray types =
                new BsonArray(COLLECTION_EVENTS.stream().map(BsonString::new).toList());
        BsonDocument collectionEnded = new BsonDocument("operationType", new BsonDocument("$in", types));
        BsonArray any = new BsonArray(List.of(released, collectionEnded));
        return List.of(
                new BsonDocument("$match", new BsonDocument("$or", any)),
                new BsonDocument("$project", included("operationType", "documentKey", "ns", "clusterTime")));
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
     * @param settings the settings of the client
     * @param feed creates the feed
     * @return the feed, or one that delivers nothing
     */
    public static ChangeFeed unlessLimited(
            @Nullable Long timeoutMillis, ClientSettings settings, Supplier<ChangeFeed> feed) {
        if (timeoutMillis == null) {
            return feed.get();
        }
        LOG.log(
                INFO,
                "No change stream on collection '" + settings.collection() + "', so waiters poll: the driver's"
                        + " client has a timeoutMS of its own, with which it does not close a stream that fails");
        return ChangeFeed.none();
    }

    /**
     * Returns which lock an event is about.
     *
     * @param change an event that the pipeline has selected
     * @return the stored name of the lock; empty if the event is about the whole collection
     */
    static Optional<String> lockOf(BsonDocument change) {
        BsonDocument key = change.getDocument("documentKey", new BsonDocument());
        return Optional.ofNullable(key.get(LockFields.ID))
                .filter(BsonValue::isString)
                .map(id -> id.asString().getValue());
    }

    /** Returns the logical time of an event; null if the server does not report it. */
    static @Nullable BsonTimestamp time(BsonDocument change) {
        return change.get("clusterTime") instanceof BsonTimestamp time ? time : null;
    }

    /**
     * Returns how long a stream may wait for an event: less than a command may take.
     *
     * @param settings the settings of the client
     * @return at most a second
     */
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
        /**
         * Starts to open a stream, and returns at once.
         *
         * @param pipeline selects the events: the stages after {@code $changeStream}
         * @param listener called on the stream's own thread
         * @return the handle that closes the stream; the listener may still be called shortly after that
         */
        Subscription open(List<BsonDocument> pipeline, Listener listener);

        /**
         * Returns the feed of a client that only polls.
         *
         * @return a feed that never calls its listener
         */
        static ChangeFeed none() {
            return (pipeline, listener) -> () -> {};
        }

        /** A listener for the events of a change stream. Its methods return quickly. */
        interface Listener {
            /** Handles the opening: every later change will be delivered. */
            void opened();

            /**
             * Handles a change of a lock document, or of their collection.
             *
             * @param change the event, as the pipeline returns it
             */
            void changed(BsonDocument change);

            /** Handles about a second without a change. */
            void quiet();

            /**
             * Handles a stream that failed, or was never opened.
             *
             * @param cause the fault
             */
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
