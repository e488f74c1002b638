package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spring.boot.TestApplication.NAME;
import static org.mongolocks.spring.boot.TestApplication.REQUEST;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.micrometer.LockMetrics;
import org.mongolocks.spring.CurrentLock;
import org.mongolocks.spring.EnableLocked;
import org.mongolocks.spring.Locked;
import org.mongolocks.spring.boot.LockClientFactory.ClientMeters;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** The annotation and the meters, on the auto-configured clients. */
class MongoLocksIntegrationsTest {
    private final TestApplication application = new TestApplication();
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        registry.close();
        application.close();
    }

    @Test
    void annotatedMethodRunsUnderTheLock() {
        application
                .runner()
                // A class that is not public and its proxy need one loader.
                .withClassLoader(Billing.class.getClassLoader())
                .withBean(Billing.class)
                .run(context -> assertThat(context.getBean(Billing.class).tokenOfTheLock())
                        .isPositive()
                        .isEqualTo(context.getBean(LockClient.class)
                                .inspect(NAME)
                                .orElseThrow()
                                .fencingToken()));
    }

    @Test
    void annotatedBeanWithoutClientEndsTheStart() {
        application
                .runner()
                .withPropertyValues("mongo-locks.enabled=false")
                .withBean(Billing.class)
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void enableLockedOfTheApplicationIsKept() {
        application
                .runner()
                .withUserConfiguration(OwnOrder.class)
                .run(context -> assertThat(((Ordered) context.getBean("mongoLocksAdvisor")).getOrder())
                        .isEqualTo(7));
    }

    @Test
    void eachClientHasItsMeters() {
        application.runner().withBean(MeterRegistry.class, () -> registry).run(context -> {
            assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();

            assertThat(registry.get("mongo.locks.held")
                            .tag("client", "lockClient")
                            .gauge())
                    .isNotNull();
            assertThat(registry.get("mongo.locks.held")
                            .tag("client", "reactiveLockClient")
                            .gauge())
                    .isNotNull();
        });
        assertThat(registry.find("mongo.locks.held").gauges()).isEmpty();
    }

    @Test
    void metersOfALazyClientSurviveAFailedBuild() {
        application
                .runner()
                .withPropertyValues(
                        "spring.mongodb.uri=mongodb://localhost:1/?serverSelectionTimeoutMS=100",
                        "mongo-locks.command-timeout=200ms",
                        "mongo-locks.lazy=true")
                .withBean(MeterRegistry.class, () -> registry)
                .run(context -> {
                    LocksHealthIndicator health = context.getBean(LocksHealthIndicator.class);
                    for (int attempt = 0; attempt < 2; attempt++) {
                        assertThat(health.health().getDetails().get("error"))
                                .asString()
                                .contains("Preparing a client");
                    }
                });
    }

    @Test
    void applicationWithoutRegistryOrWithItsOwnMetersHasNone() {
        application.runner().run(context -> assertThat(context).doesNotHaveBean(ClientMeters.class));
        application
                .runner()
                .withBean(MeterRegistry.class, () -> registry)
                .withBean(LockMetrics.class, () -> LockMetrics.of(registry, "own"))
                .run(context -> assertThat(context).doesNotHaveBean(ClientMeters.class));
        application
                .runner()
                .withClassLoader(
                        new FilteredClassLoader("org.mongolocks.micrometer", "org.mongolocks.spring.EnableLocked"))
                .withBean(MeterRegistry.class, () -> registry)
                .run(context -> {
                    assertThat(context).hasSingleBean(LockClient.class);
                    assertThat(context).doesNotHaveBean("mongoLocksClientMeters");
                    assertThat(context).doesNotHaveBean("mongoLocksAdvisor");
                });
    }

    static class Billing {
        @Locked(name = NAME, ttl = "30s")
        long tokenOfTheLock() {
            return CurrentLock.get().fencingToken();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocked(order = 7)
    static class OwnOrder {}
}
