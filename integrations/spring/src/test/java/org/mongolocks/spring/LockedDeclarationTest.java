package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.spring.LockingScene.Enabled;
import org.mongolocks.sync.LockClient;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AliasFor;
import reactor.core.publisher.Flux;

/** Tests of what an annotation may say, and where it is found. */
class LockedDeclarationTest {
    private LockingScene scene;

    @BeforeEach
    void open() throws InterruptedException {
        scene = new LockingScene();
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** Returns the name of the lock that guards this thread. */
    private static String currentName() {
        return CurrentLock.get().lease().name().value();
    }

    /** A value without a text of its own. */
    static class Plain {}

    record Order(long id, String customer) {}

    /** Names of locks. */
    static class Names {
        private static final AtomicInteger EVALUATIONS = new AtomicInteger();

        public static int count() {
            return EVALUATIONS.incrementAndGet();
        }

        public String region() {
            return "eu";
        }

        @Locked("order-#{#order.id}-#{#order.customer}")
        public String ofProperties(Order order) {
            return currentName();
        }

        @Locked("#{#p0 + '/' + #a1}")
        public String ofPositions(String first, int second) {
            return currentName();
        }

        @Locked("${app.name}-#{@regions.current()}")
        public String ofPropertyAndBean() {
            return currentName();
        }

        @Locked("#{region()}-orders")
        public String ofTheBeanItself() {
            return currentName();
        }

        @Locked("key-#{#key}")
        public String of(@Nullable Object key) {
            return currentName();
        }

        @Locked("count-#{T(org.mongolocks.spring.LockedDeclarationTest$Names).count()}")
        public String counted() {
            return currentName();
        }

        @Locked("list-#{#keys[0]}")
        public String changed(List<String> keys) {
            keys.set(0, "another");
            return currentName();
        }
    }

    /** A bean that names read. */
    static class Regions {
        public String current() {
            return "north";
        }
    }

    /** Another bean. */
    static class Beans {
        @Bean
        Regions regions() {
            return new Regions();
        }

        @Bean
        Names names() {
            return new Names();
        }
    }

    private Names names() {
        return scene.context(Map.of("app.name", "shop"), Enabled.class, Beans.class)
                .getBean(Names.class);
    }

    @Test
    void nameIsEvaluatedFromArgumentsPropertiesAndBeans() {
        Names names = names();

        assertThat(names.ofProperties(new Order(42, "ann"))).isEqualTo("order-42-ann");
        assertThat(names.ofPositions("a", 2)).isEqualTo("a/2");
        assertThat(names.ofPropertyAndBean()).isEqualTo("shop-north");
        assertThat(names.ofTheBeanItself()).isEqualTo("eu-orders");
        assertThat(names.of(Optional.of(7))).isEqualTo("key-7");
    }

    @Test
    void nameIsEvaluatedOnce() {
        int before = Names.EVALUATIONS.get();

        assertThat(names().counted()).isEqualTo("count-" + (before + 1));

        assertThat(Names.EVALUATIONS.get()).isEqualTo(before + 1);
    }

    @Test
    void argumentThatTheMethodChangesDoesNotChangeTheName() throws InterruptedException {
        List<String> keys = new ArrayList<>(List.of("one"));

        assertThat(names().changed(keys)).isEqualTo("list-one");

        assertThat(scene.isHeld("list-one")).isFalse();
    }

    @Test
    void nullInANameIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names().of(null))
                .withMessageContaining("Names.of(java.lang.Object): #{#key} is null");
        assertThatIllegalArgumentException().isThrownBy(() -> names().of(Optional.empty()));
    }

    @Test
    void objectWithoutATextOfItsOwnIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names().of(new Plain()))
                .withMessageContaining("has no toString method of its own");
        assertThatIllegalArgumentException().isThrownBy(() -> names().of(new int[] {1}));
    }

    @Test
    void expressionThatFailsIsAnErrorOfTheCall() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names().changed(List.of()))
                .withMessageContaining("#{#keys[0]} cannot be evaluated");
    }

    /** An annotation of an application. */
    @Locked(whenContended = WhenContended.SKIP)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Nightly {
        @AliasFor(annotation = Locked.class, attribute = "name")
        String job();
    }

    /** A service with an interface, which is proxied by it. */
    interface Service {
        @Locked("of-interface-#{#id}")
        String annotated(int id);

        @Locked("of-interface")
        String overridden();

        String unlocked();
    }

    /** The class of the service. */
    abstract static class AbstractService implements Service {
        @Override
        public String annotated(int id) {
            return currentName();
        }

        @Locked("of-superclass")
        public String inherited() {
            return currentName();
        }
    }

    /** The class of the bean. */
    static class ServiceBean extends AbstractService {
        @Override
        @Locked("of-class")
        public String overridden() {
            return currentName();
        }

        @Override
        public String unlocked() {
            return AopUtils.isAopProxy(this) ? "proxy" : "plain";
        }

        @Nightly(job = "composed")
        public String composed() {
            return currentName();
        }
    }

    @Test
    void annotationIsFoundOnTheInterface() {
        Service service = scene.context(Enabled.class, ServiceBean.class).getBean(Service.class);

        assertThat(AopUtils.isJdkDynamicProxy(service)).isTrue();
        assertThat(service.annotated(3)).isEqualTo("of-interface-3");
        assertThat(service.overridden()).isEqualTo("of-class");
        assertThat(service.unlocked()).isEqualTo("plain");
    }

    /** A configuration with proxies of classes. */
    @EnableLocked(proxyTargetClass = true)
    static class ClassProxies {}

    @Test
    void annotationIsFoundInTheClassHierarchyAndOnAnAnnotation() {
        ServiceBean service =
                scene.context(ClassProxies.class, ServiceBean.class).getBean(ServiceBean.class);

        assertThat(service.annotated(3)).isEqualTo("of-interface-3");
        assertThat(service.overridden()).isEqualTo("of-class");
        assertThat(service.inherited()).isEqualTo("of-superclass");
        assertThat(service.composed()).isEqualTo("composed");
    }

    /** A bean that is a proxy already, as that of a repository. */
    static class ProxiedBean {
        @Bean
        static Service service() {
            ProxyFactory factory = new ProxyFactory(new ServiceBean());
            factory.setInterfaces(Service.class);
            return (Service) factory.getProxy();
        }
    }

    @Test
    void annotationIsFoundBehindAnotherProxy() {
        Service service = scene.context(Enabled.class, ProxiedBean.class).getBean(Service.class);

        assertThat(service.annotated(3)).isEqualTo("of-interface-3");
        assertThat(service.overridden()).isEqualTo("of-class");
    }

    /** A bean without a class of its own, as that of a declarative client. */
    static class GeneratedBean {
        @Bean
        static Service service() {
            return (Service) Proxy.newProxyInstance(
                    Service.class.getClassLoader(),
                    new Class<?>[] {Service.class},
                    (proxy, method, arguments) -> method.getName().equals("toString") ? "generated" : currentName());
        }
    }

    @Test
    void annotationIsFoundOnTheInterfaceOfAGeneratedBean() {
        Service service = scene.context(Enabled.class, GeneratedBean.class).getBean(Service.class);

        assertThat(service.annotated(3)).isEqualTo("of-interface-3");
        assertThatIllegalStateException().isThrownBy(service::unlocked);
    }

    /** A bean behind two proxies with the same advisor. */
    static class TwiceProxiedBean {
        @Bean
        static Stages stages(LockedAdvisor advisor) {
            ProxyFactory factory = new ProxyFactory(new Stages());
            factory.setProxyTargetClass(true);
            factory.addAdvisor(advisor);
            return (Stages) factory.getProxy();
        }
    }

    /** A bean whose method cannot enter its lock again. */
    static class Stages {
        @Locked("stage")
        public CompletableFuture<String> name() {
            return CompletableFuture.completedFuture(currentName());
        }
    }

    @Test
    void beanBehindTwoProxiesLocksOnce() throws Exception {
        Stages stages =
                scene.context(ClassProxies.class, TwiceProxiedBean.class).getBean(Stages.class);

        assertThat(AopUtils.isAopProxy(((Advised) stages).getTargetSource().getTarget()))
                .isTrue();
        assertThat(stages.name().get()).isEqualTo("stage");
    }

    /** Declarations that are refused. */
    static class PrimitiveSkip {
        @Locked(name = "x", whenContended = WhenContended.SKIP)
        public int count() {
            return 1;
        }
    }

    static class NoName {
        @Locked
        public void work() {}
    }

    static class BareExpression {
        @Locked("#id")
        public void work(String id) {}
    }

    static class BrokenExpression {
        @Locked("x-#{#id")
        public void work(String id) {}
    }

    static class UnknownProperty {
        @Locked("${no.such.property}")
        public void work() {}
    }

    static class WrongDuration {
        @Locked(name = "x", ttl = "soon")
        public void work() {}
    }

    static class NegativeWait {
        @Locked(name = "x", waitAtMost = "-5s")
        public void work() {}
    }

    static class ShortTtl {
        @Locked(name = "x", ttl = "1ms")
        public void work() {}
    }

    static class LimitWithoutKeepAlive {
        @Locked(name = "x", keepAlive = false, keepAliveAtMost = "1h")
        public void work() {}
    }

    static class MissingFallback {
        @Locked(name = "x", fallback = "other")
        public void work(String id) {}

        public void other() {}
    }

    static class WrongFallback {
        @Locked(name = "x", fallback = "other")
        public String work() {
            return "";
        }

        public int other() {
            return 1;
        }
    }

    static class SkipAndFallback {
        @Locked(name = "x", whenContended = WhenContended.SKIP, fallback = "other")
        public void work() {}

        public void other() {}
    }

    static class PlainFuture {
        @Locked("x")
        public Future<String> work() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class PrivateMethod {
        @Locked("x")
        @SuppressWarnings("unused")
        private void work() {}
    }

    static class FinalMethod {
        @Locked("x")
        public final void work() {}
    }

    static class SecondMethod {
        @Locked("x")
        public void first() {}

        @Locked
        public void second() {}
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(PrimitiveSkip.class, "return Integer or name a fallback"),
                Arguments.of(NoName.class, "name must not be empty"),
                Arguments.of(BareExpression.class, "write #{#id}"),
                Arguments.of(BrokenExpression.class, "cannot be parsed"),
                Arguments.of(UnknownProperty.class, "no.such.property"),
                Arguments.of(WrongDuration.class, "ttl must be a duration such as 30s"),
                Arguments.of(NegativeWait.class, "waitAtMost must be from PT0S"),
                Arguments.of(ShortTtl.class, "ttl must be from PT0.1S"),
                Arguments.of(LimitWithoutKeepAlive.class, "keepAliveAtMost needs keepAlive"),
                Arguments.of(MissingFallback.class, "with the parameters [class java.lang.String]"),
                Arguments.of(WrongFallback.class, "must return class java.lang.String, returns int"),
                Arguments.of(SkipAndFallback.class, "must not be SKIP if there is a fallback"),
                Arguments.of(PlainFuture.class, "not for interface java.util.concurrent.Future"),
                Arguments.of(PrivateMethod.class, "private, static or final method"),
                Arguments.of(FinalMethod.class, "private, static or final method"),
                Arguments.of(SecondMethod.class, "SecondMethod.second(): name must not be empty"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void wrongDeclarationIsRefusedAtStart(Class<?> bean, String message) {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> scene.context(Enabled.class, bean))
                .withStackTraceContaining(message);
    }

    /** A method for the client with that name. */
    static class Named {
        @Locked(name = "named", client = "second")
        public String work() {
            return currentName();
        }
    }

    @Test
    void clientIsTheBeanThatTheAnnotationNames() throws Exception {
        LockClient second = scene.client();
        AnnotationConfigApplicationContext context = scene.unstarted(Enabled.class, Named.class);
        context.registerBean("first", LockClient.class, () -> scene.locks);
        context.registerBean("second", LockClient.class, () -> second);
        context.refresh();

        assertThat(context.getBean(Named.class).work()).isEqualTo("named");

        second.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> context.getBean(Named.class).work());
    }

    @Test
    void missingClientIsAnErrorAtStart() {
        assertThatIllegalStateException()
                .isThrownBy(() -> scene.unstarted(Enabled.class, Stages.class).refresh())
                .withMessageContaining("needs a bean of type org.mongolocks.sync.LockClient, and there is none");
        assertThatIllegalStateException()
                .isThrownBy(() -> scene.context(Enabled.class, Named.class))
                .withMessageContaining("LockClient with the name 'second', and there is none");
    }

    /** A reactive method. */
    static class Reactive {
        @Locked("reactive")
        public Flux<String> work() {
            return Flux.empty();
        }
    }

    @Test
    void missingReactiveClientIsAnErrorAtStart() {
        AnnotationConfigApplicationContext context = scene.unstarted(Enabled.class, Reactive.class);
        context.registerBean(LockClient.class, () -> scene.locks);

        assertThatIllegalStateException()
                .isThrownBy(context::refresh)
                .withMessageContaining("needs a bean of type org.mongolocks.reactive.ReactiveLockClient");
    }

    @Test
    void severalClientsAreAnErrorOfTheCall() throws Exception {
        LockClient second = scene.client();
        AnnotationConfigApplicationContext context = scene.unstarted(Enabled.class, Stages.class);
        context.registerBean("first", LockClient.class, () -> scene.locks);
        context.registerBean("second", LockClient.class, () -> second);
        context.refresh();

        assertThatIllegalStateException()
                .isThrownBy(() -> context.getBean(Stages.class).name())
                .withMessageContaining("has no client")
                .withMessageContaining("first,second");
    }
}
