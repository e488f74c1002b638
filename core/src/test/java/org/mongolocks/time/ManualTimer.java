package org.mongolocks.time;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A timer that runs each due task on the thread that moves its time; any thread may schedule one. */
public final class ManualTimer implements Timer {
    private final ManualTime time;
    private final List<Due> queue = new CopyOnWriteArrayList<>();

    /** A task; compared by identity. */
    private static final class Due {
        private final long atNanos;
        private final Runnable task;

        Due(long atNanos, Runnable task) {
            this.atNanos = atNanos;
            this.task = task;
        }
    }

    public ManualTimer(ManualTime time) {
        this.time = time;
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        Due due = new Due(time.nanoTime() + delay.toNanos(), task);
        queue.add(due);
        return () -> queue.remove(due);
    }

    /** Moves the time from task to task, and runs each. */
    public void advance(Duration duration) {
        long end = time.nanoTime() + duration.toNanos();
        for (Due next = nextUntil(end); next != null; next = nextUntil(end)) {
            time.advance(Duration.ofNanos(Math.max(0, next.atNanos - time.nanoTime())));
            queue.remove(next);
            next.task.run();
        }
        time.advance(Duration.ofNanos(Math.max(0, end - time.nanoTime())));
    }

    /** Moves the time without running due tasks, as a pause of the process does. */
    public void pause(Duration duration) {
        time.advance(duration);
    }

    public int size() {
        return queue.size();
    }

    private @Nullable Due nextUntil(long end) {
        Due next = null;
        for (Due due : queue) {
            if (due.atNanos - end <= 0 && (next == null || due.atNanos - next.atNanos < 0)) {
                next = due;
            }
        }
        return next;
    }
}
