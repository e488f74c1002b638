package org.mongolocks.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spring.boot.TestApplication.NAME;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.mongolocks.spring.CurrentLock;
import org.mongolocks.spring.Locked;
import org.mongolocks.spring.boot.LocksEndpoint.Page;
import org.mongolocks.spring.boot.LocksEndpoint.Release;
import org.mongolocks.spring.boot.LocksEndpoint.StoredLock;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/** An application that Spring processes ahead of time, as it does for a native image. */
class MongoLocksAotTest {
    /** Spring evaluates the conditions of beans when it generates the code. */
    private static final Map<String, Object> OF_THE_BUILD = Map.of(
            "management.endpoints.web.exposure.include", "locks",
            "management.endpoint.locks.access", "UNRESTRICTED");

    private static Map<String, Object> ofTheStart(String database) {
        return Map.of(
                "spring.mongodb.uri",
                TestApplication.uri(),
                "spring.mongodb.database",
                database,
                "mongo-locks.strategy",
                TestApplication.STRATEGY,
                "mongo-locks.drain-timeout",
                "0s",
                "billing.ttl",
                "40s");
    }

    /** A bean whose lock needs a key that only the start has. */
    static class Billing {
        @Locked(name = NAME, ttl = "${billing.ttl}")
        public Duration bill() {
            return CurrentLock.get().lease().ttl();
        }
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        MongoAutoConfiguration.class,
        MongoLocksAutoConfiguration.class,
        MongoLocksActuatorAutoConfiguration.class,
        MongoLocksAnnotationAutoConfiguration.class,
        MongoLocksShedLockAutoConfiguration.class
    })
    static class Application {
        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    private static ClassName generate(GenerationContext generation) {
        System.setProperty(AbstractAotProcessor.AOT_PROCESSING, "true");
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Application.class);
            set(context, OF_THE_BUILD);
            return new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        } finally {
            System.clearProperty(AbstractAotProcessor.AOT_PROCESSING);
        }
    }

    private static TestGenerationContext generation() {
        return new TestGenerationContext(ClassName.get("org.mongolocks.spring.boot", "MongoLocksAotTestApplication"));
    }

    private static void set(ConfigurableApplicationContext context, Map<String, Object> properties) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
    }

    @SuppressWarnings("unchecked")
    private static ApplicationContextInitializer<GenericApplicationContext> initializer(
            ApplicationContextInitializer<?> generated) {
        return (ApplicationContextInitializer<GenericApplicationContext>) generated;
    }

    @Test
    void keysAndTheEndpointHaveHints() {
        TestGenerationContext generation = generation();
        generate(generation);
        RuntimeHints hints = generation.getRuntimeHints();

        assertThat(reflection()
                        .onConstructorInvocation(MongoLocksProperties.class.getDeclaredConstructors()[0]))
                .accepts(hints);
        assertThat(reflection()
                        .onConstructorInvocation(
                                MongoLocksProperties.Polling.class.getDeclaredConstructors()[0]))
                .accepts(hints);
        for (String operation : new String[] {"list", "release"}) {
            assertThat(reflection().onMethodInvocation(LocksEndpoint.class, operation))
                    .accepts(hints);
        }
        assertThat(reflection().onMethodInvocation(LocksEndpointWebExtension.class, "release"))
                .accepts(hints);
        assertThat(reflection().onMethodInvocation(Page.class, "locks")).accepts(hints);
        assertThat(reflection().onMethodInvocation(StoredLock.class, "fencingToken"))
                .accepts(hints);
        assertThat(reflection().onMethodInvocation(Release.class, "released")).accepts(hints);
    }

    @Test
    @CompileWithForkedClassLoader
    void startedApplicationLocks() {
        TestGenerationContext generation = generation();
        ClassName initializer = generate(generation);
        generation.writeGeneratedContent();
        try (TestApplication application = new TestApplication()) {
            TestCompiler.forSystem().with(generation).compile(compiled -> {
                try (GenericApplicationContext context =
                        new GenericApplicationContext(new DefaultListableBeanFactory())) {
                    set(context, ofTheStart(application.database));
                    initializer(compiled.getInstance(ApplicationContextInitializer.class, initializer.canonicalName()))
                            .initialize(context);
                    context.refresh();
                    verify(context);
                }
            });
        }
    }

    private static void verify(GenericApplicationContext context) {
        assertThat(context.getBean(Billing.class).bill()).isEqualTo(Duration.ofSeconds(40));
        assertThat(Objects.requireNonNull(
                                context.getBean(LocksHealthIndicator.class).health())
                        .getStatus())
                .isEqualTo(Status.UP);
        assertThat(context.getBean(LocksEndpoint.class)
                        .list(null, null, null, null, null, null)
                        .locks())
                .extracting(StoredLock::name)
                .containsExactly(NAME);
    }
}
