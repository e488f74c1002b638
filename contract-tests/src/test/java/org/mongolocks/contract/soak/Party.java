package org.mongolocks.contract.soak;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.contract.BlockingLocks;
import org.mongolocks.contract.Driver;
import org.mongolocks.contract.DriverDoor;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.spi.LockStrategy;

/** Is one client of one driver with one strategy, on a way of its own; it can be closed and opened anew. Thread-safe. */
final class Party implements AutoCloseable {
    static final String DATABASE = "mongo_locks_soak";
    /** Short against a lease, so that a renewal can fail and be repeated. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(400);

    private final SoakPlan plan;
    private final LockStrategy strategy;
    private final List<Guarded> locks;
    private final FaultProxy proxy;
    private final DriverDoor door;
    private final String name;
    /** Of two who close it at a time, the second closes what the first has opened. */
    private final Object turn = new Object();

    private volatile BlockingLocks client;

    Party(SoakPlan plan, String uri, LockStrategy strategy, Driver driver, List<Guarded> locks)
            throws InterruptedException {
        this.plan = plan;
        this.strategy = strategy;
        this.locks = locks;
        this.proxy = DriverDoor.proxyBefore(uri);
        this.door = DriverDoor.through(proxy, uri, driver);
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

    /** Closes the client while others work with it, and opens another. */
    void reopen() throws InterruptedException {
        synchronized (turn) {
            client.close();
            client = build();
        }
    }

    /** Ends the client and its driver; the proxy goes on, to see what is left. */
    @Override
    public void close() {
        client.close();
        door.close();
    }

    /** Weather may keep a client from being built. */
    private BlockingLocks build() throws InterruptedException {
        while (true) {
            try {
                BlockingLocks built = door.build(
                        DATABASE, builder -> builder.strategy(strategy).commandTimeout(COMMAND_TIMEOUT));
                return plan.clients().apply(built);
            } catch (LockException e) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }
}
