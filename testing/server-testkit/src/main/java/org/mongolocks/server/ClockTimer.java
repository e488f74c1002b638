package org.mongolocks.server;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import org.mongolocks.embedded.MovableClock;
import org.mongolocks.time.Timer;

/**
 * A timer that follows a clock that tests can move. A task runs soon after the clock has moved past its time, on the
 * timer's own thread.
 */
final class ClockTimer implements Timer {
    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private final MovableClock clock;
    private long order;

    /** A task and its time; tasks of the same time run in the order in which they were scheduled. */
    private record Due(Instant at, long order, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private ClockTimer(MovableClock clock) {
        this.clock = clock;
    }

    static ClockTimer on(MovableClock clock) {
        ClockTimer timer = new ClockTimer(clock);
        clock.onMove(timer::wake);
        Thread thread = new Thread(timer::runAll, "contract-timer");
        thread.setDaemon(true);
        thread.start();
        return timer;
    }

    @Override
    public synchronized Timeout schedule(Duration delay, Runnable task) {
        Due due = new Due(clock.instant().plus(delay), order++, task);
        queue.add(due);
        notifyAll();
        return () -> cancel(due);
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized void cancel(Due due) {
        queue.remove(due);
    }

    private void runAll() {
        try {
            while (true) {
                next().task().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Due next() throws InterruptedException {
        Due first = queue.peek();
        while (first == null || clock.instant().isBefore(first.at())) {
            wait(first == null ? 0 : millisUntil(first.at()));
            first = queue.peek();
        }
        return queue.remove();
    }

    private long millisUntil(Instant at) {
        return Math.max(1, Duration.between(clock.instant(), at).toMillis());
    }
}
