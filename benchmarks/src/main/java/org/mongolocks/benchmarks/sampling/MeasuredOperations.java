package org.mongolocks.benchmarks.sampling;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.spi.LockStrategy;

/** The measured operations of a paired benchmark: each strategy with each client. Closing it judges the violations. */
public final class MeasuredOperations implements AutoCloseable {
    /** A factory of the measured operations of a strategy. */
    @FunctionalInterface
    public interface Maker {
        List<MeasuredOperation> lanes(BenchmarkFixture field, LockStrategy strategy) throws InterruptedException;
    }

    private final BenchmarkContext session;
    private final List<BenchmarkFixture> fields;

    public MeasuredOperations(BenchmarkContext session, String benchmark) {
        this.session = session;
        this.fields = Stream.of(Client.values())
                .map(client -> new BenchmarkFixture(session, benchmark, client))
                .toList();
    }

    public List<BenchmarkFixture> fields() {
        return fields;
    }

    public List<MeasuredOperation> lanes(Maker maker) throws InterruptedException {
        List<MeasuredOperation> lanes = new ArrayList<>();
        for (BenchmarkFixture field : fields) {
            for (LockStrategy strategy : session.strategies()) {
                session.attempt(strategy.name(), () -> lanes.addAll(maker.lanes(field, strategy)));
            }
        }
        return lanes;
    }

    @Override
    public void close() {
        fields.forEach(BenchmarkFixture::close);
    }
}
