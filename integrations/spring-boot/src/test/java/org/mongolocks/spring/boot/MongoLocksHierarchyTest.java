package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.spring.CurrentLock;
import org.mongolocks.spring.Locked;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Tests of auto-configured contexts that have a parent. */
class MongoLocksHierarchyTest {
    private final TestApplication application = new TestApplication();

    @AfterEach
    void close() {
        application.close();
    }

    /** The configuration of a context. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {
        @Bean(destroyMethod = "")
        MongoClient mongo() {
            return TestApplication.mongo();
        }
    }

    /** The configuration of a context whose parent has the connection. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Child {
        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    /** The configuration of a context with a client of its own. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ChildWithClient {
        @Bean
        LockClient own(MongoClient mongo) {
            return LockClient.builder(mongo, "own-of-child")
                    .drainTimeout(Duration.ZERO)
                    .strategy(TestApplication.STRATEGY)
                    .build();
        }

        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    /** An annotated bean. */
    static class Billing {
        @Locked(name = TestApplication.NAME, ttl = "1m")
        public long bill() {
            return CurrentLock.get().fencingToken();
        }
    }

    /** The configuration of a context without what configures the annotation. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MongoLocksAnnotationAutoConfiguration.class)
    static class Excluded {
        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    @Test
    @Tag("finds:unlocked-boot-context")
    void contextThatExcludesTheAnnotationIsRefusedIfItHasAClient() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> parent().sources(Excluded.class).run().close())
                .withMessageContaining("Bean 'billing'")
                .withMessageContaining("would run without their locks");
    }

    private SpringApplicationBuilder parent() {
        return new SpringApplicationBuilder(Configured.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "mongo-locks.strategy=" + TestApplication.STRATEGY,
                        "mongo-locks.database=" + application.database,
                        "mongo-locks.reactive.enabled=false",
                        "mongo-locks.drain-timeout=0s",
                        "spring.main.banner-mode=off");
    }

    @Test
    @Tag("finds:child-context-unlocked")
    void annotatedBeansOfChildrenAreLockedByTheClientOfTheirParent() throws Exception {
        SpringApplicationBuilder parent = parent();
        try (ConfigurableApplicationContext root = parent.run();
                ConfigurableApplicationContext child =
                        parent.child(Child.class).web(WebApplicationType.NONE).run()) {
            SpringApplicationBuilder below = new SpringApplicationBuilder(Child.class)
                    .web(WebApplicationType.NONE)
                    .parent(child);
            try (ConfigurableApplicationContext grandchild = below.run()) {
                assertThat(child.getBean(Billing.class).bill()).isPositive();
                assertThat(grandchild.getBean(Billing.class).bill()).isPositive();
                assertThat(grandchild.getBean(LockClient.class)).isSameAs(root.getBean(LockClient.class));
            }

            assertThat(child.getBean(Billing.class).bill()).isPositive();
        }
    }

    @Test
    void annotatedBeansOfAChildAreLockedByItsOwnClient() {
        SpringApplicationBuilder parent = parent();
        try (ConfigurableApplicationContext root = parent.run();
                ConfigurableApplicationContext child = parent.child(ChildWithClient.class)
                        .web(WebApplicationType.NONE)
                        .run()) {
            root.getBean(LockClient.class).close();

            assertThat(child.getBean(Billing.class).bill()).isPositive();
        } finally {
            TestApplication.mongo().getDatabase("own-of-child").drop();
        }
    }

    @Test
    void webChildIsLocked() {
        SpringApplicationBuilder parent = parent();
        try (ConfigurableApplicationContext root = parent.run();
                ConfigurableApplicationContext web = parent.child(Child.class)
                        .web(WebApplicationType.SERVLET)
                        .properties("server.port=0", "management.server.port=0")
                        .run()) {
            assertThat(web.getBean(Billing.class).bill()).isPositive();
            assertThat(root.isActive()).isTrue();
        }
    }

    @Test
    void mongoClientOfTheParentIsFoundByItsName() {
        try (ConfigurableApplicationContext root = new SpringApplicationBuilder(Configured.class)
                        .web(WebApplicationType.NONE)
                        .properties("mongo-locks.enabled=false")
                        .run();
                ConfigurableApplicationContext child = new SpringApplicationBuilder(Child.class)
                        .web(WebApplicationType.NONE)
                        .parent(root)
                        .properties(
                                "mongo-locks.enabled=true",
                                "mongo-locks.sync.mongo-client=mongo",
                                "mongo-locks.strategy=" + TestApplication.STRATEGY,
                                "mongo-locks.database=" + application.database,
                                "mongo-locks.reactive.enabled=false")
                        .run()) {
            assertThat(child.getBean(Billing.class).bill()).isPositive();
        }
    }

    @Test
    void childWithoutAClientAnywhereDoesNotStart() {
        SpringApplicationBuilder parent = parent().properties("mongo-locks.enabled=false");
        try (ConfigurableApplicationContext root = parent.run()) {
            assertThat(root.isActive()).isTrue();
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> parent.child(Child.class)
                            .web(WebApplicationType.NONE)
                            .run())
                    .withStackTraceContaining("needs a bean of type org.mongolocks.sync.LockClient");
        }
    }
}
