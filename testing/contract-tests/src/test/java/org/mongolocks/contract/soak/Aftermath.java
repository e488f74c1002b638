package org.mongolocks.contract.soak;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.ProxiedDriver;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/** The checks after all clients are closed: no lock, no connection and no thread is left, and no write is lost. */
final class Aftermath {
    private static final Duration SOON = Duration.ofSeconds(5);
    /** The longest time that a lock can outlive its clients, plus the time to acquire it. */
    private static final Duration UNTIL_FREE = Worker.TTL.plusSeconds(2);
    /** A statement that arrives late begins a transaction that is never ended; the server aborts it after 60 s. */
    private static final Duration TRANSACTION_LIFETIME = Duration.ofSeconds(65);

    private final SoakPlan plan;
    private final String uri;
    private final Findings findings;

    Aftermath(SoakPlan plan, String uri, Findings findings) {
        this.plan = plan;
        this.uri = uri;
        this.findings = findings;
    }

    void judge(List<Party> parties, List<Guarded> guarded) throws InterruptedException {
        parties.forEach(Party::close);
        requireSoon("connections are left", () -> parties.stream().allMatch(this::hasNoConnection));
        requireSoon("threads of closed clients are left", () -> threads().isEmpty());
        threads().forEach(thread -> findings.violated(thread + " is left"));
        for (Guarded lock : guarded) {
            require("writes to " + lock.name() + " are lost", lock.data().isComplete());
        }
        for (Party party : parties) {
            require(party.name() + " was granted nothing", findings.of("grants of " + party.name()) > 0);
        }
        for (LockStrategy strategy : plan.strategies()) {
            requireFree(
                    strategy,
                    guarded.stream()
                            .filter(lock -> lock.name().value().matches(strategy.name() + "-\\d+"))
                            .toList());
        }
    }

    private boolean hasNoConnection(Party party) {
        return party.proxy().connections() == 0;
    }

    /** Threads of a client are found by the prefix of their names, which is the same on both drivers. */
    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("mongo-locks"))
                .toList();
    }

    private void requireFree(LockStrategy strategy, List<Guarded> guarded) throws InterruptedException {
        try (FaultProxy proxy = ProxiedDriver.proxyBefore(uri);
                ProxiedDriver proxied = ProxiedDriver.through(proxy, uri, Driver.SYNC);
                BlockingLocks locks = proxied.build(Party.DATABASE, builder -> builder.strategy(strategy))) {
            Duration atMost = needsTransactions(strategy) ? TRANSACTION_LIFETIME : UNTIL_FREE;
            for (Guarded lock : guarded) {
                LockRequest request = new LockRequest(lock.name(), Worker.TTL, atMost);
                require(
                        lock.name() + " cannot be acquired within " + atMost,
                        locks.acquire(request).isPresent());
            }
        }
    }

    private static boolean needsTransactions(LockStrategy strategy) {
        return strategy.traits().contains(Trait.NEEDS_TRANSACTIONS);
    }

    private void require(String otherwise, boolean fact) {
        if (!fact) {
            findings.violated(otherwise);
        }
    }

    private void requireSoon(String otherwise, BooleanSupplier fact) throws InterruptedException {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!fact.getAsBoolean() && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        require(otherwise, fact.getAsBoolean());
    }
}
