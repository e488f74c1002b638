package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientClosedException;
import org.mongolocks.spring.LockingScene.Enabled;
import org.mongolocks.sync.LockClient;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.PriorityOrdered;
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

        assertThat(leaf.getBean(Billing.class).bill()).isEqualTo(1);
        assertThat(leaf.getBean(Billing.class).report().block()).isEqualTo(1);
        assertThat(leaf.getBean(OfNamedClient.class).bill()).isEqualTo(2);
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

        assertThat(one.getBean(Billing.class).bill()).isEqualTo(1);
        assertThat(one.getBean(OfNamedClient.class).bill()).isEqualTo(2);
        assertThat(sibling.getBean(OfNamedClient.class).bill()).isEqualTo(3);
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

        assertThat(child.getBean(Billing.class).bill()).isEqualTo(1);
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

    @Test
    void beanThatIsCreatedBeforeTheProxiesIsReported() {
        try (Warnings warnings = Warnings.collect()) {
            scene.context(Enabled.class, Early.class, Billing.class);

            assertThat(warnings.messages())
                    .anySatisfy(warning -> assertThat(warning)
                            .contains("illing")
                            .contains("without their locks")
                            .contains("before the proxies"));
        }
    }
}
