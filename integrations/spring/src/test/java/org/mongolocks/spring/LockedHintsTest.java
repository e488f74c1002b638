package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import java.lang.reflect.Method;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spring.LockedDeclarationTest.Nightly;
import org.mongolocks.spring.LockingScene.Enabled;
import org.mongolocks.sync.LockClient;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ReflectionUtils;

/** Tests of the hints for a native image. */
class LockedHintsTest {
    record Order(long id) {}

    /** An interface of the bean. */
    interface Billing {
        void bill(Order order);
    }

    /** A bean with a fallback that only reflection calls. */
    static class BillingBean implements Billing {
        @Override
        @Locked(name = "order-#{#order.id}", fallback = "later")
        public void bill(Order order) {}

        @SuppressWarnings("unused")
        private void later(Order order) {}

        @SuppressWarnings("unused")
        private void unrelated(Order order) {}

        @Nightly(job = "report")
        public void report() {}
    }

    /** A bean without a lock. */
    static class Unlocked {
        public void work() {}
    }

    private static RuntimeHints hints(Class<?>... beans) {
        System.setProperty(AbstractAotProcessor.AOT_PROCESSING, "true");
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Enabled.class);
            context.register(beans);
            DefaultGenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get("org.mongolocks.spring", "Generated")),
                    new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            return generation.getRuntimeHints();
        } finally {
            System.clearProperty(AbstractAotProcessor.AOT_PROCESSING);
        }
    }

    private static Method method(String name, Class<?>... parameters) {
        Method found = ReflectionUtils.findMethod(BillingBean.class, name, parameters);
        return Objects.requireNonNull(found, () -> "the method " + name);
    }

    @Test
    void lockedMethodsAndTheirFallbacksCanBeInvoked() {
        RuntimeHints hints = hints(BillingBean.class);

        assertThat(reflection().onMethodInvocation(method("bill", Order.class))).accepts(hints);
        assertThat(reflection().onMethodInvocation(method("later", Order.class)))
                .accepts(hints);
        assertThat(reflection().onMethodInvocation(method("report"))).accepts(hints);
        assertThat(reflection().onMethodInvocation(method("unrelated", Order.class)))
                .rejects(hints);
        assertThat(reflection().onType(Billing.class).withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS))
                .accepts(hints);
    }

    @Test
    void typesOfANameAndTheAnnotationsCanBeRead() {
        RuntimeHints hints = hints(BillingBean.class);

        assertThat(reflection().onType(Order.class).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
                .accepts(hints);
        assertThat(reflection().onType(Locked.class).withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS))
                .accepts(hints);
        assertThat(reflection().onType(Nightly.class).withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS))
                .accepts(hints);
    }

    @Test
    void proxyOfAnInterfaceCanBeCreated() {
        assertThat(RuntimeHintsPredicates.proxies()
                        .forInterfaces(AopProxyUtils.completeJdkProxyInterfaces(Billing.class)))
                .accepts(hints(BillingBean.class));
    }

    @Test
    void clientsCanBeFoundByTheirNames() {
        RuntimeHints hints = hints(BillingBean.class);

        assertThat(reflection().onType(LockClient.class)).accepts(hints);
        assertThat(reflection().onType(ReactiveLockClient.class)).accepts(hints);
    }

    @Test
    void beanWithoutALockNeedsNoHints() {
        assertThat(reflection().onType(Locked.class)).rejects(hints(Unlocked.class));
    }
}
