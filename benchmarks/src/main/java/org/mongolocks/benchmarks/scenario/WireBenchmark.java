package org.mongolocks.benchmarks.scenario;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.Optional;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.OplogReader;
import org.mongolocks.benchmarks.target.ConnectionErrors;
import org.mongolocks.benchmarks.workload.GrantCostMeter;
import org.mongolocks.spi.LockStrategy;

/** The benchmark of the wire: the bytes and commands of a grant and its release, and the resulting oplog entries. */
public final class WireBenchmark implements Benchmark {
    private static final String ID = "B10";
    private static final int WEIGHT = 3;
    private static final String NO_OPLOG = "B10: oplog entries are not counted: ";

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "bytes and oplog entries of a grant";
    }

    @Override
    public int weight() {
        return WEIGHT;
    }

    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        Optional<OplogReader> oplog = readable(session);
        long bills =
                2L * Client.values().length * Math.max(1, session.strategies().size());
        for (Client client : Client.values()) {
            try (GrantCostMeter cashier = new GrantCostMeter(session, client, oplog, time.dividedBy(bills))) {
                charge(session, cashier);
            }
        }
    }

    private static void charge(BenchmarkContext session, GrantCostMeter cashier) throws InterruptedException {
        for (LockStrategy strategy : session.strategies()) {
            session.step(strategy.name());
            session.attempt(strategy.name(), () -> cashier.charge(ID, strategy));
        }
    }

    private static Optional<OplogReader> readable(BenchmarkContext session) {
        OplogReader oplog = session.bench().oplog();
        try {
            if (oplog.end().isPresent()) {
                return Optional.of(oplog);
            }
            session.remark(NO_OPLOG + "this server has no oplog.");
        } catch (MongoException e) {
            session.remark(NO_OPLOG + ConnectionErrors.gist(e));
        }
        return Optional.empty();
    }
}
