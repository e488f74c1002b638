package org.mongolocks.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.ContendingThread.Log;
import org.mongolocks.sync.LockClient;

/** Has threads contend for one lock, for a fixed time, and asks the protected data what it saw. */
final class Contention {
    /** As many as are asked for throughput and fairness. */
    static final int THREADS = 8;

    private final List<LockClient> clients;
    private final ProtectedData data;
    private final CommandCounter commands;
    private final int threads;

    Contention(List<LockClient> clients, ProtectedData data, CommandCounter commands, int threads) {
        this.clients = List.copyOf(clients);
        this.data = data;
        this.commands = commands;
        this.threads = threads;
    }

    Contended run(Duration time) throws InterruptedException {
        return run(time, UnaryOperator.identity());
    }

    /** Has them ask in a certain way. */
    Contended run(Duration time, UnaryOperator<LockRequest> manner) throws InterruptedException {
        long commandsBefore = commands.count();
        long started = System.nanoTime();
        List<Log> logs = contend(started + time.toNanos(), manner);
        double seconds = (System.nanoTime() - started) / 1e9;
        return summary(logs, seconds, commands.count() - commandsBefore);
    }

    private List<Log> contend(long endNanos, UnaryOperator<LockRequest> manner) throws InterruptedException {
        LockRequest request = manner.apply(LockRequest.of("contended-" + UUID.randomUUID(), Workbench.TTL));
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Log>> contenders = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                contenders.add(pool.submit(
                        new ContendingThread(clients.get(thread % clients.size()), request, data, endNanos)));
            }
            return results(contenders);
        } finally {
            pool.shutdownNow();
        }
    }

    private static List<Log> results(List<Future<Log>> contenders) throws InterruptedException {
        List<Log> logs = new ArrayList<>();
        for (Future<Log> contender : contenders) {
            try {
                logs.add(contender.get());
            } catch (ExecutionException e) {
                throw new LockException("A contender was thrown out: " + e.getCause(), e);
            }
        }
        return logs;
    }

    private Contended summary(List<Log> logs, double seconds, long sent) {
        List<Long> shares = logs.stream().map(Log::grants).toList();
        long grants = shares.stream().mapToLong(Long::longValue).sum();
        return new Contended(
                threads,
                seconds,
                grants,
                Fairness.jain(shares),
                logs.stream().mapToLong(Log::longestWaitNanos).max().orElse(0),
                grants == 0 ? 0 : (double) sent / grants,
                data.violations(),
                logs.stream().map(Log::errors).flatMap(Collection::stream).toList());
    }
}
