package org.mongolocks.embedded.internal.wire;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.MovableClock;
import org.mongolocks.embedded.ReplyHandler;
import org.mongolocks.embedded.internal.engine.ClientConnection;
import org.mongolocks.embedded.internal.engine.Engine;
import org.mongolocks.embedded.internal.engine.ServerConfig;

/** An engine for several threads: one lock around it, and one thread that wakes it when something is due. */
public final class SharedEngine implements AutoCloseable {
    private static final long NOTHING = Long.MAX_VALUE;

    private final ReentrantLock lock = new ReentrantLock();
    private final Engine engine;
    private final ServerConfig config;
    private final MajorityLag lag;
    private final DaemonThreads threads = new DaemonThreads("embedded-mongo-timer");
    private final ScheduledThreadPoolExecutor timer;
    private final MovableClock.@Nullable Registration clock;
    /** A clock that stands still needs no timer: it says when it has moved. */
    private final boolean isRunning;

    private long scheduledFor = NOTHING;
    private @Nullable Future<?> nextWake;

    /**
     * The engine of a server.
     *
     * @param majorityLag how long after the server a majority has what it wrote; zero if it is the only member
     */
    public SharedEngine(ServerConfig config, Duration majorityLag) {
        this.config = config;
        this.lag = new MajorityLag(majorityLag);
        this.engine = new Engine(config);
        this.timer = new ScheduledThreadPoolExecutor(1, threads);
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.clock = config.clock() instanceof MovableClock movable ? movable.onMove(this::wake) : null;
        this.isRunning = !(config.clock() instanceof MovableClock movable) || movable.isRunning();
        locked(() -> 0);
    }

    public ServerConfig config() {
        return config;
    }

    /** A new connection. */
    public ClientConnection connect() {
        return locked(engine::connect);
    }

    void disconnect(ClientConnection connection) {
        locked(() -> {
            engine.disconnect(connection);
            return 0;
        });
    }

    /** Takes a command; the handler is called under the lock, or later by the timer, and must not wait for anything. */
    public void submit(ClientConnection connection, Document command, ReplyHandler handler) {
        ReplyHandler inTime = lag.isNone() ? handler : new Late(command, handler);
        locked(() -> {
            engine.submit(connection, command, inTime);
            return 0;
        });
    }

    /** Passes a reply on when a majority has what it tells of. */
    private final class Late implements ReplyHandler {
        private final Document command;
        private final ReplyHandler handler;

        Late(Document command, ReplyHandler handler) {
            this.command = command;
            this.handler = handler;
        }

        @Override
        public void reply(Document reply) {
            long nanos = lag.nanosFor(command, reply, System.nanoTime());
            if (nanos == 0 || timer.isShutdown()) {
                handler.reply(reply);
            } else {
                Future<?> unused = timer.schedule(() -> handler.reply(reply), nanos, TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public void connectionClosed() {
            handler.connectionClosed();
        }
    }

    void closeCursors(List<Long> ids) {
        locked(() -> {
            ids.forEach(engine.server().cursors()::close);
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
        lock.lock();
        try {
            scheduledFor = NOTHING;
            engine.runDue();
            schedule();
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts what waits, and ends the timer. */
    @Override
    public void close() {
        locked(timer::shutdownNow);
        if (clock != null) {
            clock.close();
        }
        locked(() -> {
            engine.shutDown();
            return 0;
        });
        threads.awaitEnd();
    }
}
