package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient.BenchmarkLock;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter.Traffic;
import org.mongolocks.spi.LockStrategy;

/** A set of idle locks of one strategy with one client, kept alive, and the traffic of their renewal. */
public final class KeepAliveTraffic implements AutoCloseable {
    private static final Metric COMMANDS = new Metric("idleCommands", "commands/lock-minute");
    private static final Metric BYTES = new Metric("idleBytes", "B/lock-minute");
    /** The ttl to which the figures are scaled. The renewal rate is inversely proportional to the ttl. */
    private static final Duration USUAL_TTL = Duration.ofSeconds(30);

    private final RunEnvironment environment;
    private final MeasurementKey subject;
    private final Duration ttl;
    private final WireTrafficMeter meter = new WireTrafficMeter();
    private final DriverAdapter driver;
    private final List<BenchmarkClient> clients = new ArrayList<>();
    private final List<BenchmarkLock> held = new ArrayList<>();
    private Traffic traffic = meter.traffic();
    private long startedNanos;
    private double ttls;

    public KeepAliveTraffic(RunEnvironment environment, MeasurementKey subject, Duration ttl) {
        this.environment = environment;
        this.subject = subject.with("ttlSeconds", USUAL_TTL.toSeconds());
        this.ttl = ttl;
        this.driver = environment.driver(subject.client(), meter);
    }

    public String contender() {
        return subject.contender();
    }

    public void open(LockStrategy strategy, int locks) throws InterruptedException {
        BenchmarkClient client = driver.locks(strategy, environment.name(strategy.name()));
        clients.add(client);
        for (int lock = 0; lock < locks; lock++) {
            LockRequest request =
                    LockRequest.of("idle-" + UUID.randomUUID(), ttl).keepAlive();
            held.add(client.tryAcquire(request)
                    .orElseThrow(() -> new LockException("An uncontended lock was not granted")));
        }
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
     * Releases the locks and records the traffic while they were held. If a lock was lost, the process was paused for
     * longer than the short lease, and nothing is recorded.
     */
    public void tell(BenchmarkContext context) {
        long lost = held.stream().filter(lock -> !lock.release()).count();
        if (lost > 0 || held.isEmpty()) {
            context.remark("%s: what idle locks cost with %s (%s) is not known: %d of %d were lost."
                    .formatted(
                            subject.benchmark(), contender(), subject.client().id(), lost, held.size()));
            return;
        }
        context.record(measurement(COMMANDS, traffic.commands()));
        context.record(measurement(BYTES, traffic.bytes()));
    }

    @Override
    public void close() {
        clients.forEach(BenchmarkClient::close);
        driver.close();
    }

    private Measurement measurement(Metric metric, long sent) {
        double perTtl = sent / ttls / held.size();
        double perMinute = perTtl * Duration.ofMinutes(1).toSeconds() / USUAL_TTL.toSeconds();
        return Measurement.of(subject, metric, Estimate.once(perMinute), traffic.commands());
    }
}
