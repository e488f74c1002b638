package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Driver;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter.Traffic;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.spi.LockStrategy;

/** A set of idle locks of one strategy with one client, kept alive, and the traffic of their renewal. */
public final class KeepAliveTraffic implements AutoCloseable {
    /** The ttl to which the figures are scaled. The renewal rate is inversely proportional to the ttl. */
    public static final Duration USUAL_TTL = Duration.ofSeconds(30);

    private static final int THREADS = 16;

    private final RunEnvironment environment;
    private final Duration ttl;
    private final WireTrafficMeter meter;
    private final Driver driver;
    private final List<BlockingLocks> clients = new ArrayList<>();
    private final Queue<BlockingLock> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger late = new AtomicInteger();
    private Traffic traffic;
    private long startedNanos;
    private double ttls;

    /** Opens no client yet. Commands are counted, and nothing that takes processor time. */
    public KeepAliveTraffic(RunEnvironment environment, Client client, Duration ttl) {
        this.environment = environment;
        this.meter = WireTrafficMeter.ofCommands();
        this.traffic = meter.traffic();
        this.ttl = ttl;
        this.driver = environment.driver(client, meter);
    }

    /**
     * Acquires the locks, several at a time.
     *
     * @param limit the time after which no more are acquired; those that are missing count as lost
     */
    public void open(LockStrategy strategy, int locks, Duration limit) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        BlockingLocks client = driver.locks(strategy, environment.name(strategy.name()));
        clients.add(client);
        AtomicInteger missing = new AtomicInteger(locks);
        ConcurrentTasks.run(Collections.nCopies(Math.min(THREADS, locks), () -> {
            while (missing.getAndDecrement() > 0) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    late.incrementAndGet();
                    continue;
                }
                LockRequest request = LockRequest.of("idle-" + UUID.randomUUID(), ttl);
                client.tryAcquire(request).ifPresentOrElse(held::add, late::incrementAndGet);
            }
            return true;
        }));
    }

    public void start() {
        startedNanos = System.nanoTime();
        traffic = meter.traffic();
    }

    public void stop() {
        traffic = meter.traffic().since(traffic);
        ttls = (double) (System.nanoTime() - startedNanos) / ttl.toNanos();
    }

    /**
     * Returns the number of locks that were lost, not granted before their lease ended, or not acquired within the
     * limit.
     */
    public long lost() {
        return late.get() + held.stream().filter(lock -> !lock.isHeld()).count();
    }

    /** Returns the number of commands sent per ttl. */
    public double commandsPerTtl() {
        return traffic.commands() / ttls;
    }

    /** Returns how many ttls the traffic was counted. */
    public double ttls() {
        return ttls;
    }

    @Override
    public void close() {
        clients.forEach(BlockingLocks::close);
        driver.close();
    }
}
