package org.mongolocks.study.sim.driver;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The connection pool of one client. As with the driver, the connection that was returned last is taken first, and the
 * waiters form a queue, but a returned connection is not reserved: the first waiter is woken, and a running thread may
 * take the connection before that.
 */
public final class Pool {
    /** How long a thread takes to wake up. */
    private static final long WAKING_NANOS = Duration.ofNanos(50_000).toNanos();

    /** One in this many waiters wakes up in time. */
    private static final int QUICK_ONE_OF = 5;

    private final Deque<Waiter> waiting = new ArrayDeque<>();
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final Set<Connection> inUse = new HashSet<>();
    private final SimulatedProcess process;
    private final RandomGenerator random;
    private final int connections;

    /** A connection to the server. */
    public static final class Connection {
        private boolean stale;

        /** Returns whether it leads nowhere: what is sent is lost, without an error. */
        boolean isStale() {
            return stale;
        }
    }

    /** A waiter for a connection. */
    public static final class Waiter {
        private final Consumer<Connection> then;
        private boolean gone;

        private Waiter(Consumer<Connection> then) {
            this.then = then;
        }

        public void leave() {
            gone = true;
        }
    }

    public Pool(int connections, SimulatedProcess process, RandomGenerator random) {
        this.connections = connections;
        this.process = process;
        this.random = random;
    }

    /** Calls back with a connection: at once if one is available, even if others wait, or later. */
    public Waiter take(Consumer<Connection> then) {
        Waiter waiter = new Waiter(then);
        if (isAvailable()) {
            waiting.addFirst(waiter);
            serve();
        } else {
            waiting.add(waiter);
        }
        return waiter;
    }

    /**
     * Returns a connection.
     *
     * @param isUsable whether it is kept; otherwise it is closed, as the driver does after an error or a timeout
     */
    public void release(Connection connection, boolean isUsable) {
        inUse.remove(connection);
        if (isUsable) {
            idle.addFirst(connection);
        }
        if (waiting.isEmpty()) {
            return;
        }
        if (random.nextInt(QUICK_ONE_OF) == 0) {
            serve();
        } else {
            process.after(WAKING_NANOS, this::serve);
        }
    }

    /**
     * Makes all connections of now stale.
     *
     * @param idleConnections how many are idle at least
     */
    public void makeStale(int idleConnections) {
        while (idle.size() < idleConnections) {
            idle.addLast(new Connection());
        }
        idle.forEach(connection -> connection.stale = true);
        inUse.forEach(connection -> connection.stale = true);
    }

    private boolean isAvailable() {
        return inUse.size() < connections;
    }

    private void serve() {
        while (isAvailable() && !waiting.isEmpty()) {
            Waiter next = waiting.remove();
            if (!next.gone) {
                Connection connection = idle.isEmpty() ? new Connection() : idle.remove();
                inUse.add(connection);
                next.then.accept(connection);
            }
        }
    }
}
