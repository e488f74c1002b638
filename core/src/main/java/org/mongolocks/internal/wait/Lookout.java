package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import org.mongolocks.internal.run.ConnectionShortage;
import org.mongolocks.internal.run.Faults;
import org.mongolocks.internal.run.JitteredBackoff;
import com.mongodb.MongoException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings;
import org.mongolocks.spi.Fault;

/**
 * The change stream of one client, which is open while there are waiters: it is opened for the first waiter, opened
 * again after an error, and closed some time after the last. If the deployment does not support change streams, that is
 * tried once. Thread-safe.
 */
final class Lookout {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    /** Opening costs a round trip, and a lock that had waiters often gets new ones soon. */
    private static final Duration LINGER = Duration.ofSeconds(5);

    private static final int UNAUTHORIZED = 13;

    private static final Duration FIRST_REOPENING = Duration.ofMillis(250);
    private static final Duration LAST_REOPENING = Duration.ofSeconds(30);

    private final WaitingRoom room;
    private final ClientSettings settings;
    private final ChangeFeed feed;
    private final JitteredBackoff reopening;
    private final ConnectionShortage shortage;
    private @Nullable Watching current;
    private boolean ended;
    private int failures;
    private long notBeforeNanos;
    private long wantedNanos;

    Lookout(WaitingRoom room, ClientSettings settings, ChangeFeed feed, ConnectionShortage shortage) {
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
    void wanted() {
        Watching next = null;
        synchronized (this) {
            wantedNanos = settings.time().nanoTime();
            if (!ended && current == null && wantedNanos - notBeforeNanos >= 0 && !shortage.isKnown()) {
                next = new Watching();
                current = next;
            }
        }
        if (next != null) {
            next.start();
        }
    }

    void close() {
        Watching last;
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

    private synchronized boolean letGo(Watching watching) {
        if (current != watching) {
            return false;
        }
        current = null;
        return true;
    }

    private synchronized boolean letGo(Watching watching, MongoException cause) {
        if (!letGo(watching)) {
            return false;
        }
        Fault fault = Faults.classify(cause);
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
    private void leaveConnection(Watching watching) {
        if (shortage.leavesNoStream() && letGo(watching)) {
            LOG.log(
                    INFO,
                    "No change stream on collection '" + settings.collection() + "': commands got no reply for half a"
                            + " second. The driver's connection pool may be too small for the stream, or the server"
                            + " slow. Waiters poll for " + shortage.pauseLeft().toSeconds() + " s.");
            watching.end();
        }
    }

    private synchronized boolean isIdle(Watching watching) {
        Duration idle = Duration.ofNanos(settings.time().nanoTime() - wantedNanos);
        return current == watching && idle.compareTo(LINGER) > 0;
    }

    /** An open stream. Its events are ignored after it was closed. */
    private final class Watching implements ChangeListener {
        private ChangeFeed.@Nullable Subscription subscription;
        private boolean stopped;
        private boolean open;

        void start() {
            ChangeFeed.Subscription begun = feed.open(this);
            boolean late;
            synchronized (Lookout.this) {
                subscription = begun;
                late = stopped;
            }
            if (late) {
                begun.close();
            }
        }

        void stop() {
            ChangeFeed.Subscription begun;
            synchronized (Lookout.this) {
                stopped = true;
                begun = subscription;
            }
            if (begun != null) {
                begun.close();
            }
        }

        @Override
        public void opened() {
            synchronized (Lookout.this) {
                open = true;
            }
            room.begins();
        }

        @Override
        public void changed(BsonDocument change) {
            works();
            Optional<String> name = LockChanges.freed(change);
            if (name.isPresent()) {
                room.told(name.get(), LockChanges.time(change));
            } else if (letGo(this)) {
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
            if (room.isEmpty() && isIdle(this) && letGo(this)) {
                stop();
            }
        }

        @Override
        public void failed(MongoException cause) {
            endIf(letGo(this, cause));
        }

        /** A successful opening proves little: one driver reports it before the server has replied. */
        private void works() {
            synchronized (Lookout.this) {
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
            room.anyFreed();
        }
    }
}
