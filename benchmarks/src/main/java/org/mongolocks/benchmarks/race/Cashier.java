package org.mongolocks.benchmarks.race;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.benchmarks.client.Locks;
import org.mongolocks.benchmarks.client.Raw;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.client.Side;
import org.mongolocks.benchmarks.measure.Block.Operation;
import org.mongolocks.benchmarks.measure.Oplog;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Ratio;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.spi.LockStrategy;

/** A meter for the costs of grants with one client, and of their baselines, through a pool whose traffic is counted. */
final class Cashier implements AutoCloseable {
    private static final Metric COMMANDS = new Metric("commands", "commands/grant");

    private final Session session;
    private final Client client;
    private final Optional<Oplog> oplog;
    private final Duration time;
    private final WireMeter meter = new WireMeter();
    private final Side side;
    private final Map<RawFloor, Bill> floors = new EnumMap<>(RawFloor.class);

    /**
     * Opens the pool.
     *
     * @param oplog the oplog in which to count entries, if it is readable
     * @param time the time for each contender
     */
    Cashier(Session session, Client client, Optional<Oplog> oplog, Duration time) {
        this.session = session;
        this.client = client;
        this.oplog = oplog;
        this.time = time;
        this.side = session.bench().side(client, meter);
    }

    /** Records the costs of a strategy, compared with its baseline. */
    void charge(String benchmark, LockStrategy strategy) throws InterruptedException {
        RawFloor floor = RawFloor.of(strategy);
        String floorId = floor.contender(RawFloor.DURABLE).id();
        Bill bill = bill(strategy);
        if (!floors.containsKey(floor)) {
            session.enter(floor.contender(RawFloor.DURABLE));
            floors.put(floor, bill(floor));
            record(Subject.of(benchmark, floorId, client), floors.get(floor), Optional.empty());
        }
        double ratio = bill.bytes() / floors.get(floor).bytes();
        record(
                Subject.of(benchmark, strategy.name(), client),
                bill,
                Optional.of(new Ratio(floorId, Estimate.once(ratio))));
    }

    @Override
    public void close() {
        side.close();
    }

    private Bill bill(LockStrategy strategy) throws InterruptedException {
        try (Locks locks = side.locks(strategy, session.bench().name(strategy.name()))) {
            OwnLock lock = new OwnLock(locks);
            Bill bill = bill(lock::acquireAndRelease);
            session.judge(strategy.name(), lock.violations());
            return bill;
        }
    }

    private Bill bill(RawFloor floor) throws InterruptedException {
        Raw raw = side.raw(RawFloor.DURABLE, session.bench().name("floor"));
        return bill(() -> floor.run(raw));
    }

    private Bill bill(Operation operation) throws InterruptedException {
        return Bill.of(operation, time, meter, oplog);
    }

    private void record(Subject subject, Bill bill, Optional<Ratio> ratio) {
        Measurement bytes = of(subject, Metric.BYTES, bill.bytes(), bill);
        session.record(ratio.map(bytes::with).orElse(bytes));
        session.record(of(subject, COMMANDS, bill.commands(), bill));
        bill.oplogEntries().ifPresent(entries -> session.record(of(subject, Metric.OPLOG_ENTRIES, entries, bill)));
    }

    private static Measurement of(Subject subject, Metric metric, double value, Bill bill) {
        return Measurement.of(subject, metric, Estimate.once(value), bill.operations());
    }
}
