package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.sampling.Samples.Operation;
import org.mongolocks.benchmarks.sampling.Samples.Repetition;

/** Concurrent threads that repeat one operation each. A single operation runs on the calling thread. */
final class OperationThreads implements AutoCloseable {
    private final List<Repetition> members;
    private final ExecutorService threads;

    OperationThreads(List<Operation> operations) {
        this.members = operations.stream().map(Repetition::new).toList();
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "benchmark-worker");
            thread.setDaemon(true);
            return thread;
        });
    }

    List<Operation> operations() {
        return members.stream().map(Repetition::operation).toList();
    }

    /** Discards the durations recorded so far. */
    void reset() {
        members.forEach(Repetition::reset);
    }

    /** Repeats the operations for some time, each at least once. */
    void run(Duration time) throws InterruptedException {
        if (members.size() == 1) {
            members.get(0).run(time.toNanos());
            return;
        }
        List<Future<?>> running = new ArrayList<>();
        for (Repetition member : members) {
            running.add(threads.submit(() -> {
                member.run(time.toNanos());
                return member;
            }));
        }
        await(running);
    }

    /** Returns the durations of all repetitions of all threads since the last reset, in nanoseconds. */
    Histogram together() {
        Histogram all = Repetition.histogram();
        members.forEach(member -> all.add(member.nanos()));
        return all;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Waits for all threads, even after one has failed, so that none disturbs the next sample. */
    private static void await(List<Future<?>> running) throws InterruptedException {
        List<Throwable> failures = new ArrayList<>();
        for (Future<?> member : running) {
            try {
                member.get();
            } catch (ExecutionException e) {
                failures.add(e.getCause());
            }
        }
        failures.forEach(OperationThreads::raise);
    }

    private static void raise(Throwable failure) {
        if (failure instanceof RuntimeException fault) {
            throw fault;
        }
        throw new LockException("A benchmark thread failed", failure);
    }
}
