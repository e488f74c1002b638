package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;
import reactor.core.publisher.Mono;

/**
 * Tests of an application that Spring processes ahead of time, as it does for a native image: the generated sources are
 * compiled, and the context is started from them.
 */
@CompileWithForkedClassLoader
class LockedAotTest {
    /** The bean methods of a configuration run in the started context only. */
    private static final Deque<LockingScene> SCENES = new ArrayDeque<>();

    @BeforeEach
    void open() throws InterruptedException {
        SCENES.push(new LockingScene());
    }

    @AfterEach
    void close() throws Exception {
        SCENES.pop().close();
    }

    private static LockingScene scene() {
        return SCENES.getFirst();
    }

    record Order(long id) {}

    /** A bean that Spring extends. */
    static class Billing {
        @Locked(name = "order-#{#order.id}-#{@region.name()}", fallback = "later")
        public String bill(Order order) {
            return CurrentLock.get().lease().name().value();
        }

        @SuppressWarnings("unused")
        private String later(Order order) {
            return "later " + order.id();
        }

        @Locked("stage")
        public CompletableFuture<Long> stage() {
            return CompletableFuture.completedFuture(CurrentLock.get().fencingToken());
        }

        @Locked("${app.report}")
        public Mono<String> report() {
            return CurrentReactiveLock.get().map(lock -> lock.lease().name().value());
        }
    }

    /** A bean whose proxy implements its interface. */
    public interface Shipping {
        @Nullable
        String ship(long id);
    }

    /** The bean behind the proxy. */
    static class LockedShipping implements Shipping {
        @Override
        @Locked(name = "#{#p0}", ttl = "${app.ttl}", whenContended = WhenContended.SKIP)
        public @Nullable String ship(long id) {
            return CurrentLock.get().lease().ttl() + " for " + id;
        }
    }

    /** A bean that a name reads. */
    static class Region {
        public String name() {
            return "eu";
        }
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableLocked(order = 7)
    static class Application {
        @Bean(destroyMethod = "")
        LockClient locks() {
            return scene().locks;
        }

        @Bean(destroyMethod = "")
        ReactiveLockClient reactiveLocks() {
            return scene().reactiveLocks;
        }

        @Bean
        Billing billing() {
            return new Billing();
        }

        @Bean
        Shipping shipping() {
            return new LockedShipping();
        }

        @Bean
        Region region() {
            return new Region();
        }
    }

    /** Runs a test in a context that is started from generated code; its properties are unknown to the generator. */
    private static void run(Class<?> application, Consumer<GenericApplicationContext> test) {
        TestGenerationContext generation =
                new TestGenerationContext(ClassName.get("org.mongolocks.spring", "LockedAotTestApplication"));
        ClassName initializer = generate(application, generation);
        TestCompiler.forSystem().with(generation).compile(compiled -> {
            try (GenericApplicationContext context = new GenericApplicationContext(new DefaultListableBeanFactory())) {
                context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("test", Map.of("app.report", "nightly", "app.ttl", "40s")));
                initializer(compiled.getInstance(ApplicationContextInitializer.class, initializer.canonicalName()))
                        .initialize(context);
                context.refresh();
                test.accept(context);
            }
        });
    }

    /** Generates as a build does, which says so by a system property. */
    private static ClassName generate(Class<?> application, TestGenerationContext generation) {
        System.setProperty(AbstractAotProcessor.AOT_PROCESSING, "true");
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(application);
            ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            return initializer;
        } finally {
            System.clearProperty(AbstractAotProcessor.AOT_PROCESSING);
        }
    }

    @SuppressWarnings("unchecked")
    private static ApplicationContextInitializer<GenericApplicationContext> initializer(
            ApplicationContextInitializer<?> generated) {
        return (ApplicationContextInitializer<GenericApplicationContext>) generated;
    }

    @Test
    void methodsRunUnderTheirLocks() {
        run(Application.class, context -> {
            Billing billing = context.getBean(Billing.class);
            Shipping shipping = context.getBean(Shipping.class);

            assertThat(AopUtils.isCglibProxy(billing)).isTrue();
            assertThat(billing.bill(new Order(42))).isEqualTo("order-42-eu");
            assertThat(billing.stage().join()).isPositive();
            assertThat(billing.report().block()).isEqualTo("nightly");
            assertThat(Proxy.isProxyClass(shipping.getClass())).isTrue();
            assertThat(shipping.ship(43)).isEqualTo("PT40S for 43");
            assertThat(context.getBean("mongoLocksAdvisor", Ordered.class).getOrder())
                    .isEqualTo(7);
        });
    }

    @Test
    void contendedMethodsFallBackOrAreSkipped() {
        run(Application.class, context -> {
            try (HeldLock order = scene().holdElsewhere("order-42-eu");
                    HeldLock shipment = scene().holdElsewhere("43")) {
                assertThat(context.getBean(Billing.class).bill(new Order(42))).isEqualTo("later 42");
                assertThat(context.getBean(Shipping.class).ship(43)).isNull();
                assertThat(order.isHeld()).isTrue();
                assertThat(shipment.isHeld()).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
