package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.shedlock.MongoLocksLockProvider;
import org.mongolocks.spring.CurrentLock;
import org.mongolocks.spring.Locked;
import org.mongolocks.spring.boot.LocksEndpoint.StoredLock;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.mongo.MongoConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The auto-configuration in an application with Spring Boot 3, Spring Framework 6 and their driver. */
class SpringBoot3Test {
    private static final String NAME = "invoice-42";
    private static final LockRequest REQUEST =
            LockRequest.of(NAME, Duration.ofMinutes(1)).fixedLease();

    private final String database = "boot3-" + UUID.randomUUID();

    @AfterEach
    void drop() {
        DriverClients.shared(uri()).sync().getDatabase(database).drop();
    }

    private static String uri() {
        return ServerFinder.embedded().uri();
    }

    /** Spring Boot would give the embedded server's Netty to the reactive driver, and wait for it at each close. */
    private static ApplicationContextRunner unconnected() {
        return new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("io.netty"))
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "mongo-locks.strategy=insert-unique",
                        "mongo-locks.drain-timeout=0s",
                        "management.endpoints.web.exposure.include=locks",
                        "management.endpoint.locks.access=UNRESTRICTED");
    }

    private ApplicationContextRunner runner() {
        return unconnected()
                .withPropertyValues("spring.data.mongodb.uri=" + uri(), "spring.data.mongodb.database=" + database);
    }

    /** Returns whether the lock is held, as another client sees it. */
    private boolean isHeld() throws InterruptedException {
        try (LockClient other = LockClient.builder(DriverClients.shared(uri()).sync(), database)
                .drainTimeout(Duration.ZERO)
                .strategy("insert-unique")
                .build()) {
            return other.inspect(NAME).orElseThrow().isHeld();
        }
    }

    @Test
    void versionIsOfTheThirdLine() {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
    }

    @Test
    void bothClientsUseTheConnectionOfTheApplication() {
        runner().run(context -> {
            assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();
            assertThat(context.getBean(ReactiveLockClient.class).inspect(NAME).blockOptional())
                    .hasValueSatisfying(lock -> assertThat(lock.isHeld()).isTrue());
            assertThat(isHeld()).isTrue();

            context.close();

            assertThat(isHeld()).isFalse();
        });
    }

    @Test
    void serviceConnectionIsUsed() {
        ConnectionString service = new ConnectionString(uri().replaceFirst("/(\\?|$)", "/" + database + "$1"));
        unconnected()
                .withPropertyValues("spring.data.mongodb.uri=mongodb://localhost:1/no")
                .withBean(MongoConnectionDetails.class, () -> () -> service)
                .run(context -> {
                    assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST))
                            .isPresent();
                    assertThat(isHeld()).isTrue();
                });
    }

    @Test
    void annotatedMethodRunsUnderTheLock() {
        runner()
                // A class that is not public and its proxy need one loader.
                .withClassLoader(Billing.class.getClassLoader())
                .withPropertyValues("mongo-locks.reactive.enabled=false")
                .withBean(Billing.class)
                .run(context ->
                        assertThat(context.getBean(Billing.class).bill(42)).isPositive());
    }

    @Test
    void integrationsUseTheClients() {
        MeterRegistry registry = new SimpleMeterRegistry();
        runner().withBean(MeterRegistry.class, () -> registry).run(context -> {
            assertThat(context.getBean(LockProvider.class)).isInstanceOf(MongoLocksLockProvider.class);
            assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();
            assertThat(context.getBean(LocksEndpoint.class)
                            .list(null, null, null, null, null, null)
                            .locks())
                    .extracting(StoredLock::name)
                    .containsExactly(NAME);
            assertThat(registry.get("mongo.locks.held")
                            .tag("client", "lockClient")
                            .gauge())
                    .isNotNull();
        });
    }

    /** The drain is longer than the test may take. */
    @Test
    void leaderHandsOverBeforeTheClientIsClosed() throws Exception {
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        runner().withPropertyValues("mongo-locks.drain-timeout=5m").run(context -> {
            var unused = context.getBean(LeaderElection.class)
                    .start(
                            Candidate.of(NAME, Duration.ofMinutes(10)),
                            event -> begun.complete(event instanceof LeaderEvent.Elected));
            assertThat(begun).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
        });

        assertThat(isHeld()).isFalse();
    }

    static class Billing {
        @Locked(name = "invoice-#{#id}", ttl = "30s")
        public long bill(long id) {
            return CurrentLock.get().fencingToken();
        }
    }

    /** An application that has nothing but its dependencies. */
    @EnableAutoConfiguration
    static class Application {}
}
