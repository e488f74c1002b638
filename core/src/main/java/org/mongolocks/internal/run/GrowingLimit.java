package org.mongolocks.internal.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * A limit for the number of tasks that wait for replies at the same time without a thread each; further tasks wait
 * in order. As in a {@link GrowingPool}, tasks that have waited for some time are replaced if others wait, up to a
 * greater limit. Thread-safe.
 */
public final class GrowingLimit {
    private final GrowingPool.Limits limits;
    private final Timer timer;
    private final TimeSource time;
    private final Deque<Task<?>> waiting = new ArrayDeque<>();
    private final Map<Task<?>, Long> startedNanos = new HashMap<>();
    private boolean starting;
    private boolean checkScheduled;

    /**
     * Creates a limit without tasks.
     *
     * @param timer calls the checks for tasks that have waited for long
     */
    GrowingLimit(GrowingPool.Limits limits, Timer timer, TimeSource time) {
        this.limits = limits;
        this.timer = timer;
        this.time = time;
    }

    /** A task that is started once, or dropped if its result is cancelled before. */
    private final class Task<R> {
        private final Supplier<CompletableFuture<R>> work;
        private final CompletableFuture<R> result = new CompletableFuture<>();

        Task(Supplier<CompletableFuture<R>> work) {
            this.work = work;
        }

        private void start() {
            follow(running());
        }

        /** An error of one task is its result, as on a thread of its own: the next ones are started. */
        private CompletableFuture<R> running() {
            try {
                return work.get();
            } catch (RuntimeException | Error e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private void follow(CompletableFuture<R> running) {
            CompletableFuture<?> unused = running.handle((value, error) -> {
                try {
                    end(this);
                } finally {
                    settle(value, error);
                }
                return value;
            });
            unused = result.whenComplete((value, error) -> running.cancel(true));
        }

        private void settle(@Nullable R value, @Nullable Throwable error) {
            if (error == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(error);
            }
        }
    }

    /**
     * Starts a task, now or when others have ended.
     *
     * @param work starts the task, on the calling thread, on one that ends another task, or on that of the timer; it does
     *     not block
     * @return completes as the task does. Cancelling it cancels the task, or prevents its start.
     */
    public <R> CompletableFuture<R> start(Supplier<CompletableFuture<R>> work) {
        Task<R> task = new Task<>(work);
        add(task);
        startWaiting();
        return task.result;
    }

    private synchronized void add(Task<?> task) {
        waiting.add(task);
    }

    private void end(Task<?> task) {
        remove(task);
        startWaiting();
    }

    private synchronized void remove(Task<?> task) {
        startedNanos.remove(task);
    }

    /** Starts one task after another; a task that ends at once does not start the next one on top of it. */
    private void startWaiting() {
        for (Optional<Task<?>> next = next(); next.isPresent(); next = next()) {
            try {
                next.get().start();
            } finally {
                begun();
            }
        }
        checkLater();
    }

    private synchronized Optional<Task<?>> next() {
        while (!waiting.isEmpty() && waiting.element().result.isDone()) {
            waiting.remove();
        }
        long now = time.nanoTime();
        int allowed = limits.wanted(limits.blocked(startedNanos.values(), now));
        if (starting || waiting.isEmpty() || startedNanos.size() >= allowed) {
            return Optional.empty();
        }
        starting = true;
        startedNanos.put(waiting.element(), now);
        return Optional.of(waiting.remove());
    }

    private synchronized void begun() {
        starting = false;
    }

    private synchronized void checkLater() {
        if (!waiting.isEmpty() && !checkScheduled) {
            checkScheduled = true;
            Timer.Timeout unused = timer.schedule(limits.blockedAfter(), this::check);
        }
    }

    private void check() {
        checked();
        startWaiting();
    }

    private synchronized void checked() {
        checkScheduled = false;
    }
}
