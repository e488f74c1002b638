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
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter.Traffic;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.spi.LockStrategy;

/** A set of idle locks of one strategy with one client, kept alive, and the traffic of their renewal. */
public final class KeepAliveTraffic implements AutoCloseable {
    private static final Metric COMMANDS = new Metric("idleCommands", "commands/lock-minute");
    private static final Metric BYTES = new Metric("idleBytes", "B/lock-minute");
    /** The ttl to which the figures are scaled. The renewal rate is inversely proportional to the ttl. */
    public static final Duration USUAL_TTL = Duration.ofSeconds(30);

    private static final int THREADS = 16;

    private final RunEnvironment environment;
    private final MeasurementKey subject;
    private final Duration ttl;
    private final WireTrafficMeter meter;
    private final DriverAdapter driver;
    private final List<BlockingLocks> clients = new ArrayList<>();
    private final Queue<BlockingLock> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger late = new AtomicInteger();
    private Traffic traffic;
    private long startedNanos;
    private double ttls;

    private KeepAliveTraffic(RunEnvironment environment, MeasurementKey subject, Duration ttl, WireTrafficMeter meter) {
        this.environment = environment;
        this.meter = meter;
        this.traffic = meter.traffic();
        this.subject = subject.with("ttlSeconds", USUAL_TTL.toSeconds());
        this.ttl = ttl;
        this.driver = environment.driver(subject.client(), meter);
    }

    /** Returns locks whose commands and bytes are counted. */
    public static KeepAliveTraffic withBytes(RunEnvironment environment, MeasurementKey subject, Duration ttl) {
        return new KeepAliveTraffic(environment, subject, ttl, WireTrafficMeter.ofBytes());
    }

    /** Returns locks whose commands are counted, and nothing that takes processor time. */
    public static KeepAliveTraffic ofCommands(RunEnvironment environment, MeasurementKey subject, Duration ttl) {
        return new KeepAliveTraffic(environment, subject, ttl, WireTrafficMeter.ofCommands());
    }

    public String contender() {
        return subject.contender();
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
                LockRequest request =
                        LockRequest.of("idle-" + UUID.randomUUID(), ttl).keepAlive();
                client.tryAcquire(request).ifPresentOrElse(held::add, late::incrementAndGet);
            }
            return true;
        }));
    }

    /** Releases the locks, several at a time. */
    public void release() throws InterruptedException {
        ConcurrentTasks.run(Collections.nCopies(THREADS, () -> {
            for (BlockingLock lock = held.poll(); lock != null; lock = held.poll()) {
                lock.release();
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

    /** Returns whose traffic this is, in words. */
    public String title() {
        return contender() + " (" + subject.client().id() + ", "
                + subject.parameters().get("locks") + ")";
    }

    /** Records the traffic while the locks were held. If a lock was lost, nothing is recorded. */
    public void record(BenchmarkContext context) {
        if (lost() == 0 && !held.isEmpty()) {
            context.record(measurement(COMMANDS, traffic.commands()));
            context.record(measurement(BYTES, traffic.bytes()));
        }
    }

    @Override
    public void close() {
        clients.forEach(BlockingLocks::close);
        driver.close();
    }

    private Measurement measurement(Metric metric, long sent) {
        double perTtl = sent / ttls / held.size();
        double perMinute = perTtl * Duration.ofMinutes(1).toSeconds() / USUAL_TTL.toSeconds();
        return Measurement.of(subject, metric, Estimate.once(perMinute), traffic.commands());
    }
}
