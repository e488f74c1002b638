package org.mongolocks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.mongolocks.ClientSettings.Timer;

/** A timer that runs each due task on the thread that moves its time. */
public final class ManualTimer implements Timer {
    private final ManualTime time;
    private final List<Due> queue = new ArrayList<>();

    /** A task; compared by identity. */
    private static final class Due {
        private final long atNanos;
        private final Runnable task;

        Due(long atNanos, Runnable task) {
            this.atNanos = atNanos;
            this.task = task;
        }

        long atNanos() {
            return atNanos;
        }

        Runnable task() {
            return task;
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
        Optional<Due> next = nextUntil(end);
        while (next.isPresent()) {
            time.advance(Duration.ofNanos(Math.max(0, next.get().atNanos() - time.nanoTime())));
            queue.remove(next.get());
            next.get().task().run();
            next = nextUntil(end);
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

    private Optional<Due> nextUntil(long end) {
        return queue.stream()
                .filter(due -> due.atNanos() - end <= 0)
                .min(Comparator.comparingLong(due -> due.atNanos() - end));
    }
}
