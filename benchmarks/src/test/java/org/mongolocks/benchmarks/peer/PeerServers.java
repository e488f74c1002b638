package org.mongolocks.benchmarks.peer;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.Optional;
import java.util.UUID;
import org.mongolocks.benchmarks.rival.Rival;

/** Has the servers of other libraries that are named by a system property or an environment variable. */
enum PeerServers {
    /** A Redis, for Redisson. */
    MONGO_LOCKS_REDIS("redis://HOST:PORT") {
        @Override
        Rival rival(String address) {
            return new RedissonRival(address, "mongo-locks-test-" + UUID.randomUUID() + ".");
        }
    },
    /** A ZooKeeper, for Curator. */
    MONGO_LOCKS_ZOOKEEPER("HOST:PORT") {
        @Override
        Rival rival(String address) {
            return new CuratorRival(address, "mongo-locks-test-" + UUID.randomUUID());
        }
    };

    private final String form;

    PeerServers(String form) {
        this.form = form;
    }

    /** Uses the lock of the library at an address. */
    abstract Rival rival(String address);

    /** Uses the lock of the library, or skips the test if no server is named. */
    Rival rival() {
        return rival(address());
    }

    /** Gives the address that is named, or skips the test. */
    String address() {
        return named().orElseGet(
                        () -> abort("No server is named: set " + name() + ", in the environment or as a system property, to "
                                + form));
    }

    private Optional<String> named() {
        return Optional.ofNullable(System.getProperty(name(), System.getenv(name())))
                .filter(address -> !address.isBlank());
    }
}
