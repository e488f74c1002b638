package org.mongolocks.study.process;

import java.util.Optional;
import java.util.random.RandomGenerator;
import org.mongolocks.proxy.FaultProxy;

/**
 * The route of the children to the server: direct, or through a proxy.
 *
 * @param proxy the proxy, if there is one
 */
record ChildRoute(Optional<FaultProxy> proxy) implements AutoCloseable {
    static ChildRoute none() {
        return new ChildRoute(Optional.empty());
    }

    static ChildRoute to(TestDatabase site) {
        return new ChildRoute(Optional.of(FaultProxy.before(site.primary())));
    }

    /** Returns the port of the proxy; 0 if there is none. */
    int port() {
        return proxy.map(one -> one.address().getPort()).orElse(0);
    }

    void arm(NetworkFaults interference, RandomGenerator random, RunObserver observer) {
        proxy.ifPresent(one -> interference.arm(one, random, observer));
    }

    void heal() {
        proxy.ifPresent(FaultProxy::heal);
    }

    @Override
    public void close() {
        proxy.ifPresent(FaultProxy::close);
    }
}
