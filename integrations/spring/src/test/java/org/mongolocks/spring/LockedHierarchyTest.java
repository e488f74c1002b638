package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spring.LockingScene.Enabled;
import org.mongolocks.sync.LockClient;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.target.LazyInitTargetSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.io.support.SpringFactoriesLoader;
import reactor.core.publisher.Mono;

/** Tests of annotated beans in contexts that have a parent. */
class LockedHierarchyTest {
    private LockingScene scene;

    @BeforeEach
    void open() throws InterruptedException {
        scene = new LockingScene();
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** An annotated bean. */
    static class Billing {
        @Locked("invoice")
        public long bill() {
            return CurrentLock.get().fencingToken();
        }

        @Locked("report")
        public Mono<Long> report() {
            return CurrentReactiveLock.get().map(lock -> lock.fencingToken());
        }
    }

    /** A bean that another context names as its client. */
    static class OfNamedClient {
        @Locked(name = "invoice", client = "locks")
        public long bill() {
            return CurrentLock.get().fencingToken();
        }
    }

    /** A context without clients. */
    private AnnotationConfigApplicationContext child(ApplicationContext parent, Class<?>... classes) {
        AnnotationConfigApplicationContext child = scene.unstarted(classes);
        child.setParent(parent);
        return child;
    }

    private static AnnotationConfigApplicationContext started(AnnotationConfigApplicationContext context) {
        context.refresh();
        return context;
    }

    @Test
    void clientsOfAnAncestorAreUsed() {
        AnnotationConfigApplicationContext middle = started(child(scene.context()));

        AnnotationConfigApplicationContext leaf =
                started(child(middle, Enabled.class, Billing.class, OfNamedClient.class));

        assertThat(leaf.getBean(Billing.class).bill()).isPositive();
        assertThat(leaf.getBean(Billing.class).report().block()).isPositive();
        assertThat(leaf.getBean(OfNamedClient.class).bill()).isPositive();
    }

    @Test
    void nearestClientIsUsed() throws Exception {
        LockClient own = scene.client();
        AnnotationConfigApplicationContext child = child(scene.context(), Enabled.class, Billing.class);
        child.registerBean("own", LockClient.class, () -> own);
        child.refresh();

        child.getBean(Billing.class).bill();
        own.close();

        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(child.getBean(Billing.class)::bill);
    }

    @Test
    void contextsThatBothEnableItLockOnce() {
        AnnotationConfigApplicationContext parent = scene.context(Enabled.class, Billing.class);
        AnnotationConfigApplicationContext one = started(child(parent, Enabled.class, OfNamedClient.class));
        AnnotationConfigApplicationContext sibling = started(child(parent, Enabled.class, OfNamedClient.class));

        assertThat(List.of(
                        one.getBean(Billing.class).bill(),
                        one.getBean(OfNamedClient.class).bill(),
                        sibling.getBean(OfNamedClient.class).bill()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    @Tag("finds:missing-enable-locked")
    void childThatDoesNotEnableItIsRefused() {
        AnnotationConfigApplicationContext middle = started(child(scene.context(Enabled.class)));

        assertThatIllegalStateException()
                .isThrownBy(() -> started(child(middle, Billing.class)))
                .withMessageContaining("Billing")
                .withMessageContaining("would run without their locks")
                .withMessageContaining("@EnableLocked");
    }

    @Test
    @Tag("finds:missing-enable-locked")
    void parentThatDoesNotEnableItIsRefused() {
        AnnotationConfigApplicationContext parent = scene.context(Billing.class);

        assertThatIllegalStateException()
                .isThrownBy(() -> started(child(parent, Enabled.class)))
                .withMessageContaining("Billing")
                .withMessageContaining("would run without their locks");
    }

    @Test
    @Tag("finds:unlocked-sibling-context")
    void siblingThatDoesNotEnableItIsRefused() {
        AnnotationConfigApplicationContext root = scene.context();
        AnnotationConfigApplicationContext middle = started(child(root));
        AnnotationConfigApplicationContext enabled = started(child(middle, Enabled.class, OfNamedClient.class));

        assertThatIllegalStateException()
                .isThrownBy(() -> started(child(root, Billing.class)))
                .withMessageContaining("would run without their locks");
        assertThatIllegalStateException().isThrownBy(() -> started(child(middle, Billing.class)));

        enabled.close();
        assertThat(root.getApplicationListeners()).isEmpty();
    }

    /** Registers what Spring Boot reads from the jar, as it does for each of its contexts. */
    private AnnotationConfigApplicationContext ofSpringBoot(Class<?>... classes) {
        AnnotationConfigApplicationContext context = scene.unstarted(classes);
        SpringFactoriesLoader.loadFactories(ApplicationListener.class, null).forEach(context::addApplicationListener);
        return context;
    }

    @Test
    @Tag("finds:unlocked-boot-context")
    void contextOfSpringBootWithAClientThatDoesNotEnableItIsRefused() {
        AnnotationConfigApplicationContext context = ofSpringBoot(Billing.class);
        context.registerBean(LockClient.class, () -> scene.locks);

        assertThatIllegalStateException()
                .isThrownBy(context::refresh)
                .withMessageContaining("Billing")
                .withMessageContaining("would run without their locks");
    }

    @Test
    @Tag("finds:unlocked-boot-context")
    void childOfSpringBootWhoseParentHasTheClientIsRefused() {
        AnnotationConfigApplicationContext child = ofSpringBoot(Billing.class);
        child.setParent(scene.context());

        assertThatIllegalStateException().isThrownBy(child::refresh).withMessageContaining("without their locks");
    }

    @Test
    @Tag("finds:unlocked-boot-context")
    void contextOfSpringBootWithoutAClientIsReported() {
        try (Warnings warnings = Warnings.collect()) {
            started(ofSpringBoot(LockedHintsTest.Unlocked.class));
            assertThat(warnings.messages()).isEmpty();

            started(ofSpringBoot(Billing.class));
            assertThat(warnings.messages())
                    .singleElement()
                    .satisfies(warning -> assertThat(warning).contains("illing", "would run without their locks"));
        }
    }

    /** Proxies by all advisors, also those of an ancestor. */
    static class AllAdvisors {
        @Bean
        static DefaultAdvisorAutoProxyCreator proxies() {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        }
    }

    @Test
    void childWhoseProxiesTakeTheAdvisorsOfAnAncestorIsLocked() {
        AnnotationConfigApplicationContext child =
                started(child(scene.context(Enabled.class), AllAdvisors.class, Billing.class));

        assertThat(child.getBean(Billing.class).bill()).isPositive();
    }

    @Test
    void missingClientOfABeanThatIsCreatedLaterIsFoundWhenItIsCreated() {
        AnnotationConfigApplicationContext context = scene.unstarted(Enabled.class);
        context.registerBean(Billing.class, definition -> definition.setLazyInit(true));
        context.refresh();

        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> context.getBean(Billing.class))
                .withStackTraceContaining("needs a bean of type org.mongolocks");
    }

    /** The configuration of the processor. */
    static class Early {
        @Bean
        static EarlyProcessor processor(Billing billing) {
            return new EarlyProcessor(billing);
        }
    }

    /** A processor that is created before that of the proxies, with the bean that it needs. */
    record EarlyProcessor(Billing billing) implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    /** A full configuration, which is created for its processor, and has a method under a lock. */
    @Configuration
    static class EarlyConfiguration {
        @Bean
        PropertySourcesPlaceholderConfigurer placeholders() {
            return new PropertySourcesPlaceholderConfigurer();
        }

        @Locked("invoice")
        public void bill() {}
    }

    static Stream<Object> withoutProxy() {
        ProxyFactory ofTheJdk = new ProxyFactory(new ServiceBean());
        ProxyFactory ofTheClass = new ProxyFactory(new Billing());
        ofTheClass.setProxyTargetClass(true);
        Object generated = Proxy.newProxyInstance(
                Service.class.getClassLoader(),
                new Class<?>[] {Service.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    default -> "generated";
                });
        return Stream.of(
                Early.class,
                EarlyConfiguration.class,
                new Billing(),
                ofTheJdk.getProxy(),
                ofTheClass.getProxy(),
                new ProxyFactory(ofTheJdk.getProxy()).getProxy(),
                generated);
    }

    /** An annotated interface. */
    interface Service {
        @Locked("service")
        void work();
    }

    /** The class of the bean. */
    static class ServiceBean implements Service {
        @Override
        public void work() {}
    }

    @ParameterizedTest
    @MethodSource("withoutProxy")
    void beanWithoutTheProxyIsReported(Object bean) {
        try (Warnings warnings = Warnings.collect()) {
            AnnotationConfigApplicationContext context = scene.unstarted(Enabled.class);
            context.registerBean("locks", LockClient.class, () -> scene.locks);
            context.registerBean("reactiveLocks", ReactiveLockClient.class, () -> scene.reactiveLocks);
            if (bean instanceof Class<?> early) {
                context.register(early, Billing.class);
            } else {
                context.getBeanFactory().registerSingleton("billing", bean);
            }
            context.refresh();

            assertThat(warnings.messages())
                    .singleElement()
                    .satisfies(
                            warning -> assertThat(warning).contains("run without their locks", "before the proxies"));
        }
    }

    /** Beans that are proxies of others, which lock. */
    static class Outer {
        @Bean
        Billing billing() {
            return new Billing();
        }

        @Bean
        @Scope(proxyMode = ScopedProxyMode.TARGET_CLASS)
        OfNamedClient scoped() {
            return new OfNamedClient();
        }

        @Bean
        static LazyInitTargetSource source() {
            LazyInitTargetSource source = new LazyInitTargetSource();
            source.setTargetBeanName("billing");
            return source;
        }
    }

    @Test
    void proxyOfABeanUnderLocksIsNotReported() {
        try (Warnings warnings = Warnings.collect()) {
            AnnotationConfigApplicationContext context = scene.context(Enabled.class, Outer.class);
            ProxyFactory inner = new ProxyFactory();
            inner.setTargetSource(context.getBean(LazyInitTargetSource.class));
            inner.setProxyTargetClass(true);
            context.getBeanFactory().registerSingleton("lazy", inner.getProxy());
            context.getBeanFactory()
                    .registerSingleton("again", new ProxyFactory(context.getBean("billing")).getProxy());

            LockedContexts.reportBeansWithoutProxy(context.getBeanFactory());

            assertThat(warnings.messages()).isEmpty();
        }
    }
}
