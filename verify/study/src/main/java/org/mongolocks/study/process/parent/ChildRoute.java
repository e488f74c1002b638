package org.mongolocks.study.process.parent;

import java.util.Optional;
import java.util.random.RandomGenerator;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.study.process.fault.NetworkFaults;
import org.mongolocks.study.process.observer.RunObserver;

/**
 * The route of the children to the server: direct, or through a proxy.
 *
 * @param proxy the proxy, if there is one
 */
public record ChildRoute(Optional<FaultProxy> proxy) implements AutoCloseable {
    public static ChildRoute none() {
        return new ChildRoute(Optional.empty());
    }

    public static ChildRoute to(TestDatabase site) {
        return new ChildRoute(Optional.of(FaultProxy.before(site.primary())));
    }

    /** Returns the port of the proxy; 0 if there is none. */
    public int port() {
        return proxy.map(one -> one.address().getPort()).orElse(0);
    }

    public void arm(NetworkFaults interference, RandomGenerator random, RunObserver observer) {
        proxy.ifPresent(one -> interference.arm(one, random, observer));
    }

    public void heal() {
        proxy.ifPresent(FaultProxy::heal);
    }

    @Override
    public void close() {
        proxy.ifPresent(FaultProxy::close);
    }
}
