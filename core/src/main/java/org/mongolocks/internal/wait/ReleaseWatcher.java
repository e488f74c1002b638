package org.mongolocks.internal.wait;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import com.mongodb.MongoException;
import com.mongodb.MongoTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientStatus.ChangeStream;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.base.JitteredBackoff;
import org.mongolocks.internal.run.BackgroundLog;
import org.mongolocks.internal.run.Backpressure;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.EventLag;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.time.Timer;
import org.mongolocks.time.Timer.Timeout;

/**
 * The change stream of one client. It is opened for the first waiter, and opened again with a backoff after an error.
 * It is closed at the first event or check more than {@link #IDLE_BEFORE_CLOSE} after a waiter last needed it. After an
 * error that says that change streams are unsupported or not permitted the backoff is long: a role may be granted, or a
 * standalone become a replica set. While commands lack a connection it stays closed. One that gives no sign of life is
 * taken for a failed one: its server may hang, or be gone without a word. It delivers only releases that give a waiter
 * of this client its turn, unless the strategy keeps no lists of waiters. Thread-safe.
 */
final class ReleaseWatcher {
    /** Opening costs a round trip, and a lock that had waiters often gets new ones soon. */
    private static final Duration IDLE_BEFORE_CLOSE = Duration.ofSeconds(5);

    private static final int UNAUTHORIZED = 13;

    private static final Duration MIN_REOPEN_DELAY = Duration.ofMillis(250);
    private static final Duration MAX_REOPEN_DELAY = Duration.ofSeconds(30);
    private static final Duration MIN_REFUSED_DELAY = Duration.ofMinutes(1);
    private static final Duration MAX_REFUSED_DELAY = Duration.ofMinutes(10);

    private final WaiterQueues queues;
    private final ClientSettings settings;
    private final ChangeFeed feed;
    private final Random jitter;
    private final JitteredBackoff reopenBackoff;
    private final JitteredBackoff refusedBackoff;
    private final ConnectionShortage shortage;
    private final EventLag lag;
    private final Duration checkInterval;
    private final Timer timer;
    private final Runnable collectionEnded;
    private @Nullable Stream current;
    private boolean closed;
    private @Nullable MongoException lastFailure;
    private int failures;
    private int refusals;
    private boolean unavailable;
    private long earliestReopenNanos;
    private long lastNeededNanos;

    ReleaseWatcher(WaiterQueues queues, ClientSettings settings, ClientRuns runs, WaiterQueues.Streams streams) {
        this.queues = queues;
        this.settings = settings;
        this.feed = streams.feed();
        this.timer = streams.checks();
        this.collectionEnded = streams.collectionEnded();
        this.shortage = runs.shortage();
        this.lag = runs.lag();
        this.checkInterval = ReleaseEvents.longestAwait(settings);
        this.earliestReopenNanos = settings.time().nanoTime();
        this.jitter = ClientRuns.jitter(settings);
        this.reopenBackoff = new JitteredBackoff(MIN_REOPEN_DELAY, MAX_REOPEN_DELAY, jitter);
        this.refusedBackoff = new JitteredBackoff(MIN_REFUSED_DELAY, MAX_REFUSED_DELAY, jitter);
    }

    synchronized boolean isListening() {
        return current != null && current.open;
    }

    /** Returns whether events are delivered, and in time. */
    boolean isTimely() {
        return isListening() && !lag.isLate();
    }

    synchronized ChangeStream state() {
        if (closed) {
            return new ChangeStream(State.CLOSED, Optional.empty());
        }
        if (feed == ChangeFeed.none()) {
            return new ChangeStream(State.UNAVAILABLE, Optional.of("The driver's client has a timeoutMS of its own"));
        }
        if (current != null) {
            State open = lag.isLate() ? State.LATE : State.OPEN;
            return new ChangeStream(current.open ? open : State.OPENING, Optional.empty());
        }
        if (refusals > 0 && unavailable) {
            return new ChangeStream(State.UNAVAILABLE, failure());
        }
        if (shortage.isPausing()) {
            return new ChangeStream(State.PAUSED, Optional.of("Commands got no reply for half a second"));
        }
        return failures > 0
                ? new ChangeStream(State.FAILED, failure())
                : new ChangeStream(State.IDLE, Optional.empty());
    }

    private Optional<String> failure() {
        return Optional.ofNullable(lastFailure).map(MongoException::getMessage);
    }

    /** Opens a stream unless there is one: there is a waiter. */
    void ensureOpen() {
        if (feed == ChangeFeed.none()) {
            return;
        }
        Stream next = null;
        synchronized (this) {
            lastNeededNanos = settings.time().nanoTime();
            boolean mayOpen = lastNeededNanos - earliestReopenNanos >= 0 && !shortage.isPausing();
            if (current == null && !closed && mayOpen) {
                next = new Stream();
                current = next;
            }
        }
        if (next != null) {
            next.start();
        }
    }

    void close() {
        Stream last;
        synchronized (this) {
            closed = true;
            last = current;
            current = null;
        }
        if (last != null) {
            last.close();
        }
    }

    private synchronized boolean detach(Stream stream) {
        if (current != stream) {
            return false;
        }
        current = null;
        return true;
    }

    private synchronized boolean detachAfter(Stream stream, MongoException cause) {
        if (!detach(stream)) {
            return false;
        }
        lastFailure = cause;
        Fault fault = FaultClassifier.classify(cause);
        unavailable = fault == Fault.UNSUPPORTED || cause.getCode() == UNAUTHORIZED;
        int count = unavailable ? ++refusals : ++failures;
        Duration usual = Duration.ofMillis(unavailable ? refusedBackoff.apply(count) : reopenBackoff.apply(count));
        Duration load = FaultClassifier.isOverload(cause) ? Backpressure.backoff(cause, count, jitter) : Duration.ZERO;
        earliestReopenNanos =
                settings.time().nanoTime() + Durations.longer(load, usual).toNanos();
        return true;
    }

    /** Records that a stream works. */
    private synchronized void forgetFailures() {
        failures = 0;
        refusals = 0;
    }

    private void logFailure(MongoException cause) {
        boolean isFirst;
        synchronized (this) {
            isFirst = unavailable ? refusals == 1 : failures == 1;
        }
        BackgroundLog.log(
                isFirst ? INFO : DEBUG,
                "No change stream on collection '" + settings.collection() + "' at present; waiters poll: "
                        + cause.getMessage());
    }

    /** Closes the stream while commands may need its connection; waiters poll meanwhile. */
    private void closeOnShortage(Stream stream) {
        if (shortage.mustCloseStreams(() -> probe(stream)) && detach(stream)) {
            long seconds = shortage.pauseLeft().plusMillis(999).toSeconds();
            boolean isRepeated = shortage.isRepeated();
            stream.closeAndWake();
            BackgroundLog.log(
                    isRepeated ? DEBUG : INFO,
                    "No change stream on collection '" + settings.collection() + "': commands got no reply for half a"
                            + " second. The driver's connection pool may be too small for the stream, or the server"
                            + " slow. Waiters poll for " + seconds + " s.");
        }
    }

    /** Sends a probe, which is judged as soon as a stall is long enough: the next regular check may be a second later. */
    private CompletableFuture<Void> probe(Stream stream) {
        Timeout unused = timer.schedule(ConnectionShortage.JUDGED_AFTER, () -> closeOnShortage(stream));
        return feed.probe();
    }

    /** One step, so that a waiter that begins to need the stream meanwhile has it, or opens another. */
    private synchronized boolean detachIfIdle(Stream stream) {
        Duration idle = Duration.ofNanos(settings.time().nanoTime() - lastNeededNanos);
        return idle.compareTo(IDLE_BEFORE_CLOSE) > 0 && detach(stream);
    }

    /**
     * One change stream, from the request to open it until it is closed. An event may still arrive shortly after the
     * close: a release then still wakes waiters; a failure is ignored.
     */
    private final class Stream implements ChangeFeed.Listener {
        private ChangeFeed.@Nullable Subscription subscription;
        private boolean closed;
        private boolean open;
        private long openedNanos;
        private Timeout nextCheck = () -> {};
        private boolean heard;
        private int checksInSilence;

        void start() {
            ChangeFeed.Subscription started = feed.open(ReleaseEvents.pipeline(queues.numbers()), this);
            boolean wasClosed;
            synchronized (ReleaseWatcher.this) {
                subscription = started;
                wasClosed = closed;
            }
            if (wasClosed) {
                started.close();
            } else {
                checkLater();
            }
        }

        private void checkLater() {
            Timeout next = timer.schedule(checkInterval, this::check);
            boolean wasClosed;
            synchronized (ReleaseWatcher.this) {
                nextCheck = next;
                wasClosed = closed;
            }
            if (wasClosed) {
                next.cancel();
            }
        }

        private void check() {
            boolean dies = true;
            try {
                if (recordSilence()) {
                    failed(new MongoTimeoutException("Its server gives no sign of life"));
                } else if (lag.needsAnotherStream()) {
                    failed(new MongoTimeoutException("A release had no event, and none has come since"));
                } else {
                    checkLater();
                    continueUnlessUnneeded();
                }
                dies = false;
            } finally {
                if (dies) {
                    failed(new MongoException("The check of the change stream has died"));
                }
            }
        }

        /** A stream that reports quiet time closes itself, which costs a command less. */
        private void continueUnlessUnneeded() {
            if (feed.reportsQuiet()) {
                pollIfLate();
            } else {
                recordSuccess();
                closeIfUnneeded();
            }
        }

        /** Counts checks rather than time, which may have passed while this process was paused. True after too many. */
        private boolean recordSilence() {
            synchronized (ReleaseWatcher.this) {
                checksInSilence = heard ? 0 : checksInSilence + 1;
                heard = false;
                Duration silence = checkInterval.multipliedBy(checksInSilence);
                return feed.reportsQuiet() && silence.compareTo(checkInterval.plus(settings.commandTimeout())) > 0;
            }
        }

        void close() {
            ChangeFeed.Subscription started;
            synchronized (ReleaseWatcher.this) {
                closed = true;
                started = subscription;
                nextCheck.cancel();
            }
            if (started != null) {
                started.close();
            }
        }

        @Override
        public void opened() {
            synchronized (ReleaseWatcher.this) {
                open = true;
                heard = true;
                openedNanos = settings.time().nanoTime();
            }
            shortage.streamOpened();
            lag.streamOpened();
            // A release before that may have given this client its turn.
            queues.wakeAll();
        }

        @Override
        public void changed(BsonDocument change) {
            synchronized (ReleaseWatcher.this) {
                heard = true;
                forgetFailures();
            }
            if (!ReleaseEvents.endsCollection(change)) {
                ReleaseEvents.lockOf(change).ifPresent(name -> {
                    lag.event();
                    queues.onReleaseEvent(name, Release.of(change));
                });
            } else if (detach(this)) {
                closeAndWake();
                collectionEnded.run();
            }
            closeIfUnneeded();
        }

        @Override
        public void quiet() {
            synchronized (ReleaseWatcher.this) {
                heard = true;
            }
            recordSuccess();
            closeIfUnneeded();
        }

        /**
         * Closes the stream if commands may need its connection, or if no waiter needs it. Called after every event
         * too, because a busy stream never calls {@code quiet}.
         */
        private void closeIfUnneeded() {
            closeOnShortage(this);
            pollIfLate();
            if (queues.isEmpty() && detachIfIdle(this)) {
                close();
            }
        }

        /** Wakes the waiters that relied on an event that has not arrived. */
        private void pollIfLate() {
            if (lag.becameLate()) {
                queues.wakeAll();
            }
        }

        @Override
        public void failed(MongoException cause) {
            if (detachAfter(this, cause)) {
                closeAndWake();
                logFailure(cause);
            }
        }

        /**
         * Resets the backoff once the stream has lasted longer than a command may take: the reactive driver reports an
         * opening, and quiet time, before the server has replied.
         */
        private void recordSuccess() {
            synchronized (ReleaseWatcher.this) {
                long lastedNanos = settings.time().nanoTime() - openedNanos;
                if (open && lastedNanos > settings.commandTimeout().toNanos()) {
                    forgetFailures();
                }
            }
        }

        private void closeAndWake() {
            try {
                close();
            } finally {
                queues.wakeAll();
            }
        }
    }
}
