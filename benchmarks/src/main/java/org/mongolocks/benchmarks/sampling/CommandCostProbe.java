package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment.CommandCounter;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** A probe that counts the commands of each operation of a client, while no other user of its connections is active. */
public final class CommandCostProbe {
    @FunctionalInterface
    private interface Operation<T> {
        T run() throws InterruptedException;
    }

    private final LockClient client;
    private final CommandCounter commands;
    private final LongSummaryStatistics acquireFree = new LongSummaryStatistics();
    private final LongSummaryStatistics acquireReleased = new LongSummaryStatistics();
    private final LongSummaryStatistics acquireHeld = new LongSummaryStatistics();
    private final LongSummaryStatistics renew = new LongSummaryStatistics();
    private final LongSummaryStatistics release = new LongSummaryStatistics();
    private long grantsWhileHeld;

    public CommandCostProbe(LockClient client, CommandCounter commands) {
        this.client = client;
        this.commands = commands;
    }

    /**
     * Repeats the operations for some time, each time on a lock that was never used, and returns the mean number of
     * commands of each, and how often a lock was granted while another owner held it.
     */
    public Map<Metric, Double> run(Duration time) throws InterruptedException {
        Samples.of(time, () -> tryAll(LockRequest.of("cost-" + UUID.randomUUID(), RunEnvironment.TTL)));
        return Map.of(
                StrategySummary.ACQUIRE_FREE, acquireFree.getAverage(),
                StrategySummary.ACQUIRE_RELEASED, acquireReleased.getAverage(),
                StrategySummary.ACQUIRE_HELD, acquireHeld.getAverage(),
                StrategySummary.RENEW, renew.getAverage(),
                StrategySummary.RELEASE, release.getAverage(),
                StrategySummary.GRANTS_WHILE_HELD, (double) grantsWhileHeld);
    }

    private void tryAll(LockRequest request) throws InterruptedException {
        HeldLock lock = granted(count(acquireFree, () -> client.tryAcquire(request)));
        if (count(acquireHeld, () -> client.tryAcquire(request)).isPresent()) {
            grantsWhileHeld++;
            return;
        }
        requireHeld(count(renew, lock::renew), "renewed");
        requireHeld(count(release, lock::release), "released");
        granted(count(acquireReleased, () -> client.tryAcquire(request))).release();
    }

    private <T> T count(LongSummaryStatistics sent, Operation<T> operation) throws InterruptedException {
        long before = commands.count();
        T result = operation.run();
        sent.accept(commands.count() - before);
        return result;
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
