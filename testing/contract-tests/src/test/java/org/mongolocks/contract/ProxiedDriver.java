package org.mongolocks.contract;

import com.mongodb.MongoClientSettings;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.ProxyRoute;
import org.mongolocks.proxy.FaultProxy;

/** Access to the contract's clients, for tests of other packages. */
@SuppressWarnings("exports") // The proxy is for tests of this module only.
public final class ProxiedDriver implements AutoCloseable {
    private final Driver driver;
    private final DriverClients connection;

    private ProxiedDriver(Driver driver, DriverClients connection) {
        this.driver = driver;
        this.connection = connection;
    }

    /** Opens a driver that reaches a server through a proxy. */
    public static ProxiedDriver through(FaultProxy proxy, String uri, Driver driver) {
        MongoClientSettings settings = ProxyRoute.through(proxy, uri, UnaryOperator.identity());
        return new ProxiedDriver(driver, DriverClients.of(settings));
    }

    /** Starts a proxy in front of the primary. */
    public static FaultProxy proxyBefore(String uri) {
        return FaultProxy.before(ProxyRoute.addressOf(uri));
    }

    /** Builds a client, an instance of its own. */
    public BlockingLocks build(String database, Consumer<LockClientBuilder<?>> setup) throws InterruptedException {
        return driver.build(connection, database, setup::accept);
    }

    @Override
    public void close() {
        connection.close();
    }
}
