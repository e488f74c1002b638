package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.command.CommandTable;
import org.mongolocks.embedded.internal.engine.Engine;
import org.mongolocks.embedded.internal.engine.Park;
import org.mongolocks.embedded.internal.engine.Recipient;
import org.mongolocks.embedded.internal.state.ClientConnection;
import org.mongolocks.embedded.internal.state.ServerConfig;

/** An engine for several threads: one lock around it, and one thread that wakes it when something is due. */
public final class SharedEngine implements AutoCloseable {
    private static final long NOTHING = Long.MAX_VALUE;

    private final ReentrantLock lock = new ReentrantLock();
    private final Engine engine;
    private final ServerConfig config;
    private final MajorityLag lag;
    private final DaemonThreads threads = new DaemonThreads("embedded-mongo-timer");
    private final ScheduledThreadPoolExecutor timer;
    private final Runnable clockLeft;
    private final boolean isRunning;

    private final Map<ClientConnection, Awaiting> awaiting = new HashMap<>();

    private long scheduledFor = NOTHING;
    private long turns;
    private @Nullable Future<?> nextWake;

    /**
     * The engine of a server.
     *
     * @param majorityLag how long after the server a majority has what it wrote; zero if it is the only member
     * @param isRunning whether the clock runs; one that stands still needs no timer
     * @param clockMoves has its argument run when the clock was moved, and gives what ends that
     */
    public SharedEngine(
            ServerConfig config, Duration majorityLag, boolean isRunning, Function<Runnable, Runnable> clockMoves) {
        this.config = config;
        this.lag = new MajorityLag(majorityLag);
        this.engine = CommandTable.engine(config);
        this.timer = new ScheduledThreadPoolExecutor(1, threads);
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.isRunning = isRunning;
        this.clockLeft = clockMoves.apply(this::wake);
        engine.server().pauseUpserts(this::giveWay);
        locked(() -> 0);
    }

    /** A new connection. */
    public ClientConnection connect() {
        return locked(engine::connect);
    }

    void disconnect(ClientConnection connection) {
        run(() -> {
            Awaiting left = awaiting.get(connection);
            if (left != null) {
                left.settle();
            }
            engine.disconnect(connection);
        });
    }

    /** Takes a command; the recipient is called under the lock, and must not wait for anything. */
    public void submit(ClientConnection connection, Document command, Recipient recipient) {
        Recipient inTime = lag.isNone()
                ? recipient
                : new Recipient(reply -> replyLate(command, reply, recipient), recipient::close);
        run(() -> {
            if (command.get("maxAwaitTimeMS") instanceof Number millis && !timer.isShutdown()) {
                new Awaiting(connection, inTime).submit(command, millis.longValue());
            } else {
                engine.submit(connection, command, inTime);
            }
        });
    }

    /**
     * Ceases to be primary.
     *
     * @param seconds when it stands for election again, by the clock of the server
     * @return whether it was primary
     */
    public boolean stepDown(long seconds) {
        Document command =
                new Document("replSetStepDown", seconds).append("force", true).append("$db", "admin");
        AtomicBoolean isDone = new AtomicBoolean();
        run(() -> engine.submit(
                new ClientConnection(0),
                command,
                new Recipient(reply -> isDone.set(!reply.containsKey("code")), () -> {})));
        return isDone.get();
    }

    /** Becomes primary again, if it stepped down. */
    public void stepUp() {
        run(() -> engine.stepUp());
    }

    /** Ends the wait of an {@code isMaster} when its real time is over: its client measures that, and not the clock of the server. */
    private final class Awaiting {
        private final ClientConnection connection;
        private final Recipient recipient;
        private @Nullable Future<?> end;

        Awaiting(ClientConnection connection, Recipient next) {
            this.connection = connection;
            this.recipient = new Recipient(
                    reply -> {
                        settle();
                        next.reply(reply);
                    },
                    () -> {
                        settle();
                        next.close();
                    });
        }

        void submit(Document command, long millis) {
            awaiting.put(connection, this);
            end = timer.schedule(this::endWait, Math.max(0, millis), TimeUnit.MILLISECONDS);
            engine.submit(connection, command, recipient);
        }

        private void endWait() {
            run(() -> engine.endWait(recipient));
        }

        private void settle() {
            awaiting.remove(connection, this);
            if (end != null) {
                end.cancel(false);
            }
        }
    }

    // Passes a reply on when a majority has its writes.
    private void replyLate(Document command, Document reply, Recipient recipient) {
        long nanos = lag.nanosFor(command, reply, System.nanoTime());
        if (nanos == 0 || timer.isShutdown()) {
            recipient.reply(reply);
        } else {
            Future<?> unused = timer.schedule(() -> run(() -> recipient.reply(reply)), nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void run(Runnable action) {
        locked(() -> {
            action.run();
            return 0;
        });
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            T result = action.get();
            schedule();
            return result;
        } finally {
            lock.unlock();
        }
    }

    // An upsert lets those go first who want the lock between its two steps. The lock is held here.
    private @Nullable Park giveWay() {
        if (!lock.hasQueuedThreads() || timer.isShutdown()) {
            return null;
        }
        long turn = turns;
        timer.execute(() -> run(() -> {
            turns++;
            engine.runWaiting();
        }));
        return Park.forEvent(() -> turns > turn);
    }

    private void schedule() {
        long due = engine.nextDue();
        if (isRunning && due < scheduledFor && !timer.isShutdown()) {
            if (nextWake != null) {
                nextWake.cancel(false);
            }
            scheduledFor = due;
            nextWake =
                    timer.schedule(this::wake, Math.max(0, due - config.clock().millis()), TimeUnit.MILLISECONDS);
        }
    }

    private void wake() {
        run(() -> {
            scheduledFor = NOTHING;
            engine.runDue();
        });
    }

    /** Interrupts what waits, and ends the timer. */
    @Override
    public void close() {
        locked(timer::shutdownNow);
        clockLeft.run();
        run(engine::shutDown);
        threads.awaitEnd();
    }
}
