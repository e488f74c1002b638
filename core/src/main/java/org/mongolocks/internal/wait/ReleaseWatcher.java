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
    private static final Duration IDLE_BEFORE_CLOSE = Duration.ofSeconds(5);

    private static final int UNAUTHORIZED = 13;

    private static final Duration MIN_REOPEN_DELAY = Duration.ofMillis(250);
    private static final Duration MAX_REOPEN_DELAY = Duration.ofSeconds(30);

    private final WaiterQueues queues;
    private final ClientSettings settings;
    private final ChangeFeed feed;
    private final JitteredBackoff reopenDelay;
    private final ConnectionShortage shortage;
    private @Nullable OpenStream current;
    private boolean givenUp;
    private int failures;
    private long reopenNanos;
    private long lastNeededNanos;

    ReleaseWatcher(WaiterQueues queues, ClientSettings settings, ChangeFeed feed, ConnectionShortage shortage) {
        this.queues = queues;
        this.settings = settings;
        this.feed = feed;
        this.shortage = shortage;
        this.reopenNanos = settings.time().nanoTime();
        this.reopenDelay = new JitteredBackoff(MIN_REOPEN_DELAY, MAX_REOPEN_DELAY, jitter(settings));
    }

    synchronized boolean isListening() {
        return current != null && current.open;
    }

    /** Opens the stream if necessary: there is a waiter. */
    void ensureOpen() {
        OpenStream next = null;
        synchronized (this) {
            lastNeededNanos = settings.time().nanoTime();
            if (!givenUp && current == null && lastNeededNanos - reopenNanos >= 0 && !shortage.isPausing()) {
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
            givenUp = true;
            last = current;
            current = null;
        }
        if (last != null) {
            last.close();
        }
    }

    /** Differs between clients, and is the same for a client with the same name and time. */
    private static Random jitter(ClientSettings settings) {
        return new Random(settings.instance().hashCode() ^ settings.time().nanoTime());
    }

    private synchronized boolean detach(OpenStream stream) {
        if (current != stream) {
            return false;
        }
        current = null;
        return true;
    }

    private synchronized boolean detachAfter(OpenStream stream, MongoException cause) {
        if (!detach(stream)) {
            return false;
        }
        Fault fault = FaultClassifier.classify(cause);
        givenUp = fault == Fault.UNSUPPORTED || cause.getCode() == UNAUTHORIZED;
        Duration delay = Duration.ofMillis(reopenDelay.apply(++failures));
        reopenNanos = settings.time().nanoTime() + delay.toNanos();
        LOG.log(
                failures == 1 ? INFO : DEBUG,
                "No change stream on collection '" + settings.collection() + "'"
                        + (givenUp ? ", so waiters poll: " : " at present; waiters poll: ") + cause.getMessage());
        return true;
    }

    /** Closes the stream while commands may need its connection; waiters poll meanwhile. */
    private void closeOnShortage(OpenStream stream) {
        if (shortage.mustCloseStreams() && detach(stream)) {
            LOG.log(
                    INFO,
                    "No change stream on collection '" + settings.collection() + "': commands got no reply for half a"
                            + " second. The driver's connection pool may be too small for the stream, or the server"
                            + " slow. Waiters poll for " + shortage.pauseLeft().toSeconds() + " s.");
            stream.closeAndWake();
        }
    }

    private synchronized boolean isIdle(OpenStream stream) {
        Duration idle = Duration.ofNanos(settings.time().nanoTime() - lastNeededNanos);
        return current == stream && idle.compareTo(IDLE_BEFORE_CLOSE) > 0;
    }

    /** An open stream. Its events are ignored after it was closed. */
    private final class OpenStream implements ChangeFeed.Listener {
        private ChangeFeed.@Nullable Subscription subscription;
        private boolean closed;
        private boolean open;

        void start() {
            ChangeFeed.Subscription opened = feed.open(this);
            boolean wasClosed;
            synchronized (ReleaseWatcher.this) {
                subscription = opened;
                wasClosed = closed;
            }
            if (wasClosed) {
                opened.close();
            }
        }

        void close() {
            ChangeFeed.Subscription opened;
            synchronized (ReleaseWatcher.this) {
                closed = true;
                opened = subscription;
            }
            if (opened != null) {
                opened.close();
            }
        }

        @Override
        public void opened() {
            synchronized (ReleaseWatcher.this) {
                open = true;
            }
            queues.onStreamOpened();
        }

        @Override
        public void changed(BsonDocument change) {
            recordSuccess();
            Optional<String> name = ReleaseEvents.lockOf(change);
            if (name.isPresent()) {
                queues.onReleaseEvent(name.get(), ReleaseEvents.time(change));
            } else if (detach(this)) {
                closeAndWake();
                queues.collectionEnded();
            }
            closeIfUnneeded();
        }

        @Override
        public void quiet() {
            recordSuccess();
            closeIfUnneeded();
        }

        /** A stream with traffic never calls {@code quiet}. */
        private void closeIfUnneeded() {
            closeOnShortage(this);
            queues.onStreamActive();
            if (queues.isEmpty() && isIdle(this) && detach(this)) {
                close();
            }
        }

        @Override
        public void failed(MongoException cause) {
            if (detachAfter(this, cause)) {
                closeAndWake();
            }
        }

        /** A successful opening proves little: one driver reports it before the server has replied. */
        private void recordSuccess() {
            synchronized (ReleaseWatcher.this) {
                failures = open ? 0 : failures;
            }
        }

        private void closeAndWake() {
            close();
            queues.wakeAll();
        }
    }
}
