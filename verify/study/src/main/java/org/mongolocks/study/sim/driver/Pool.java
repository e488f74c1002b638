package org.mongolocks.study.sim.driver;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * The connection pool of one client. As with the driver, the waiters form a queue, but a returned connection is not
 * reserved: the first waiter is woken, and a running thread may take the connection before that.
 */
public final class Pool {
    /** How long a thread takes to wake up. */
    private static final long WAKING_NANOS = Duration.ofNanos(50_000).toNanos();

    /** One in this many waiters wakes up in time. */
    private static final int QUICK_ONE_OF = 5;

    private final Deque<Waiter> waiting = new ArrayDeque<>();
    private final SimulatedProcess process;
    private final RandomGenerator random;
    private int free;

    /** A waiter for a connection. */
    public static final class Waiter {
        private final Runnable then;
        private boolean gone;

        private Waiter(Runnable then) {
            this.then = then;
        }

        public void leave() {
            gone = true;
        }
    }

    public Pool(int connections, SimulatedProcess process, RandomGenerator random) {
        this.free = connections;
        this.process = process;
        this.random = random;
    }

    /** Calls back with a connection: at once if one is available, even if others wait, or later. */
    public Waiter take(Runnable then) {
        Waiter waiter = new Waiter(then);
        if (free > 0) {
            waiting.addFirst(waiter);
            serve();
        } else {
            waiting.add(waiter);
        }
        return waiter;
    }

    public void release() {
        free++;
        if (waiting.isEmpty()) {
            return;
        }
        if (random.nextInt(QUICK_ONE_OF) == 0) {
            serve();
        } else {
            process.after(WAKING_NANOS, this::serve);
        }
    }

    private void serve() {
        while (free > 0 && !waiting.isEmpty()) {
            Waiter next = waiting.remove();
            if (!next.gone) {
                free--;
                next.then.run();
            }
        }
    }
}
