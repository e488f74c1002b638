package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spring.boot.TestApplication.NAME;
import static org.mongolocks.spring.boot.TestApplication.REQUEST;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spring.boot.LocksEndpoint.Page;
import org.mongolocks.spring.boot.LocksEndpoint.Release;
import org.mongolocks.spring.boot.LocksEndpoint.StoredLock;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.mongodb.autoconfigure.health.MongoHealthContributorAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.health.MongoReactiveHealthContributorAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MongoLocksActuatorTest {
    private final TestApplication application = new TestApplication();

    @AfterEach
    void close() {
        application.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void healthShowsTheRoundTripAndTheChangeStream(String hasSyncClient) {
        application
                .runner()
                .withPropertyValues("mongo-locks.sync.enabled=" + hasSyncClient)
                .run(context -> {
                    Health health = health(context.getBean(LocksHealthIndicator.class));

                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails())
                            .containsEntry("strategy", "insert-unique")
                            .containsEntry("changeStream", "idle")
                            .containsKey("roundTripMillis")
                            .doesNotContainKey("changeStreamReason");
                });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                MongoHealthContributorAutoConfiguration.class,
                MongoReactiveHealthContributorAutoConfiguration.class
            })
    void healthOfMongoThatSpringBootShowsIsUpOnTheEmbeddedServer(Class<?> driver) {
        application.runner().withConfiguration(AutoConfigurations.of(driver)).run(context -> {
            Object indicator = context.getBean("mongoHealthContributor");

            assertThat(healthOf(indicator).getStatus()).isEqualTo(Status.UP);
        });
    }

    private static Health healthOf(Object indicator) {
        return Objects.requireNonNull(
                indicator instanceof ReactiveHealthIndicator reactive
                        ? reactive.health().block()
                        : ((HealthIndicator) indicator).health());
    }

    @Test
    void healthSaysWhyWaitersPoll() {
        application
                .runner()
                .withPropertyValues("mongo-locks.reactive.enabled=false")
                .withBean(
                        MongoClientSettingsBuilderCustomizer.class,
                        () -> settings -> settings.timeout(1, TimeUnit.MINUTES))
                .run(context -> {
                    Health health = health(context.getBean(LocksHealthIndicator.class));

                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails()).containsEntry("changeStream", "unavailable");
                    assertThat(health.getDetails().get("changeStreamReason"))
                            .asString()
                            .contains("timeoutMS");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void healthIsOutOfServiceAfterTheClientWasClosed(String hasSyncClient) {
        application
                .runner()
                .withPropertyValues("mongo-locks.sync.enabled=" + hasSyncClient)
                .run(context -> {
                    LocksHealthIndicator indicator = context.getBean(LocksHealthIndicator.class);
                    context.getBeanProvider(LockClient.class).ifAvailable(LockClient::close);
                    context.getBean(ReactiveLockClient.class).close();

                    assertThat(health(indicator).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
                });
    }

    @Test
    void healthIsDownWhileALazyClientDoesNotReachTheServer() {
        application
                .runner()
                .withPropertyValues(
                        "spring.mongodb.uri=mongodb://localhost:1/?serverSelectionTimeoutMS=100",
                        "mongo-locks.command-timeout=200ms",
                        "mongo-locks.lazy=true")
                .run(context -> assertThat(health(context.getBean(LocksHealthIndicator.class))
                                .getStatus())
                        .isEqualTo(Status.DOWN));
    }

    @Test
    void healthKeySwitchesItOff() {
        application
                .runner()
                .withPropertyValues("management.health.mongo-locks.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(LocksHealthIndicator.class));
    }

    @Test
    void applicationWithoutActuatorHasNeitherHealthNorEndpoint() {
        exposed(application.runner())
                .withClassLoader(new FilteredClassLoader(AbstractHealthIndicator.class, Endpoint.class))
                .run(context -> {
                    assertThat(context).hasSingleBean(LockClient.class);
                    assertThat(context).doesNotHaveBean("mongoLocksHealthIndicator");
                    assertThat(context).doesNotHaveBean("locksEndpoint");
                });
    }

    @Test
    void endpointIsOffUnlessItsAccessIsGranted() {
        application
                .runner()
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
        application
                .runner()
                .withPropertyValues("management.endpoint.locks.access=UNRESTRICTED")
                .run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
        exposed(application.runner()).run(context -> assertThat(context).hasSingleBean(LocksEndpoint.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void endpointListsPagesAndShowsALock(String hasSyncClient) {
        try (TestApplication other = new TestApplication()) {
            exposed(application.runner()).run(owning -> {
                LockClient locks = owning.getBean(LockClient.class);
                assertThat(locks.tryAcquire(REQUEST.note("report"))).isPresent();
                assertThat(locks.tryAcquire(
                                LockRequest.of("invoices/43", REQUEST.ttl()).fixedLease()))
                        .isPresent();
                exposed(other.runner())
                        .withPropertyValues(
                                "mongo-locks.database=" + application.database,
                                "mongo-locks.sync.enabled=" + hasSyncClient)
                        .run(context -> {
                            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);

                            Page first = endpoint.list(null, null, null, null, null, 1);
                            Page second = endpoint.list(null, "invoice", true, null, first.next(), null);

                            assertThat(first.locks())
                                    .extracting(StoredLock::name)
                                    .containsExactly(NAME);
                            assertThat(first.locks().get(0).note()).isEqualTo("report");
                            assertThat(second.locks())
                                    .extracting(StoredLock::name)
                                    .containsExactly("invoices/43");
                            assertThat(second.next()).isNull();
                            assertThat(only(endpoint, "invoices/43").held()).isTrue();
                            assertThat(endpoint.list("unused", null, null, null, null, null))
                                    .isEqualTo(new Page(List.of(), List.of(), null));
                        });
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void endpointReleasesOnlyTheLockThatWasSeen(String hasSyncClient) {
        exposed(application.runner())
                .withPropertyValues("mongo-locks.sync.enabled=" + hasSyncClient)
                .run(context -> {
                    LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                    try (LockClient holder = LockClient.builder(TestApplication.mongo(), application.database)
                            .drainTimeout(Duration.ZERO)
                            .strategy(TestApplication.STRATEGY)
                            .build()) {
                        HeldLock held = holder.tryAcquire(REQUEST).orElseThrow();
                        long seen = only(endpoint, NAME).revision();
                        assertThat(held.renew()).isTrue();

                        Release late = endpoint.release(NAME, seen);

                        assertThat(late.released()).isFalse();
                        assertThat(application.isHeld()).isTrue();
                        long now = Objects.requireNonNull(late.lock()).revision();
                        assertThat(endpoint.release(NAME, now).released()).isTrue();
                        assertThat(application.isHeld()).isFalse();
                        assertThat(endpoint.release("unused", now)).isEqualTo(new Release(false, null));
                    }
                });
    }

    private static StoredLock only(LocksEndpoint endpoint, String name) {
        List<StoredLock> found =
                endpoint.list(name, null, null, null, null, null).locks();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static ApplicationContextRunner exposed(ApplicationContextRunner runner) {
        return runner.withPropertyValues(
                "management.endpoints.web.exposure.include=locks", "management.endpoint.locks.access=UNRESTRICTED");
    }

    private static Health health(LocksHealthIndicator indicator) {
        return Objects.requireNonNull(indicator.health());
    }
}
