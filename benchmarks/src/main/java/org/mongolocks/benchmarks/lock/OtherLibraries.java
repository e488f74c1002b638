package org.mongolocks.benchmarks.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.reporting.server.ServerAddress;
import org.mongolocks.reporting.server.UnusableInputException;

/**
 * The locks of other libraries that can be measured.
 *
 * @param addresses the address of each available server
 */
public record OtherLibraries(Map<Server, String> addresses) {
    public OtherLibraries {
        addresses = Map.copyOf(addresses);
    }

    /** A server other than MongoDB, with the library whose lock is measured on it. */
    public enum Server {
        /** For Redisson. */
        REDIS("Redis", "URI", ServerAddress.REDIS),
        /** For Curator. */
        ZOOKEEPER("ZooKeeper", "HOST:PORT", ServerAddress.ZOOKEEPER),
        /** For jetcd. */
        ETCD("etcd", "HOST:PORT", ServerAddress.ETCD),
        /** For Spring Integration. */
        POSTGRESQL("PostgreSQL", "URL", ServerAddress.POSTGRESQL);

        private final String title;
        private final String placeholder;
        private final ServerAddress address;

        Server(String title, String placeholder, ServerAddress address) {
            this.title = title;
            this.placeholder = placeholder;
            this.address = address;
        }

        /** Returns the name of the option with its address. */
        public String option() {
            return address.option();
        }

        /** Returns what stands for the address in the help text. */
        public String placeholder() {
            return placeholder;
        }

        /** Returns the library as an entry of the results, as far as it is known without the server. */
        private LockUnderTest unmeasured() {
            return switch (this) {
                case REDIS -> RedissonFencedLock.contender("as Redis is configured");
                case ZOOKEEPER -> CuratorLock.CONTENDER;
                case ETCD -> EtcdLock.CONTENDER;
                case POSTGRESQL -> SpringJdbcLock.contender("as PostgreSQL is configured");
            };
        }

        /** Returns the lock of the library, before any connection. */
        OtherServerLock lock(String address, RunEnvironment environment) {
            return switch (this) {
                case REDIS -> new RedissonFencedLock(address, environment.name(""));
                case ZOOKEEPER -> new CuratorLock(address, environment.name("locks"));
                case ETCD -> new EtcdLock(address, environment.name("locks."));
                case POSTGRESQL -> new SpringJdbcLock(address, environment.name("locks"));
            };
        }
    }

    /**
     * Checks the addresses. The message does not repeat an address, which may contain a password.
     *
     * @throws UnusableInputException if an address is malformed
     */
    public void requireAddresses() {
        addresses.forEach((server, address) -> server.address.require(address));
    }

    /** Adds all libraries to a run, and returns those that can be measured. The caller closes them. */
    public List<LockImplementation> enter(BenchmarkContext context) throws InterruptedException {
        List<LockImplementation> contenders = new ArrayList<>();
        context.results().enter(ShedLockLock.CONTENDER);
        contenders.add(new ShedLockLock(context.environment()));
        context.results().enter(MongockLock.CONTENDER);
        contenders.add(new MongockLock(context.environment()));
        for (Server server : Server.values()) {
            enter(server, context).ifPresent(contenders::add);
        }
        return contenders;
    }

    private Optional<LockImplementation> enter(Server server, BenchmarkContext context) throws InterruptedException {
        if (!addresses.containsKey(server)) {
            return skipped(server, "needs " + server.option(), context);
        }
        OtherServerLock lock = server.lock(addresses.get(server), context.environment());
        try {
            context.results().enter(lock.entry());
            return Optional.of(lock);
        } catch (UnusableInputException e) {
            return skipped(server, String.valueOf(e.getMessage()), context);
        } catch (RuntimeException e) {
            return skipped(server, "no " + server.title + " answers at " + server.option(), context);
        }
    }

    private static Optional<LockImplementation> skipped(Server server, String reason, BenchmarkContext context) {
        context.results().enter(server.unmeasured().with(MeasurementStatus.skipped(reason)));
        return Optional.empty();
    }
}
