package org.mongolocks.study.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/** Is the connection pool of one client: first come, first served. */
final class Pool {
    private final Deque<Waiter> waiting = new ArrayDeque<>();
    private int free;

    /** Is somebody who waits for a connection. */
    static final class Waiter {
        private final Runnable then;
        private boolean gone;

        private Waiter(Runnable then) {
            this.then = then;
        }

        void leave() {
            gone = true;
        }
    }

    Pool(int connections) {
        this.free = connections;
    }

    /** Goes on with a connection, now or later. */
    Waiter take(Runnable then) {
        Waiter waiter = new Waiter(then);
        waiting.add(waiter);
        serve();
        return waiter;
    }

    void giveBack() {
        free++;
        serve();
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
