package org.mongolocks.benchmarks.sampling;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.mongolocks.LockException;

/** Concurrent execution of tasks, each on its own thread. If one task fails, the others are interrupted. */
public final class ConcurrentTasks {
    private ConcurrentTasks() {}

    /** Returns the results in the order of the tasks. */
    public static <T> List<T> run(List<? extends Callable<T>> tasks) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, tasks.size()));
        try {
            CompletionService<T> service = new ExecutorCompletionService<>(threads);
            List<Future<T>> futures = new ArrayList<>();
            tasks.forEach(task -> futures.add(service.submit(task)));
            for (int ended = 0; ended < tasks.size(); ended++) {
                result(service.take());
            }
            return results(futures);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Waits for all tasks, even if some fail. */
    public static <T> List<Future<T>> settle(List<? extends Callable<T>> tasks) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, tasks.size()));
        try {
            return threads.invokeAll(tasks);
        } finally {
            threads.shutdownNow();
        }
    }

    private static <T> List<T> results(List<Future<T>> futures) throws InterruptedException {
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            results.add(result(future));
        }
        return results;
    }

    /** Returns the result of a task or rethrows its exception. */
    public static <T> T result(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new LockException("A concurrent task failed: " + e.getCause(), e);
        }
    }
}
