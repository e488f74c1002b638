package org.mongolocks.benchmarks.workload;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.bson.BsonTimestamp;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.Driver;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.lock.StrategyLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.RunEnvironment.OplogReader;
import org.mongolocks.benchmarks.sampling.Repetition;
import org.mongolocks.benchmarks.sampling.Repetition.Operation;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter;
import org.mongolocks.benchmarks.sampling.WireTrafficMeter.Traffic;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.spi.LockStrategy;

/** A meter for the costs of grants with one client, and of their baselines, through a pool whose traffic is counted. */
public final class GrantCostMeter implements AutoCloseable {
    private static final Metric COMMANDS = new Metric("commands", "commands/grant");

    private final BenchmarkContext context;
    private final Client client;
    private final Optional<OplogReader> oplog;
    private final Duration time;
    private final WireTrafficMeter meter = WireTrafficMeter.ofBytes();
    private final Driver driver;
    private final Map<Baseline, OperationCosts> baselines = new EnumMap<>(Baseline.class);

    /**
     * Opens the pool.
     *
     * @param oplog the oplog in which to count entries, if it is readable
     * @param time the time for each contender
     */
    public GrantCostMeter(BenchmarkContext context, Client client, Optional<OplogReader> oplog, Duration time) {
        this.context = context;
        this.client = client;
        this.oplog = oplog;
        this.time = time;
        this.driver = context.environment().driver(client, meter);
    }

    /** Records the costs of a strategy, compared with its baseline. */
    public void charge(LockStrategy strategy) throws InterruptedException {
        Baseline baseline = Baseline.of(strategy);
        String baselineId = baseline.contender().id();
        OperationCosts costs = costs(strategy);
        if (!baselines.containsKey(baseline)) {
            context.results().enter(baseline.contender());
            baselines.put(baseline, costs(baseline));
            record(context.subject(baselineId, client), baselines.get(baseline), Optional.empty());
        }
        MeasurementKey subject = context.subject(strategy.name(), client);
        double ratio = costs.bytes() / baselines.get(baseline).bytes();
        record(subject, costs, Optional.of(new Ratio(baselineId, Estimate.once(ratio))));
    }

    @Override
    public void close() {
        driver.close();
    }

    private OperationCosts costs(LockStrategy strategy) throws InterruptedException {
        try (BlockingLocks locks = driver.locks(strategy, context.environment().name(strategy.name()))) {
            UncontendedLock lock = new UncontendedLock(StrategyLock.participant(locks));
            OperationCosts costs = costs(lock::acquireAndRelease);
            context.judge(strategy.name(), lock.violations());
            return costs;
        }
    }

    private OperationCosts costs(Baseline baseline) throws InterruptedException {
        RawCommands raw = driver.raw(context.environment().name("baseline"));
        return costs(() -> baseline.run(raw));
    }

    private OperationCosts costs(Operation operation) throws InterruptedException {
        return OperationCosts.of(operation, time, meter, oplog);
    }

    private void record(MeasurementKey subject, OperationCosts costs, Optional<Ratio> ratio) {
        context.results().record(of(subject, Metric.BYTES, costs.bytes(), costs).with(ratio));
        context.results().record(of(subject, COMMANDS, costs.commands(), costs));
        costs.oplogEntries()
                .ifPresent(entries -> context.results().record(of(subject, Metric.OPLOG_ENTRIES, entries, costs)));
    }

    private static Measurement of(MeasurementKey subject, Metric metric, double value, OperationCosts costs) {
        return Measurement.of(subject, metric, Estimate.once(value), costs.operations());
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
        public static OperationCosts of(
                Operation operation, Duration time, WireTrafficMeter meter, Optional<OplogReader> oplog)
                throws InterruptedException {
            operation.run();
            Optional<BsonTimestamp> begin = oplog.flatMap(OplogReader::end);
            Traffic before = meter.traffic();
            long operations = Repetition.nanos(time, operation).getTotalCount();
            Traffic sent = meter.traffic().since(before);
            return new OperationCosts(
                    (double) sent.commands() / operations,
                    (double) sent.bytes() / operations,
                    entries(oplog, begin, operations),
                    operations);
        }

        private static OptionalDouble entries(
                Optional<OplogReader> oplog, Optional<BsonTimestamp> begin, long operations) {
            return oplog.isPresent() && begin.isPresent()
                    ? OptionalDouble.of((double) oplog.get().countSince(begin.get()) / operations)
                    : OptionalDouble.empty();
        }
    }
}
