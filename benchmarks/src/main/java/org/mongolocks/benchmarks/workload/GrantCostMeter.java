package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.bson.BsonTimestamp;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.BenchmarkClient;
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.OplogReader;
import org.mongolocks.benchmarks.sampling.Samples;
import org.mongolocks.benchmarks.sampling.Samples.Operation;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter.Traffic;
import org.mongolocks.spi.LockStrategy;

/** A meter for the costs of grants with one client, and of their baselines, through a pool whose traffic is counted. */
public final class GrantCostMeter implements AutoCloseable {
    private static final Metric COMMANDS = new Metric("commands", "commands/grant");

    private final BenchmarkContext session;
    private final Client client;
    private final Optional<OplogReader> oplog;
    private final Duration time;
    private final WireTrafficMeter meter = new WireTrafficMeter();
    private final DriverAdapter side;
    private final Map<Baseline, OperationCosts> floors = new EnumMap<>(Baseline.class);

    /**
     * Opens the pool.
     *
     * @param oplog the oplog in which to count entries, if it is readable
     * @param time the time for each contender
     */
    public GrantCostMeter(BenchmarkContext session, Client client, Optional<OplogReader> oplog, Duration time) {
        this.session = session;
        this.client = client;
        this.oplog = oplog;
        this.time = time;
        this.side = session.bench().side(client, meter);
    }

    /** Records the costs of a strategy, compared with its baseline. */
    public void charge(String benchmark, LockStrategy strategy) throws InterruptedException {
        Baseline floor = Baseline.of(strategy);
        String floorId = floor.contender(Baseline.DURABLE).id();
        OperationCosts bill = bill(strategy);
        if (!floors.containsKey(floor)) {
            session.enter(floor.contender(Baseline.DURABLE));
            floors.put(floor, bill(floor));
            record(MeasurementKey.of(benchmark, floorId, client), floors.get(floor), Optional.empty());
        }
        double ratio = bill.bytes() / floors.get(floor).bytes();
        record(
                MeasurementKey.of(benchmark, strategy.name(), client),
                bill,
                Optional.of(new Ratio(floorId, Estimate.once(ratio))));
    }

    @Override
    public void close() {
        side.close();
    }

    private OperationCosts bill(LockStrategy strategy) throws InterruptedException {
        try (BenchmarkClient locks = side.locks(strategy, session.bench().name(strategy.name()))) {
            UncontendedLock lock = new UncontendedLock(locks);
            OperationCosts bill = bill(lock::acquireAndRelease);
            session.judge(strategy.name(), lock.violations());
            return bill;
        }
    }

    private OperationCosts bill(Baseline floor) throws InterruptedException {
        RawCommands raw = side.raw(Baseline.DURABLE, session.bench().name("floor"));
        return bill(() -> floor.run(raw));
    }

    private OperationCosts bill(Operation operation) throws InterruptedException {
        return OperationCosts.of(operation, time, meter, oplog);
    }

    private void record(MeasurementKey subject, OperationCosts bill, Optional<Ratio> ratio) {
        Measurement bytes = of(subject, Metric.BYTES, bill.bytes(), bill);
        session.record(ratio.map(bytes::with).orElse(bytes));
        session.record(of(subject, COMMANDS, bill.commands(), bill));
        bill.oplogEntries().ifPresent(entries -> session.record(of(subject, Metric.OPLOG_ENTRIES, entries, bill)));
    }

    private static Measurement of(MeasurementKey subject, Metric metric, double value, OperationCosts bill) {
        return Measurement.of(subject, metric, Estimate.once(value), bill.operations());
    }

    /**
     * The mean costs of an operation on the wire and in the oplog.
     *
     * @param commands the number of commands
     * @param bytes the size of the documents of commands and replies
     * @param oplogEntries the number of oplog entries, if the oplog is readable
     * @param operations the number of operations
     */
    public record OperationCosts(double commands, double bytes, OptionalDouble oplogEntries, long operations) {
        /** Repeats an operation. The first execution does not count: it may create documents that the others find. */
        public static OperationCosts of(Operation operation, Duration time, WireTrafficMeter meter, Optional<OplogReader> oplog)
                throws InterruptedException {
            operation.run();
            Optional<BsonTimestamp> begin = oplog.flatMap(OplogReader::end);
            Traffic before = meter.traffic();
            long operations = Samples.of(time, operation).nanos().getTotalCount();
            Traffic sent = meter.traffic().since(before);
            return new OperationCosts(
                    (double) sent.commands() / operations,
                    (double) sent.bytes() / operations,
                    entries(oplog, begin, operations),
                    operations);
        }

        private static OptionalDouble entries(Optional<OplogReader> oplog, Optional<BsonTimestamp> begin, long operations) {
            return oplog.isPresent() && begin.isPresent()
                    ? OptionalDouble.of((double) oplog.get().countSince(begin.get()) / operations)
                    : OptionalDouble.empty();
        }
    }
}
