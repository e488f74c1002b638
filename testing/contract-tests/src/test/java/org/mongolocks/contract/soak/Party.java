package org.mongolocks.contract.soak;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.contract.ProxiedDriver;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.spi.LockStrategy;

/** A client of one driver with one strategy, on a route of its own; it can be closed and reopened. Thread-safe. */
final class Party implements AutoCloseable {
    static final String DATABASE = "mongo_locks_soak";
    /** Short compared with a lease, so that a failed renewal can be retried. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

    private final SoakPlan plan;
    private final LockStrategy strategy;
    private final List<Guarded> locks;
    private final FaultProxy proxy;
    private final ProxiedDriver proxied;
    private final String name;
    /** Serializes calls of close, because the second caller closes the client that the first has opened. */
    private final Object monitor = new Object();

    private volatile BlockingLocks client;

    Party(SoakPlan plan, String uri, LockStrategy strategy, Driver driver, List<Guarded> locks)
            throws InterruptedException {
        this.plan = plan;
        this.strategy = strategy;
        this.locks = locks;
        this.proxy = ProxiedDriver.proxyBefore(uri);
        this.proxied = ProxiedDriver.through(proxy, uri, driver);
        this.name = name(strategy, driver);
        this.client = build();
    }

    static String name(LockStrategy strategy, Driver driver) {
        return strategy.name() + "-" + driver.name();
    }

    String name() {
        return name;
    }

    FaultProxy proxy() {
        return proxy;
    }

    List<Guarded> locks() {
        return locks;
    }

    BlockingLocks client() {
        return client;
    }

    /** Closes the client while others use it, and opens another. */
    void reopen() throws InterruptedException {
        synchronized (monitor) {
            client.close();
            client = build();
        }
    }

    /** Closes the client and its driver; the proxy continues, so that remaining connections can be counted. */
    @Override
    public void close() {
        client.close();
        proxied.close();
    }

    /** Retries, because faults may keep a client from being built. */
    private BlockingLocks build() throws InterruptedException {
        while (true) {
            try {
                BlockingLocks built = proxied.build(
                        DATABASE, builder -> builder.strategy(strategy).commandTimeout(COMMAND_TIMEOUT));
                return plan.clients().apply(built);
            } catch (LockException e) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }
}
