package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.INFO;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
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

    private static final String REVISION = "revision";
    private static final String WAITING = "waiting";
    private static final String PLACE = "place";

    private ReleaseEvents() {}

    /**
     * Returns the pipeline that selects only releases, and of them only the needed fields.
     *
     * @return the stages after {@code $changeStream}
     */
    public static List<BsonDocument> pipeline() {
        return pipeline(new Selection(Optional.empty(), true), Optional.empty());
    }

    /**
     * Returns the pipeline that selects some releases, and of them only the needed fields.
     *
     * @param selection the releases
     * @param list the client in the lists of waiting clients, if there are such lists
     * @return the stages after {@code $changeStream}
     */
    static List<BsonDocument> pipeline(Selection selection, Optional<ListMember> list) {
        BsonArray types =
                new BsonArray(COLLECTION_EVENTS.stream().map(BsonString::new).toList());
        BsonDocument collectionEnded = new BsonDocument("operationType", new BsonDocument("$in", types));
        BsonArray any = new BsonArray(List.of(selection.releases(list), collectionEnded));
        BsonDocument fields = included("operationType", "documentKey", "ns", "clusterTime");
        list.ifPresent(member -> fields.putAll(member.fields()));
        return List.of(new BsonDocument("$match", new BsonDocument("$or", any)), new BsonDocument("$project", fields));
    }

    /**
     * The releases that a stream delivers.
     *
     * @param names the stored names of their locks; empty for all locks
     * @param withFarBack whether they include those after which the client is {@linkplain ListMember#NEAR far back} in
     *     the list of waiting clients
     */
    record Selection(Optional<Set<String>> names, boolean withFarBack) {
        boolean includes(String name) {
            return names.map(some -> some.contains(name)).orElse(true);
        }

        private BsonDocument releases(Optional<ListMember> list) {
            BsonDocument replaced = type("replace")
                    .append("fullDocument." + LockFields.OWNER, new BsonDocument("$exists", BsonBoolean.FALSE));
            BsonArray removed =
                    new BsonArray(List.of(new BsonString(LockFields.OWNER), new BsonString(LockFields.HOLDER)));
            BsonDocument updated =
                    type("update").append("updateDescription.removedFields", new BsonDocument("$in", removed));
            if (!withFarBack) {
                list.ifPresent(member -> updated.append("$or", member.notFarBack()));
            }
            BsonDocument released = new BsonDocument("$or", new BsonArray(List.of(type("delete"), replaced, updated)));
            names.ifPresent(some -> released.append("documentKey." + LockFields.ID, isOneOf(some)));
            return released;
        }

        private static BsonDocument isOneOf(Set<String> names) {
            return new BsonDocument(
                    "$in", new BsonArray(names.stream().map(BsonString::new).toList()));
        }
    }

    /**
     * A client that is in the lists of waiting clients, see {@link org.mongolocks.spi.LockStrategy#waitingList}.
     *
     * @param client the number of the client
     * @param revisionField the field of a lock document that counts changes
     */
    record ListMember(long client, String revisionField) {
        /**
         * How many clients at the beginning of a list are notified of a release, besides the one that has its turn. A
         * client is far back if at least so many are before it.
         */
        static final int NEAR = 4;

        private static final String CHANGED = "updateDescription.updatedFields.";
        private static final String WAITING_NOW = CHANGED + LockFields.WAITING;
        private static final BsonString LIST = new BsonString("$" + WAITING_NOW);

        /** A release that removes the first client of a list sets the rest of it; other releases do not change it. */
        private BsonDocument fields() {
            return new BsonDocument(REVISION, new BsonString("$" + CHANGED + revisionField))
                    .append(WAITING, ifList(new BsonDocument("$size", LIST)))
                    .append(PLACE, ifList(new BsonDocument("$indexOfArray", new BsonArray(List.of(LIST, number())))));
        }

        private static BsonDocument ifList(BsonDocument value) {
            BsonArray choice = new BsonArray(List.of(new BsonDocument("$isArray", LIST), value, BsonNull.VALUE));
            return new BsonDocument("$cond", choice);
        }

        /**
         * Returns the alternatives of which one is true unless the event shows a list with this client far back: the
         * list is short or missing, or the client is not in it, or near its beginning.
         */
        private BsonArray notFarBack() {
            BsonArray any = new BsonArray();
            any.add(new BsonDocument(WAITING_NOW + "." + NEAR, new BsonDocument("$exists", BsonBoolean.FALSE)));
            any.add(new BsonDocument(WAITING_NOW, new BsonDocument("$ne", number())));
            for (int place = 0; place < NEAR; place++) {
                any.add(new BsonDocument(WAITING_NOW + "." + place, number()));
            }
            return any;
        }

        private BsonInt64 number() {
            return new BsonInt64(client);
        }
    }

    /**
     * One release.
     *
     * @param at the logical time of the event, null if the server does not report it
     * @param revision the revision of the lock after the release; zero if the event does not show it
     * @param waiting how many clients wait after the first one was removed; empty if no client was removed
     * @param place how many of them are before this client; empty if it is not in the list
     */
    record Release(@Nullable BsonTimestamp at, long revision, OptionalInt waiting, OptionalInt place) {
        static Release of(BsonDocument change) {
            BsonTimestamp at = change.get("clusterTime") instanceof BsonTimestamp time ? time : null;
            return new Release(
                    at,
                    change.get(REVISION) instanceof BsonNumber revision ? revision.longValue() : 0,
                    number(change, WAITING),
                    number(change, PLACE));
        }

        /** Returns whether it removed the first client of a list. */
        boolean hasList() {
            return waiting.isPresent();
        }

        /** Returns whether the lock had that revision, or a larger one, only after the release. */
        boolean isBefore(long other) {
            return revision > 0 && revision < other;
        }

        OptionalLong revisionSeen() {
            return revision > 0 ? OptionalLong.of(revision) : OptionalLong.empty();
        }

        private static OptionalInt number(BsonDocument change, String field) {
            return change.get(field) instanceof BsonNumber number && number.intValue() >= 0
                    ? OptionalInt.of(number.intValue())
                    : OptionalInt.empty();
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
         * Returns the feed of a client that only polls.
         *
         * @return the feed, always the same, which never calls its listener
         */
        static ChangeFeed none() {
            return NONE;
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

            /** Handles a reply of the server without a change, after about a second. */
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
