package org.mongolocks.spring.boot;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.UUID;
import org.mongolocks.LockRequest;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application on the embedded server, with a database of its own. */
final class TestApplication implements AutoCloseable {
    static final String STRATEGY = "insert-unique";
    static final String NAME = "invoice-42";
    static final LockRequest REQUEST =
            LockRequest.of(NAME, Duration.ofMinutes(1)).fixedLease();

    final String database = "boot-" + UUID.randomUUID();

    static String uri() {
        return ServerFinder.embedded().uri();
    }

    static MongoClient mongo() {
        return DriverClients.shared(uri()).sync();
    }

    /**
     * Returns an application without keys of this library, and without a connection. It does not see the embedded
     * server's Netty: Spring Boot would give it to the reactive driver, and each close would wait two seconds for it.
     */
    static ApplicationContextRunner withoutKeys() {
        return new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("io.netty"))
                .withConfiguration(AutoConfigurations.of(
                        MongoAutoConfiguration.class,
                        MongoReactiveAutoConfiguration.class,
                        MongoLocksAutoConfiguration.class,
                        MongoLocksReactiveAutoConfiguration.class,
                        MongoLocksActuatorAutoConfiguration.class,
                        MongoLocksAnnotationAutoConfiguration.class,
                        MongoLocksLeaderElectionAutoConfiguration.class,
                        MongoLocksMicrometerAutoConfiguration.class,
                        MongoLocksShedLockAutoConfiguration.class));
    }

    /** Returns an application that is connected and has chosen a strategy. */
    ApplicationContextRunner runner() {
        return withoutStrategy().withPropertyValues("mongo-locks.strategy=" + STRATEGY);
    }

    ApplicationContextRunner withoutStrategy() {
        return withoutKeys()
                .withPropertyValues(
                        "spring.mongodb.uri=" + uri(),
                        "spring.mongodb.database=" + database,
                        "mongo-locks.drain-timeout=0s");
    }

    /** Returns whether the lock is held, as another client sees it. */
    boolean isHeld() throws InterruptedException {
        try (LockClient other = LockClient.builder(mongo(), database)
                .drainTimeout(Duration.ZERO)
                .strategy(STRATEGY)
                .build()) {
            return other.inspect(NAME).orElseThrow().isHeld();
        }
    }

    @Override
    public void close() {
        mongo().getDatabase(database).drop();
    }
}
