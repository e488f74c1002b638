package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.client.Held;
import org.mongolocks.benchmarks.client.Locks;
import org.mongolocks.benchmarks.client.Side;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.race.WireMeter.Traffic;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.spi.LockStrategy;

/** A set of idle locks of one strategy with one client, kept alive, and the traffic of their renewal. */
final class IdleHold implements AutoCloseable {
    private static final Metric COMMANDS = new Metric("idleCommands", "commands/lock-minute");
    private static final Metric BYTES = new Metric("idleBytes", "B/lock-minute");
    /** The ttl to which the figures are scaled. The renewal rate is inversely proportional to the ttl. */
    private static final Duration USUAL_TTL = Duration.ofSeconds(30);

    private final Workbench bench;
    private final Subject subject;
    private final Duration ttl;
    private final WireMeter meter = new WireMeter();
    private final Side side;
    private final List<Locks> clients = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private Traffic traffic = meter.traffic();
    private long startedNanos;
    private double ttls;

    IdleHold(Workbench bench, Subject subject, Duration ttl) {
        this.bench = bench;
        this.subject = subject.with("ttlSeconds", USUAL_TTL.toSeconds());
        this.ttl = ttl;
        this.side = bench.side(subject.client(), meter);
    }

    String contender() {
        return subject.contender();
    }

    void open(LockStrategy strategy, int locks) throws InterruptedException {
        Locks client = side.locks(strategy, bench.name(strategy.name()));
        clients.add(client);
        for (int lock = 0; lock < locks; lock++) {
            LockRequest request =
                    LockRequest.of("idle-" + UUID.randomUUID(), ttl).keepAlive();
            held.add(client.tryAcquire(request)
                    .orElseThrow(() -> new LockException("An uncontended lock was not granted")));
        }
    }

    void start() {
        startedNanos = System.nanoTime();
        traffic = meter.traffic();
    }

    void stop() {
        traffic = meter.traffic().since(traffic);
        ttls = (double) (System.nanoTime() - startedNanos) / ttl.toNanos();
    }

    /**
     * Releases the locks and records the traffic while they were held. If a lock was lost, the process was paused for
     * longer than the short lease, and nothing is recorded.
     */
    void tell(Session session) {
        long lost = held.stream().filter(lock -> !lock.release()).count();
        if (lost > 0 || held.isEmpty()) {
            session.remark("%s: what idle locks cost with %s (%s) is not known: %d of %d were lost."
                    .formatted(
                            subject.benchmark(), contender(), subject.client().id(), lost, held.size()));
            return;
        }
        session.record(measurement(COMMANDS, traffic.commands()));
        session.record(measurement(BYTES, traffic.bytes()));
    }

    @Override
    public void close() {
        clients.forEach(Locks::close);
        side.close();
    }

    private Measurement measurement(Metric metric, long sent) {
        double perTtl = sent / ttls / held.size();
        double perMinute = perTtl * Duration.ofMinutes(1).toSeconds() / USUAL_TTL.toSeconds();
        return Measurement.of(subject, metric, Estimate.once(perMinute), traffic.commands());
    }
}
