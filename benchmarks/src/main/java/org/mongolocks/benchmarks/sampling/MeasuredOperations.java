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
    public interface Factory {
        List<MeasuredOperation> operations(BenchmarkFixture fixture, LockStrategy strategy) throws InterruptedException;
    }

    private final BenchmarkContext context;
    private final List<BenchmarkFixture> fixtures;

    public MeasuredOperations(BenchmarkContext context) {
        this.context = context;
        this.fixtures = Stream.of(Client.values())
                .map(client -> new BenchmarkFixture(context, client))
                .toList();
    }

    public BenchmarkFixture fixture(Client client) {
        return fixtures.stream()
                .filter(fixture -> fixture.client() == client)
                .findFirst()
                .orElseThrow();
    }

    public List<MeasuredOperation> operations(Factory factory) throws InterruptedException {
        List<MeasuredOperation> operations = new ArrayList<>();
        for (BenchmarkFixture fixture : fixtures) {
            for (LockStrategy strategy : context.strategies()) {
                context.attempt(strategy.name(), () -> operations.addAll(factory.operations(fixture, strategy)));
            }
        }
        return operations;
    }

    @Override
    public void close() {
        fixtures.forEach(BenchmarkFixture::close);
    }
}
