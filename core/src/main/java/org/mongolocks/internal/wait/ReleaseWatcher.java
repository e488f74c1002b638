package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.internal.run.ConnectionShortage;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.run.JitteredBackoff;
import org.mongolocks.spi.Fault;

/**
 * The change stream of one client, which is open while there are waiters: it is opened for the first waiter, opened
 * again after an error, and closed some time after the last. If the deployment does not support change streams, that is
 * tried once. Thread-safe.
 */
final class ReleaseWatcher {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    /** Opening costs a round trip, and a lock that had waiters often gets new ones soon. */
    private static final Duration LINGER = Duration.ofSeconds(5);

    private static final int UNAUTHORIZED = 13;

    private static final Duration FIRST_REOPENING = Duration.ofMillis(250);
    private static final Duration LAST_REOPENING = Duration.ofSeconds(30);

    private final WaiterQueues room;
    private final ClientSettings settings;
    private final ChangeFeed feed;
    private final JitteredBackoff reopening;
    private final ConnectionShortage shortage;
    private @Nullable OpenStream current;
    private boolean ended;
    private int failures;
    private long notBeforeNanos;
    private long wantedNanos;

    ReleaseWatcher(WaiterQueues room, ClientSettings settings, ChangeFeed feed, ConnectionShortage shortage) {
        this.room = room;
        this.settings = settings;
        this.feed = feed;
        this.shortage = shortage;
        this.notBeforeNanos = settings.time().nanoTime();
        this.reopening = new JitteredBackoff(FIRST_REOPENING, LAST_REOPENING, jitter(settings));
    }

    synchronized boolean isListening() {
        return current != null && current.open;
    }

    /** Opens the stream if necessary: there is a waiter. */
    void ensureOpen() {
        OpenStream next = null;
        synchronized (this) {
            wantedNanos = settings.time().nanoTime();
            if (!ended && current == null && wantedNanos - notBeforeNanos >= 0 && !shortage.isKnown()) {
                next = new OpenStream();
                current = next;
            }
        }
        if (next != null) {
            next.start();
        }
    }

    void close() {
        OpenStream last;
        synchronized (this) {
            ended = true;
            last = current;
            current = null;
        }
        if (last != null) {
            last.stop();
        }
    }

    /** Differs between clients, and is the same for a client with the same name and time. */
    private static Random jitter(ClientSettings settings) {
        return new Random(settings.instance().hashCode() ^ settings.time().nanoTime());
    }

    private synchronized boolean pause(OpenStream watching) {
        if (current != watching) {
            return false;
        }
        current = null;
        return true;
    }

    private synchronized boolean pause(OpenStream watching, MongoException cause) {
        if (!pause(watching)) {
            return false;
        }
        Fault fault = FaultClassifier.classify(cause);
        ended = fault == Fault.UNSUPPORTED || cause.getCode() == UNAUTHORIZED;
        Duration pause = Duration.ofMillis(reopening.apply(++failures));
        notBeforeNanos = settings.time().nanoTime() + pause.toNanos();
        LOG.log(
                failures == 1 ? INFO : DEBUG,
                "No change stream on collection '" + settings.collection() + "'"
                        + (ended ? ", so waiters poll: " : " at present; waiters poll: ") + cause.getMessage());
        return true;
    }

    /** Waiters poll while commands may need the connection of the stream. */
    private void leaveConnection(OpenStream watching) {
        if (shortage.leavesNoStream() && pause(watching)) {
            LOG.log(
                    INFO,
                    "No change stream on collection '" + settings.collection() + "': commands got no reply for half a"
                            + " second. The driver's connection pool may be too small for the stream, or the server"
                            + " slow. Waiters poll for " + shortage.pauseLeft().toSeconds() + " s.");
            watching.end();
        }
    }

    private synchronized boolean isIdle(OpenStream watching) {
        Duration idle = Duration.ofNanos(settings.time().nanoTime() - wantedNanos);
        return current == watching && idle.compareTo(LINGER) > 0;
    }

    /** An open stream. Its events are ignored after it was closed. */
    private final class OpenStream implements ChangeStreamListener {
        private ChangeFeed.@Nullable Subscription subscription;
        private boolean stopped;
        private boolean open;

        void start() {
            ChangeFeed.Subscription begun = feed.open(this);
            boolean late;
            synchronized (ReleaseWatcher.this) {
                subscription = begun;
                late = stopped;
            }
            if (late) {
                begun.close();
            }
        }

        void stop() {
            ChangeFeed.Subscription begun;
            synchronized (ReleaseWatcher.this) {
                stopped = true;
                begun = subscription;
            }
            if (begun != null) {
                begun.close();
            }
        }

        @Override
        public void opened() {
            synchronized (ReleaseWatcher.this) {
                open = true;
            }
            room.begins();
        }

        @Override
        public void changed(BsonDocument change) {
            works();
            Optional<String> name = ReleaseEvents.freed(change);
            if (name.isPresent()) {
                room.onReleaseEvent(name.get(), ReleaseEvents.time(change));
            } else if (pause(this)) {
                end();
                room.collectionEnded();
            }
            lookAround();
        }

        @Override
        public void quiet() {
            works();
            lookAround();
        }

        /** A stream with traffic never calls {@code quiet}. */
        private void lookAround() {
            leaveConnection(this);
            room.listens();
            if (room.isEmpty() && isIdle(this) && pause(this)) {
                stop();
            }
        }

        @Override
        public void failed(MongoException cause) {
            endIf(pause(this, cause));
        }

        /** A successful opening proves little: one driver reports it before the server has replied. */
        private void works() {
            synchronized (ReleaseWatcher.this) {
                failures = open ? 0 : failures;
            }
        }

        private void endIf(boolean current) {
            if (current) {
                end();
            }
        }

        private void end() {
            stop();
            room.wakeAll();
        }
    }
}
