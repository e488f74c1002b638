package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spring.boot.TestApplication.NAME;
import static org.mongolocks.spring.boot.TestApplication.REQUEST;

import com.mongodb.ConnectionString;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mongolocks.LockObserver;
import org.mongolocks.Owner;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;

class MongoLocksAutoConfigurationTest {
    private final TestApplication application = new TestApplication();

    @TempDir
    Path directory = Path.of("");

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void syncAndReactiveClientsExistSideBySide() {
        application.runner().run(context -> {
            assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();
            assertThat(context.getBean(ReactiveLockClient.class).inspect(NAME).blockOptional())
                    .hasValueSatisfying(lock -> assertThat(lock.isHeld()).isTrue());
        });
    }

    @Test
    void withoutMongoClientThereIsNoLockClient() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        MongoLocksAutoConfiguration.class,
                        MongoLocksReactiveAutoConfiguration.class,
                        MongoLocksActuatorAutoConfiguration.class,
                        MongoLocksShedLockAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).doesNotHaveBean(LockClient.class);
                    assertThat(context).doesNotHaveBean(ReactiveLockClient.class);
                    assertThat(context).doesNotHaveBean(LockClientFactory.class);
                });
    }

    @Test
    void lockClientsOfTheApplicationAreKept() throws InterruptedException {
        try (LockClient own = LockClient.builder(TestApplication.mongo(), application.database)
                .drainTimeout(Duration.ZERO)
                .strategy("findandmodify-counter")
                .build()) {
            application
                    .withoutStrategy()
                    .withPropertyValues("mongo-locks.reactive.enabled=false")
                    .withBean("own", LockClient.class, () -> own)
                    .run(context -> {
                        assertThat(context.getBean(LockClient.class)).isSameAs(own);
                        assertThat(context).doesNotHaveBean(LockClientFactory.class);
                    });
        }
    }

    @Test
    void eachClientHasAKeyThatSwitchesItOff() {
        application.runner().withPropertyValues("mongo-locks.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(LockClient.class);
            assertThat(context).doesNotHaveBean(ReactiveLockClient.class);
        });
        application
                .runner()
                .withPropertyValues("mongo-locks.sync.enabled=false")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(LockClient.class);
                    assertThat(context).hasSingleBean(ReactiveLockClient.class);
                });
    }

    @Test
    void oneClientWorksWithoutTheClassesOfTheOther() {
        application
                .runner()
                .withClassLoader(new FilteredClassLoader("org.mongolocks.reactive", "reactor.core"))
                .run(context -> {
                    assertThat(context).hasSingleBean(LockClient.class);
                    assertThat(context).doesNotHaveBean("reactiveLockClient");
                    assertThat(context).hasSingleBean(LocksHealthIndicator.class);
                });
        application
                .runner()
                .withClassLoader(new FilteredClassLoader("org.mongolocks.sync"))
                .run(context -> {
                    assertThat(context).hasSingleBean(ReactiveLockClient.class);
                    assertThat(context).doesNotHaveBean("lockClient");
                    assertThat(context).hasSingleBean(LocksHealthIndicator.class);
                });
    }

    @Test
    void mongoClientOfAnApplicationWithoutSpringBootsSupportNeedsTheDatabaseKey() {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        MongoLocksAutoConfiguration.class, MongoLocksActuatorAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.mongodb"))
                .withPropertyValues("mongo-locks.strategy=insert-unique", "mongo-locks.drain-timeout=0s")
                .withBean("own", MongoClient.class, () -> MongoClients.create(TestApplication.uri()));

        runner.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("Set mongo-locks.database"));
        runner.withPropertyValues("mongo-locks.database=a.b")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("Change the value of mongo-locks.database"));
        runner.withPropertyValues("mongo-locks.database=" + application.database)
                .run(context -> {
                    assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST))
                            .isPresent();
                    assertThat(application.isHeld()).isTrue();
                });
    }

    /** As Spring Boot declares it for {@code @ServiceConnection} and for Docker Compose. */
    @Test
    void serviceConnectionIsUsed() {
        ConnectionString service =
                new ConnectionString(TestApplication.uri().replaceFirst("/(\\?|$)", "/" + application.database + "$1"));
        assertThat(service.getDatabase()).isEqualTo(application.database);
        TestApplication.withoutKeys()
                .withPropertyValues(
                        "mongo-locks.strategy=insert-unique",
                        "mongo-locks.drain-timeout=0s",
                        "spring.mongodb.uri=mongodb://localhost:1/no?serverSelectionTimeoutMS=100")
                .withBean(MongoConnectionDetails.class, () -> () -> service)
                .run(context -> {
                    assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST))
                            .isPresent();
                    assertThat(application.isHeld()).isTrue();
                    assertThat(context.getBean(ReactiveLockClient.class)
                                    .inspect(NAME)
                                    .blockOptional())
                            .hasValueSatisfying(
                                    lock -> assertThat(lock.isHeld()).isTrue());
                });
    }

    @Test
    void databaseKeyPrecedesTheConnection() {
        application
                .runner()
                .withPropertyValues("spring.mongodb.database=unused", "mongo-locks.database=" + application.database)
                .run(context -> {
                    assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST))
                            .isPresent();
                    assertThat(application.isHeld()).isTrue();
                });
    }

    @Test
    void severalMongoClientsNeedANamedOne() {
        ApplicationContextRunner runner = application
                .runner()
                .withPropertyValues(
                        "mongo-locks.reactive.enabled=false", "mongo-locks.database=" + application.database)
                .withBean("orders", MongoClient.class, () -> MongoClients.create("mongodb://localhost:1/"))
                .withBean("locks", MongoClient.class, () -> MongoClients.create(TestApplication.uri()));

        runner.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContainingAll("orders", "locks", "Set mongo-locks.sync.mongo-client"));
        runner.withPropertyValues("mongo-locks.sync.mongo-client=locks")
                .run(context -> assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST))
                        .isPresent());
        runner.withPropertyValues("mongo-locks.sync.mongo-client=lock")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContainingAll("'lock'", "orders", "locks"));
    }

    @Test
    void primaryMongoClientIsUsed() {
        application
                .runner()
                .withPropertyValues(
                        "mongo-locks.reactive.enabled=false", "mongo-locks.database=" + application.database)
                .withUserConfiguration(PrimaryClient.class)
                .run(context -> assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST))
                        .isPresent());
    }

    @Test
    void strategyIsChosenByItsName() {
        application
                .withoutStrategy()
                .withPropertyValues("mongo-locks.strategy=findandmodify-counter")
                .run(context -> assertThat(context.getBean(LockClient.class).strategyName())
                        .isEqualTo("findandmodify-counter"));
    }

    @Test
    void strategyBeanPrecedesTheClassPath() {
        LockStrategy bean = LockStrategies.named("insert-unique");

        application
                .withoutStrategy()
                .withBean("own", LockStrategy.class, () -> bean)
                .run(context -> assertThat(context.getBean(LockClient.class).strategyName())
                        .isEqualTo("insert-unique"));
        application
                .runner()
                .withBean("own", LockStrategy.class, () -> bean)
                .withBean("other", LockStrategy.class, () -> LockStrategies.named("findandmodify-counter"))
                .run(context -> assertThat(context.getBean(LockClient.class).strategyName())
                        .isEqualTo("insert-unique"));
    }

    @Test
    void customizersRunInOrderAfterTheKeys() {
        application
                .runner()
                .withPropertyValues("mongo-locks.instance=from-the-key")
                .withUserConfiguration(Customizers.class)
                .run(context -> assertThat(context.getBean(LockClient.class)
                                .tryAcquire(REQUEST)
                                .orElseThrow()
                                .lease()
                                .owner()
                                .instance())
                        .isEqualTo("second"));
    }

    @Test
    void instanceNameHasTheNameOfTheApplication() {
        application
                .runner()
                .withPropertyValues("spring.application.name=Billing Überweisung " + "x".repeat(200))
                .run(context -> {
                    Owner owner = context.getBean(LockClient.class)
                            .tryAcquire(REQUEST)
                            .orElseThrow()
                            .lease()
                            .owner();
                    assertThat(owner.instance())
                            .startsWith("Billing--berweisung-xx")
                            .hasSize(Owner.MAX_INSTANCE_LENGTH);
                });
    }

    @Test
    void everyObserverReceivesTheEventsAlsoIfOneFails() {
        CountDownLatch events = new CountDownLatch(1);
        application
                .runner()
                .withBean("failing", LockObserver.class, () -> event -> {
                    throw new IllegalStateException("observer of the test");
                })
                .withBean("counting", LockObserver.class, () -> event -> events.countDown())
                .run(context -> {
                    assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST))
                            .isPresent();
                    assertThat(events.await(30, TimeUnit.SECONDS)).isTrue();
                });
    }

    @Test
    void executorIsClosedBeforeTheClientUnlessTheDriverNeedsIt() {
        ApplicationContextRunner withExecutor =
                application.runner().withBean("workers", ExecutorService.class, Executors::newSingleThreadExecutor);
        withExecutor.run(context -> assertThat(dependents(context)).contains("workers"));
        withExecutor
                .withInitializer(context -> context.addBeanFactoryPostProcessor(
                        beans -> beans.getBeanDefinition(beans.getBeanNamesForType(MongoClient.class, true, false)[0])
                                .setDependsOn("workers")))
                .run(context -> assertThat(dependents(context)).doesNotContain("workers"));
    }

    private static String[] dependents(AssertableApplicationContext context) {
        return context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                .getBeanFactory()
                .getDependentBeans("lockClient");
    }

    @Test
    @Tag("finds:context-restarted")
    void contextThatWasStoppedMayBeStartedAgain() {
        application.runner().run(context -> {
            ConfigurableApplicationContext started = context.getSourceApplicationContext();
            started.stop();
            started.start();

            assertThat(started.isRunning()).isTrue();
            assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();
            assertThat(context.getBean(ReactiveLockClient.class).inspect(NAME).blockOptional())
                    .isPresent();

            started.stop();
            context.close();

            assertThat(application.isHeld()).isFalse();
        });
    }

    @Test
    void beansOfAHigherPhaseStopBeforeTheLocksAreReleased() {
        application.runner().withUserConfiguration(Worker.class).run(context -> {
            Worker worker = context.getBean(Worker.class);
            worker.held.set(
                    context.getBean(LockClient.class).tryAcquire(REQUEST).orElseThrow());

            context.close();

            assertThat(worker.renewedInStop).contains(true);
            assertThat(application.isHeld()).isFalse();
        });
    }

    @Test
    void lazyClientStartsWithoutServer() {
        ApplicationContextRunner unreachable = application
                .runner()
                .withPropertyValues(
                        "spring.mongodb.uri=mongodb://localhost:1/?serverSelectionTimeoutMS=100",
                        "mongo-locks.command-timeout=200ms");

        unreachable.run(
                context -> assertThat(context).getFailure().rootCause().isInstanceOf(MongoTimeoutException.class));
        unreachable.withPropertyValues("mongo-locks.lazy=true").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("lockClient"))
                    .isFalse();
        });
    }

    @Test
    void lazyClientIsClosedWithTheContext() {
        application.runner().withPropertyValues("mongo-locks.lazy=true").run(context -> {
            assertThat(context.getSourceApplicationContext().getBeanFactory().containsSingleton("lockClient"))
                    .isFalse();
            assertThat(context.getBean(LockClient.class).tryAcquire(REQUEST)).isPresent();

            context.close();

            assertThat(application.isHeld()).isFalse();
        });
    }

    @Test
    void lazyClientShowsAWrongStrategyAtTheStart() {
        application
                .withoutStrategy()
                .withPropertyValues("mongo-locks.lazy=true", "mongo-locks.strategy=insert")
                .run(context ->
                        assertThat(context).getFailure().rootCause().isInstanceOf(LockConfigurationException.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryClient {
        @Bean
        @Primary
        MongoClient locks() {
            return MongoClients.create(TestApplication.uri());
        }

        @Bean
        MongoClient orders() {
            return MongoClients.create("mongodb://localhost:1/");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Customizers {
        @Bean
        @Order(2)
        LockClientBuilderCustomizer later() {
            return builder -> builder.instance("second");
        }

        @Bean
        @Order(1)
        LockClientBuilderCustomizer earlier() {
            return builder -> builder.instance("first");
        }
    }

    /** A bean that is stopped while its lock is held; its phase is lower than that of a web server. */
    static class Worker implements SmartLifecycle {
        private final AtomicReference<HeldLock> held = new AtomicReference<>();
        private final List<Boolean> renewedInStop = new ArrayList<>();

        @Override
        public void start() {}

        @Override
        public void stop() {
            renewedInStop.add(Objects.requireNonNull(held.get()).renew());
        }

        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        public int getPhase() {
            return 0;
        }
    }
}
