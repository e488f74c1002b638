package org.mongolocks.benchmarks.rival;

import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.client.Held;
import org.mongolocks.benchmarks.client.Locks;
import org.mongolocks.benchmarks.client.Side;
import org.mongolocks.benchmarks.measure.CommandCounter;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.spi.LockStrategy;

/** A strategy with one of the two clients, on its own connections. */
public final class StrategyRival implements Rival {
    private final Workbench bench;
    private final LockStrategy strategy;
    private final CommandCounter commands = new CommandCounter();
    private final Side side;

    public StrategyRival(Workbench bench, LockStrategy strategy, Client client) {
        this.bench = bench;
        this.strategy = strategy;
        this.side = bench.side(client, commands);
    }

    @Override
    public String id() {
        return strategy.name();
    }

    @Override
    public Client client() {
        return side.client();
    }

    @Override
    public Party open() throws InterruptedException {
        return new OneClient(side.locks(strategy, bench.name(strategy.name())));
    }

    @Override
    public Waiting waiting() {
        return bench.waiting();
    }

    @Override
    public OptionalLong commands() {
        return OptionalLong.of(commands.count());
    }

    @Override
    public void close() {
        side.close();
    }

    private record OneClient(Locks locks) implements Party {
        @Override
        public Optional<Grant> acquire(LockRequest request) throws InterruptedException {
            return locks.acquire(request).map(Lock::new);
        }

        @Override
        public void close() {
            locks.close();
        }
    }

    private record Lock(Held held) implements Grant {
        @Override
        public OptionalLong fencingToken() {
            return OptionalLong.of(held.fencingToken());
        }

        @Override
        public boolean release() {
            return held.release();
        }
    }
}
