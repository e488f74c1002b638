package org.mongolocks.benchmarks.scenario;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.lock.StrategyLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.spi.LockStrategy;

/** The locks under test in one benchmark. They are measured one after another, in rounds. */
record LocksUnderTest(BenchmarkContext context, List<LockImplementation> contenders) implements AutoCloseable {
    /** The measurement of one lock under test in one round. */
    @FunctionalInterface
    interface Measurement {
        void run(LockImplementation contender) throws InterruptedException;
    }

    LocksUnderTest {
        contenders = List.copyOf(contenders);
    }

    /** A factory of the lock of a strategy with a client. */
    @FunctionalInterface
    private interface Factory {
        LockImplementation lock(RunEnvironment environment, LockStrategy strategy, Client client);
    }

    /** Returns each strategy with each client. */
    static LocksUnderTest ofStrategies(BenchmarkContext context) {
        return ofStrategies(context, StrategyLock::new);
    }

    private static LocksUnderTest ofStrategies(BenchmarkContext context, Factory factory) {
        return new LocksUnderTest(
                context,
                context.strategies().stream()
                        .flatMap(strategy -> Stream.of(Client.values())
                                .map(client -> factory.lock(context.environment(), strategy, client)))
                        .toList());
    }

    /** Returns each strategy with each client, and the locks of other libraries. */
    static LocksUnderTest ofAll(BenchmarkContext context, OtherLibraries peers) throws InterruptedException {
        return ofStrategies(context).with(peers.enter(context));
    }

    /** Does the same with all strategies of a driver on one pool, that of the baselines too. */
    static LocksUnderTest ofAllOnOnePool(BenchmarkContext context, OtherLibraries peers) throws InterruptedException {
        return ofStrategies(context, StrategyLock::onSharedPool).with(peers.enter(context));
    }

    /** Returns a copy with other entries, such as baselines, in front. */
    LocksUnderTest after(List<LockImplementation> first) {
        return new LocksUnderTest(
                context, Stream.concat(first.stream(), contenders.stream()).toList());
    }

    private LocksUnderTest with(List<LockImplementation> others) {
        return new LocksUnderTest(
                context, Stream.concat(contenders.stream(), others.stream()).toList());
    }

    /** Returns the locks that have not failed in this benchmark and that support waiting. */
    List<LockImplementation> supportingWait() {
        return stillIn().filter(contender -> contender.waiting().isOffered()).toList();
    }

    /** Measures each of these locks. A lock that fails is excluded from the rest of this benchmark. */
    void each(List<LockImplementation> some, Measurement measurement) throws InterruptedException {
        for (LockImplementation contender : some) {
            context.attempt(contender.id(), () -> measurement.run(contender));
        }
    }

    Stream<LockImplementation> stillIn() {
        return contenders.stream().filter(contender -> context.isIn(contender.id()));
    }

    @Override
    public void close() {
        contenders.forEach(LockImplementation::close);
    }
}
