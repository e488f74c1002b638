package org.mongolocks.internal.run;

import java.time.Duration;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * A timer that reduces the wake-ups of another timer: most tasks are cancelled long before they are due, and a timer
 * thread wakes for each next task. A cancelled task leaves its wake-up in place; a spurious wake-up re-arms the timer.
 * Thread-safe.
 */
public final class CoalescingTimer implements Timer {
    /** Bounds how long a thread is occupied without a task. */
    static final Duration MAX_SLEEP = Duration.ofSeconds(10);

    private final TimeSource time;
    private final DeadlineQueue<Task> tasks;

    private static final class Task extends DeadlineQueue.Entry {
        private final Runnable work;
        private volatile boolean isCancelled;

        Task(Runnable work) {
            this.work = work;
        }
    }

    /** Creates a timer without tasks, which another timer wakes. */
    public CoalescingTimer(Timer timer, TimeSource time) {
        this.time = time;
        this.tasks = new DeadlineQueue<>(timer, time, MAX_SLEEP, this::wake);
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        Task added = new Task(task);
        long due = time.nanoTime() + delay.toNanos();
        tasks.put(added, due, due);
        return () -> {
            added.isCancelled = true;
            tasks.remove(added);
        };
    }

    /** Drops all tasks, those that are scheduled later, and the wake-up. */
    public void close() {
        tasks.close();
    }

    private void wake() {
        tasks.workOffDue(task -> {
            if (!task.isCancelled) {
                task.work.run();
            }
        });
    }
}
