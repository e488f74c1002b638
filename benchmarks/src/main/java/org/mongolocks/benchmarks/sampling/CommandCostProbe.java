package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.HashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment.ServerWork;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * A probe that counts the commands of each operation of a client and, where the server counts it, the server's work for
 * them, while no other user of the server is active.
 */
public final class CommandCostProbe {
    @FunctionalInterface
    private interface Operation<T> {
        T run() throws InterruptedException;
    }

    private final LockClient client;
    private final RunEnvironment environment;
    private final Map<Metric, LongSummaryStatistics> counts = new HashMap<>();
    private long grantsWhileHeld;

    public CommandCostProbe(LockClient client, RunEnvironment environment) {
        this.client = client;
        this.environment = environment;
    }

    /**
     * Repeats the operations for some time, each time on a lock that was never used, and returns the mean number of
     * commands of each, the server's work for each, and how often a lock was granted while another owner held it.
     */
    public Map<Metric, Double> run(Duration time) throws InterruptedException {
        Samples.of(
                time,
                () -> tryAll(LockRequest.of("cost-" + UUID.randomUUID(), RunEnvironment.TTL)
                        .fixedLease()));
        Map<Metric, Double> means = new HashMap<>();
        counts.forEach((metric, count) -> means.put(metric, count.getAverage()));
        means.put(StrategySummary.GRANTS_WHILE_HELD, (double) grantsWhileHeld);
        return means;
    }

    private void tryAll(LockRequest request) throws InterruptedException {
        HeldLock lock = granted(count(StrategySummary.ACQUIRE_FREE, () -> client.tryAcquire(request)));
        if (count(StrategySummary.ACQUIRE_HELD, () -> client.tryAcquire(request))
                .isPresent()) {
            grantsWhileHeld++;
            return;
        }
        requireHeld(count(StrategySummary.RENEW, lock::renew), "renewed");
        requireHeld(count(StrategySummary.RELEASE, lock::release), "released");
        granted(count(StrategySummary.ACQUIRE_RELEASED, () -> client.tryAcquire(request)))
                .release();
    }

    private <T> T count(Metric commands, Operation<T> operation) throws InterruptedException {
        Optional<ServerWork> workBefore = environment.serverWork();
        long before = environment.commands().count();
        T result = operation.run();
        add(commands, environment.commands().count() - before);
        if (workBefore.isPresent()) {
            ServerWork work = environment.serverWork().orElseThrow().since(workBefore.get());
            add(StrategySummary.PLANNED.apply(commands), work.plannedQueries());
            add(StrategySummary.EVALUATED.apply(commands), work.evaluatedExpressions());
        }
        return result;
    }

    private void add(Metric metric, long count) {
        counts.computeIfAbsent(metric, unknown -> new LongSummaryStatistics()).accept(count);
    }

    private static HeldLock granted(Optional<HeldLock> lock) {
        return lock.orElseThrow(() -> new LockException("A free lock was not granted"));
    }

    private static void requireHeld(boolean held, String what) {
        if (!held) {
            throw new LockException("An uncontended lock had been lost when it was " + what);
        }
    }
}
