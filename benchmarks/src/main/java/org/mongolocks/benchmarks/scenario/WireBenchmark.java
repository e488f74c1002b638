package org.mongolocks.benchmarks.scenario;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.Optional;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.RunEnvironment.OplogReader;
import org.mongolocks.benchmarks.workload.GrantCostMeter;
import org.mongolocks.reporting.server.ConnectionErrors;
import org.mongolocks.spi.LockStrategy;

/** The benchmark of the wire: the bytes and commands of a grant and its release, and the resulting oplog entries. */
final class WireBenchmark implements Scenario {
    private static final String NO_OPLOG = "B10: oplog entries are not counted: ";

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        Optional<OplogReader> oplog = readable(context);
        long samples =
                2L * Client.values().length * Math.max(1, context.strategies().size());
        for (Client client : Client.values()) {
            try (GrantCostMeter meter = new GrantCostMeter(context, client, oplog, time.dividedBy(samples))) {
                charge(context, meter);
            }
        }
    }

    private static void charge(BenchmarkContext context, GrantCostMeter meter) throws InterruptedException {
        for (LockStrategy strategy : context.strategies()) {
            context.step(strategy.name());
            context.attempt(strategy.name(), () -> meter.charge(strategy));
        }
    }

    private static Optional<OplogReader> readable(BenchmarkContext context) {
        OplogReader oplog = context.environment().oplog();
        try {
            if (oplog.end().isPresent()) {
                return Optional.of(oplog);
            }
            context.results().remark(NO_OPLOG + "this server has no oplog.");
        } catch (MongoException e) {
            context.results().remark(NO_OPLOG + ConnectionErrors.firstLine(e));
        }
        return Optional.empty();
    }
}
