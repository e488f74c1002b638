package org.mongolocks.internal.run;

import static java.lang.System.Logger.Level.WARNING;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockName;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * The runs of one client, whichever the driver: the time limit of their commands, the names of their collections, the
 * timer of their pauses, and what is in flight, namely sessions, for whose end the close of the client waits, and the
 * commands in them. It decides what a missing reply means, and it passes the time, the end and the reply of each
 * command to the measurements of the client: of the connections and the events. Thread-safe.
 *
 * <p>A write without a reply is judged by the transaction number of its session. The driver numbers a retryable write
 * when it has found a server and a connection for it, just before the send; and in one session a server refuses a write
 * whose number is below the newest. So, on a client whose writes are numbered, a write without a number was never sent,
 * and a write with a number may still be executed, but no longer once a write with a newer number has been executed in
 * the same session. On a client whose writes are not numbered ({@code retryWrites=false}, a standalone) neither is
 * known. A read without a reply changes nothing.
 */
public final class ClientRuns {
    /** Longer than any pause: the timer ends it. */
    private static final Duration BY_TIMER = Duration.ofDays(400);

    private final ClientSettings settings;
    private final Map<String, String> collections = new ConcurrentHashMap<>();
    private final TimeSource time;
    private final ConnectionShortage shortage;
    private final EventLag lag;
    private final Backpressure pressure;
    private final AtomicBoolean closeReported = new AtomicBoolean();
    private final List<CompletableFuture<Void>> awaitingIdle = new ArrayList<>();
    private int sessions;
    private long slowestWriteNanos;
    private volatile ServerDescription server = ServerDescription.UNKNOWN;
    private volatile boolean numbersWrites;
    private volatile boolean isReplaced;

    /** Creates the runs of a lock client: none yet. */
    public ClientRuns(ClientSettings settings, ConnectionShortage shortage) {
        this.settings = settings;
        this.time = settings.time();
        this.shortage = shortage;
        this.lag = new EventLag(time);
        this.pressure = new Backpressure(time, jitter(settings));
    }

    /**
     * How a runner waits for the end of a pause.
     *
     * @param atMost how long to wait at most, in real time
     * @param signal ends the wait earlier when it completes, if present
     */
    public record PauseWait(Duration atMost, Optional<CompletableFuture<Void>> signal) {}

    /**
     * Returns a random source that is seeded with the client's instance and clock, so that clients differ and tests
     * repeat.
     */
    public static Random jitter(ClientSettings settings) {
        return new Random(settings.instance().hashCode() ^ settings.time().nanoTime());
    }

    /** Returns what observes the pool of the driver's client. */
    public ConnectionShortage shortage() {
        return shortage;
    }

    /** Returns what delays commands while the server is overloaded. */
    public Backpressure pressure() {
        return pressure;
    }

    /** Returns what measures how late events are, for the runs of a lock client. */
    public EventLag lag() {
        return lag;
    }

    /** Returns what is known about the server. */
    public ServerDescription server() {
        return server;
    }

    /** Records the server's reply to a {@link MongoOp.Hello}. */
    public void recordServer(BsonDocument hello) {
        server = ServerDescription.of(hello);
        if (server.isRouter()) {
            lag.recordRouter();
        }
    }

    /** The fault of a command that the driver refuses, because its client was closed. */
    static final class DriverClosedException extends MongoClientException {
        private static final long serialVersionUID = 1L;

        DriverClosedException(IllegalStateException refusal) {
            super("the MongoClient is closed", refusal);
        }
    }

    /** Returns whether a command failed because the driver's client is closed. */
    public static boolean isDriverClosed(Reply.Failed failure) {
        return failure.cause() instanceof DriverClosedException;
    }

    /**
     * Returns the reply for a command that was not sent because the driver's client is closed. The first one is logged:
     * renewals and releases have no caller to report it to.
     */
    public Reply.Failed driverClosed(LockTask task, IllegalStateException refusal) {
        if (!closeReported.getAndSet(true)) {
            BackgroundLog.log(
                    WARNING,
                    new ClientClosedException(task.description(), task.lock(), refusal).getMessage()
                            + " Until it is replaced its locks are neither renewed nor released, and end with their"
                            + " ttl");
        }
        return new Reply.Failed(Fault.REJECTED, new DriverClosedException(refusal));
    }

    /** Returns the reply for an operation in a transaction whose session is of a driver's client that was replaced. */
    public static Reply.Failed driverReplaced(IllegalStateException refusal) {
        MongoClientException replaced =
                new MongoClientException("the MongoClient was replaced below its proxy", refusal);
        replaced.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        return new Reply.Failed(Fault.TRANSIENT, replaced);
    }

    /** Forgets what the servers and the pool of another client of the driver have shown, which a proxy has replaced. */
    public void driverReplaced() {
        isReplaced = true;
        closeReported.set(false);
        shortage.restart();
    }

    /** Returns the time limit of one command. */
    public Duration commandTimeout() {
        return settings.commandTimeout();
    }

    /** Returns the name in the database of a collection that an operation names. */
    public String collection(String collection) {
        return collections.computeIfAbsent(
                collection, known -> settings.strategy().schema().resolve(known, settings.collection()));
    }

    public synchronized void sessionOpened() {
        sessions++;
    }

    public void sessionClosed() {
        List<CompletableFuture<Void>> idle;
        synchronized (this) {
            sessions--;
            if (sessions > 0 || awaitingIdle.isEmpty()) {
                return;
            }
            idle = List.copyOf(awaitingIdle);
            awaitingIdle.clear();
        }
        idle.forEach(awaiting -> awaiting.complete(null));
    }

    /** Returns a future that completes at the first moment from now when no session is open. */
    public synchronized CompletableFuture<Void> idle() {
        CompletableFuture<Void> idle = new CompletableFuture<>();
        if (sessions == 0) {
            idle.complete(null);
        } else {
            awaitingIdle.add(idle);
        }
        return idle;
    }

    /** Returns how to wait for the end of a pause: for its length in real time, or for the timer if there is one. */
    public PauseWait waitFor(Run.Action.Pause<?> pause) {
        return settings.holding()
                .timer()
                .map(ending -> waitFor(pause, ending))
                .orElseGet(() -> new PauseWait(pause.delay(), pause.wakeUp()));
    }

    private static PauseWait waitFor(Run.Action.Pause<?> pause, Timer ending) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Timer.Timeout timeout = ending.schedule(pause.delay(), () -> end.complete(null));
        CompletableFuture<Void> either = pause.wakeUp()
                .map(signal -> signal.runAfterEither(end, timeout::cancel))
                .orElse(end);
        return new PauseWait(BY_TIMER, Optional.of(either));
    }

    /** Returns how long a run waits for its turn because the server is overloaded, within its time limit. */
    Duration turn(TimeBudget limit) {
        return pressure.isCalm()
                ? Duration.ZERO
                : Durations.shorter(pressure.turn(limit.isPatient()), limit.mayBeDelayed());
    }

    /**
     * Starts to track a command, just before it is sent.
     *
     * @param number returns the transaction number of its session
     * @param inTransaction whether it is a statement of a transaction
     * @param nowNanos the {@linkplain #nanoTime time}
     */
    public Command begin(MongoOp op, LongSupplier number, boolean inTransaction, long nowNanos) {
        Command command = new Command(op, kindOf(op, inTransaction), number, nowNanos);
        shortage.commandBegan(time, nowNanos);
        return command;
    }

    /** Returns the time on the clock of the client. */
    public long nanoTime() {
        return time.nanoTime();
    }

    /**
     * Returns the longest time that a write took recently: each later write halves it, unless it took longer itself.
     */
    public synchronized Duration slowestWrite() {
        return Duration.ofNanos(slowestWriteNanos);
    }

    private synchronized void recordWrite(long tookNanos) {
        slowestWriteNanos = Math.max(tookNanos, slowestWriteNanos / 2);
    }

    private enum Kind {
        READ,
        PLAIN_WRITE,
        OTHER
    }

    private static Kind kindOf(MongoOp op, boolean inTransaction) {
        if (inTransaction || op instanceof MongoOp.Transaction) {
            return Kind.OTHER;
        }
        boolean isRead = op instanceof MongoOp.FindOne
                || op instanceof MongoOp.FindMany
                || op instanceof MongoOp.Hello
                || op instanceof MongoOp.ReadSchema;
        return isRead ? Kind.READ : op instanceof MongoOp.CreateCollection ? Kind.OTHER : Kind.PLAIN_WRITE;
    }

    /** One command in flight. It gets a reply or fails, and ends once after that. */
    public final class Command {
        private final MongoOp op;
        private final Kind kind;
        private final LongSupplier number;
        private final long numberBefore;
        private final long sentNanos;
        private long answeredNanos;
        private boolean isAnswered;

        private Command(MongoOp op, Kind kind, LongSupplier number, long sentNanos) {
            this.op = op;
            this.kind = kind;
            this.number = number;
            this.numberBefore = number.getAsLong();
            this.sentNanos = sentNanos;
        }

        /** Records the reply of the server. */
        public void answered(Reply reply) {
            isAnswered = true;
            answeredNanos = time.nanoTime();
            if (!(op instanceof MongoOp.Transaction)) {
                pressure.answered(sentNanos);
            }
            if (kind == Kind.PLAIN_WRITE) {
                recordWrite(answeredNanos - sentNanos);
            }
            if (op instanceof MongoOp.Hello && reply instanceof Reply.Found hello) {
                hello.document().ifPresent(ClientRuns.this::recordServer);
            }
            recordNumber();
        }

        public Reply.Failed failed(MongoException cause) {
            if (FaultClassifier.isOverload(cause)) {
                pressure.refused(cause, sentNanos);
            } else if (cause instanceof MongoServerException) {
                pressure.answered(sentNanos);
            }
            Fault fault = faultOf(cause);
            if (fault != Fault.AMBIGUOUS || kind == Kind.OTHER) {
                return new Reply.Failed(fault, cause);
            }
            if (kind == Kind.READ) {
                return new Reply.Failed(Fault.TRANSIENT, cause);
            }
            if (recordNumber()) {
                return new Reply.Failed(fault, cause);
            }
            return areWritesNumbered() ? new Reply.Failed(Fault.NOT_SENT, cause) : new Reply.Failed(fault, cause, true);
        }

        /** After a replacement commands on servers of two kinds may be in flight. */
        private boolean areWritesNumbered() {
            return numbersWrites && !isReplaced;
        }

        private Fault faultOf(MongoException cause) {
            Fault fault = FaultClassifier.classify(cause);
            if (fault != Fault.NOT_SENT || !FaultClassifier.isUnknownBehindRouter(cause)) {
                return fault;
            }
            if (op instanceof MongoOp.Transaction) {
                return Fault.UNKNOWN_COMMIT;
            }
            return !isReplaced && server.isDirect() ? fault : Fault.AMBIGUOUS;
        }

        /** Returns the reply for a command that could not be encoded: it was not sent. */
        public Reply.Failed notEncoded(BSONException cause) {
            return FaultClassifier.notEncoded(cause);
        }

        /** Returns the reply for a command during which the driver failed. */
        public Reply.Failed broken(NullPointerException cause) {
            return failed(FaultClassifier.broken(cause));
        }

        /**
         * Returns the reply for a command that the driver refuses because its client was closed, perhaps after it has sent
         * the command and lost its connection.
         */
        public Reply.Failed refused(IllegalStateException refusal) {
            boolean mayBeExecuted = kind == Kind.OTHER || recordNumber();
            return new Reply.Failed(
                    mayBeExecuted ? Fault.AMBIGUOUS : Fault.REJECTED, new DriverClosedException(refusal));
        }

        /**
         * Returns the reply for a command that the driver refuses because its client was replaced, perhaps after it has
         * sent the command: then no later command in another session prevents that it is executed late.
         */
        public Reply.Failed replaced(IllegalStateException refusal) {
            Reply.Failed replaced = ClientRuns.driverReplaced(refusal);
            if (op instanceof MongoOp.Transaction bound && bound.boundary() == MongoOp.Transaction.Boundary.COMMIT) {
                return new Reply.Failed(Fault.UNKNOWN_COMMIT, replaced.cause());
            }
            if (kind != Kind.PLAIN_WRITE && !(op instanceof MongoOp.CreateCollection)) {
                return replaced;
            }
            boolean isUnsent = kind == Kind.PLAIN_WRITE && !recordNumber() && areWritesNumbered();
            return isUnsent
                    ? new Reply.Failed(Fault.NOT_SENT, replaced.cause())
                    : new Reply.Failed(Fault.AMBIGUOUS, replaced.cause(), true);
        }

        /** Records that the command has ended, with or without a reply: its connection is free. */
        public void ended() {
            shortage.commandEnded(time, isAnswered ? answeredNanos : time.nanoTime());
        }

        /** Records whether the driver has numbered the command, which it does when it sends it, and returns that. */
        private boolean recordNumber() {
            boolean numbered = kind == Kind.PLAIN_WRITE && number.getAsLong() != numberBefore;
            if (numbered) {
                numbersWrites = true;
            }
            return numbered;
        }
    }

    /** A runner of programs that does not block the caller; each client has one. Thread-safe. */
    public interface BackgroundRunner {
        /**
         * Runs a program in a session of its own.
         *
         * @param verb the operation, for messages
         * @param name the lock, or the first of several
         * @param program supplies the program, just before its first operation is sent
         * @return completes with the result, or with the exception of the program, also if it could not be started.
         *     Cancelling it stops the program soon.
         */
        <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program);

        /**
         * Runs a program that renews leases, in a session of its own.
         *
         * @param name the lock, or the first of several
         * @param time supplies the time for it, just before the program
         * @param program supplies the program, just before its first operation is sent
         * @return as for {@link #run}
         */
        <R> CompletableFuture<R> renew(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program);

        /**
         * Runs a program that renews leases again after a fault, which may last. A runner that limits the number of
         * programs at a time does not let it delay the others.
         *
         * @param name the lock, or the first of several
         * @param time supplies the time for it, just before the program
         * @param program supplies the program, just before its first operation is sent
         * @return as for {@link #run}
         */
        default <R> CompletableFuture<R> renewAgain(
                LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
            return renew(name, time, program);
        }
    }

    /**
     * A detector for a connection pool that is too small for a change stream. A stream takes a connection for a second
     * at a time, and takes it again before a waiting command gets it.
     *
     * <p>The driver does not expose its pool. A shortage is assumed when commands are in flight, none of them ends for
     * half a second, and a probe is not answered either. If it is answered, the pool gives connections, and the commands
     * wait for something else, such as a transaction that blocks their documents. Events of the stream prove nothing: it
     * may have the only connection. Without an answer the commands may wait for that one, or the server or this process
     * is slow. Then the streams of all lock clients on that driver's client are closed, and waiters poll: for two
     * seconds, and for twice as long each time that it happens again soon after a stream was opened, up to about an hour.
     * So a time of overload is followed by a pause of about its length, and a pool that stays too small by few streams.
     * Thread-safe.
     */
    public static final class ConnectionShortage {
        /** Half of the time for which a stream takes a connection; a reply that takes longer than this is rare. */
        private static final Duration MAX_WITHOUT_PROGRESS = Duration.ofMillis(500);

        /**
         * When the probe is sent. A stream is checked once a second: a later probe would be judged a second later still,
         * when a command with a short limit has timed out.
         */
        private static final Duration PROBED_AFTER = Duration.ofMillis(100);
        /** How long after the probe a stall is long enough for a shortage. */
        public static final Duration JUDGED_AFTER = MAX_WITHOUT_PROGRESS.minus(PROBED_AFTER);
        /** How long a probe may take. */
        private static final Duration MAX_PROBE = Duration.ofMillis(250);

        private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
        private static final int MAX_DOUBLINGS = 11;
        /** If commands are few, half of them wait in such a pool for so long that the shortage is found. */
        private static final int MIN_ENDED = 10;
        /** If they are many, they end while the stream waits for a connection; soon it has one, and none ends. */
        private static final Duration MIN_OPEN = Duration.ofSeconds(3);
        /** A shortage is the first again after that. */
        private static final Duration FORGOTTEN_AFTER = Duration.ofHours(2);

        private static final Map<Object, ConnectionShortage> SHARED = new WeakHashMap<>();

        private final TimeSource time;
        private int inFlight;
        private long lastProgressNanos;
        private Probe probe = Probe.NONE;
        private long probeSentNanos;
        private boolean pausing;
        private int timesInARow;
        private long pauseStartNanos;
        private int endedSinceOpened;
        private long openedNanos;

        /** The only probe at a time. */
        private enum Probe {
            /** No probe was sent since a command ended, or it was answered. */
            NONE,
            /** It waits for a reply. */
            SENT,
            /** It has failed, and no command has ended since. */
            FAILED
        }

        public ConnectionShortage(TimeSource time) {
            this.time = time;
        }

        /**
         * Returns the detector that all lock clients on a driver's client, which has the pool, share. It uses real
         * time.
         */
        public static ConnectionShortage of(Object driversClient) {
            synchronized (SHARED) {
                return SHARED.computeIfAbsent(driversClient, client -> new ConnectionShortage(TimeSource.system()));
            }
        }

        /** Forgets what was observed of another pool: the driver's client was replaced. */
        synchronized void restart() {
            probe = Probe.NONE;
            pausing = false;
            timesInARow = 0;
            lastProgressNanos = time.nanoTime();
        }

        /** Records that a command begins: it requests a connection from the pool. */
        public synchronized void commandBegan(TimeSource clock, long nowNanos) {
            if (inFlight++ == 0) {
                progressed(clock, nowNanos);
            }
        }

        /** Records that a command has ended: it had a connection, or timed out. */
        public synchronized void commandEnded(TimeSource clock, long nowNanos) {
            inFlight--;
            progressed(clock, nowNanos);
            probe = probe == Probe.FAILED ? Probe.NONE : probe;
            endedSinceOpened = Math.min(endedSinceOpened + 1, MIN_ENDED);
        }

        /** The clock of the client may be another one, whose time means nothing here. */
        private void progressed(TimeSource clock, long nowNanos) {
            lastProgressNanos = clock == time ? nowNanos : time.nanoTime();
        }

        /** Records that a change stream was opened. */
        public synchronized void streamOpened() {
            endedSinceOpened = 0;
            openedNanos = time.nanoTime();
        }

        /** Begins a pause if commands are in flight for a while, and neither one of them nor a probe was answered. */
        private void pauseIfStalled() {
            long now = time.nanoTime();
            if (isWithoutProgress(MAX_WITHOUT_PROGRESS) && isProbeUnanswered(now) && !isPausing()) {
                timesInARow = isSoon(now) ? timesInARow + 1 : 1;
                pauseStartNanos = now;
                pausing = true;
            }
        }

        private boolean isWithoutProgress(Duration atLeast) {
            return inFlight > 0 && time.nanoTime() - lastProgressNanos >= atLeast.toNanos();
        }

        private boolean isProbeUnanswered(long now) {
            return probe == Probe.FAILED || (probe == Probe.SENT && now - probeSentNanos >= MAX_PROBE.toNanos());
        }

        /**
         * Returns whether an open stream should be closed, because of its own client's commands or of another client's:
         * they may wait for its connection. It must be called repeatedly while a stream is open: the first call during a
         * stall sends the probe.
         *
         * @param sending sends a cheap command on the pool without blocking, see
         *     {@link org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed#probe}
         */
        public boolean mustCloseStreams(Supplier<CompletableFuture<Void>> sending) {
            if (beginProbe()) {
                sendProbe(sending);
            }
            synchronized (this) {
                pauseIfStalled();
                return isPausing();
            }
        }

        /** A probe that cannot be sent has failed. */
        private void sendProbe(Supplier<CompletableFuture<Void>> sending) {
            boolean isSent = false;
            try {
                CompletableFuture<Void> unused =
                        sending.get().whenComplete((answer, failure) -> endProbe(failure == null));
                isSent = true;
            } finally {
                if (!isSent) {
                    endProbe(false);
                }
            }
        }

        private synchronized boolean beginProbe() {
            boolean begins = probe == Probe.NONE && !isPausing() && isWithoutProgress(PROBED_AFTER);
            if (begins) {
                probe = Probe.SENT;
                probeSentNanos = time.nanoTime();
            }
            return begins;
        }

        private synchronized void endProbe(boolean isAnswered) {
            probe = isAnswered ? Probe.NONE : Probe.FAILED;
            if (isAnswered) {
                lastProgressNanos = time.nanoTime();
            }
        }

        /** Returns how long no stream should be opened. */
        public synchronized Duration pauseLeft() {
            return isPausing() ? pause().minusNanos(time.nanoTime() - pauseStartNanos) : Duration.ZERO;
        }

        /** Returns whether it is too early to open a stream. */
        public synchronized boolean isPausing() {
            return pausing && time.nanoTime() - pauseStartNanos < pause().toNanos();
        }

        /** Returns whether the pause is longer than the first one: the shortage has been reported. */
        public synchronized boolean isRepeated() {
            return timesInARow > 1;
        }

        private boolean isSoon(long now) {
            boolean isNew = endedSinceOpened < MIN_ENDED || now - openedNanos < MIN_OPEN.toNanos();
            return isNew && now - pauseStartNanos < FORGOTTEN_AFTER.toNanos();
        }

        private Duration pause() {
            return FIRST_PAUSE.multipliedBy(1L << Math.min(Math.max(timesInARow - 1, 0), MAX_DOUBLINGS));
        }
    }
}
