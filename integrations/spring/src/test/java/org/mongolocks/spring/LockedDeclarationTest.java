package org.mongolocks.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.reactivestreams.client.FindPublisher;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockRequest;
import org.mongolocks.spring.LockingScene.Enabled;
import org.mongolocks.sync.LockClient;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AliasFor;
import org.springframework.util.ReflectionUtils;
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

    record Order(long id, String customer) {}

    /** Names of locks. */
    static class Names {
        private static final AtomicInteger EVALUATIONS = new AtomicInteger();

        public int count() {
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

        @Locked("count-#{count()}")
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
    void argumentThatTheMethodChangesDoesNotChangeTheName() throws InterruptedException {
        List<String> keys = new ArrayList<>(List.of("one"));

        assertThat(names().changed(keys)).isEqualTo("list-one");

        assertThat(scene.isHeld("list-one")).isFalse();
    }

    @Test
    void expressionThatFailsIsAnErrorOfTheCall() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names().changed(List.of()))
                .withMessageContaining("Names.changed(java.util.List): #{#keys[0]}: cannot be evaluated");
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

    static class ExpressionAfterText {
        @Locked("order-#id")
        public void work(String id) {}
    }

    static class CacheKey {
        @Locked("'order-' + #id")
        public void work(String id) {}
    }

    static class OfProperty {
        @Locked("${app.name}")
        public void work(String id) {}
    }

    static class UnknownVariable {
        @Locked("#{'order-' + #idd}")
        public void work(String id) {}
    }

    static class UnknownFunction {
        @Locked("order-#{#id(1)}")
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

    static class MinimumAboveItsTtl {
        @Locked(name = "x", ttl = "1m", holdAtLeast = "61s")
        public void work() {}
    }

    static class ShortTtl {
        @Locked(name = "x", ttl = "1ms")
        public void work() {}
    }

    static class LimitOfAFixedLease {
        @Locked(name = "x", fixedLease = true, keepAliveAtMost = "1h")
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

    static class LazyResult {
        @Locked("x")
        public Stream<String> work() {
            return Stream.of();
        }
    }

    static class LazyQuery {
        @Locked("x")
        public FindIterable<Document> work() {
            throw new UnsupportedOperationException();
        }
    }

    static class LazyArray {
        @Locked("x")
        public MongoCursor<Document>[] work() {
            throw new UnsupportedOperationException();
        }
    }

    static class PublisherOfTheJdk {
        @Locked("x")
        public Flow.Publisher<String> work() {
            throw new UnsupportedOperationException();
        }
    }

    static class PublisherOfTheDriver {
        @Locked("x")
        public FindPublisher<Document> work() {
            throw new UnsupportedOperationException();
        }
    }

    static class LaterCall {
        @Locked("x")
        public Callable<String> work() {
            return () -> "";
        }
    }

    static class PrivateMethod {
        @Locked("x")
        @SuppressWarnings("unused")
        private void work() {}
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
                Arguments.of(ExpressionAfterText.class, "was 'order-#id': write #{#id}"),
                Arguments.of(CacheKey.class, "must have its expressions in #{...}"),
                Arguments.of(OfProperty.class, "was 'shop-#id'"),
                Arguments.of(UnknownVariable.class, "unknown variable #idd; known are root, this, p0, a0, id."),
                Arguments.of(UnknownFunction.class, "must not have #id(1)"),
                Arguments.of(BrokenExpression.class, "cannot be parsed"),
                Arguments.of(UnknownProperty.class, "no.such.property"),
                Arguments.of(WrongDuration.class, "ttl must be a duration such as 30s"),
                Arguments.of(MinimumAboveItsTtl.class, "holdAtLeast must be from PT0S to PT1M"),
                Arguments.of(ShortTtl.class, "ttl must be from PT0.1S"),
                Arguments.of(LimitOfAFixedLease.class, "keepAliveAtMost needs a lease that is renewed"),
                Arguments.of(MissingFallback.class, "with the parameters [class java.lang.String]"),
                Arguments.of(WrongFallback.class, "must return class java.lang.String, returns int"),
                Arguments.of(SkipAndFallback.class, "must not be SKIP if there is a fallback"),
                Arguments.of(PlainFuture.class, "not for interface java.util.concurrent.Future"),
                Arguments.of(LazyResult.class, "not for interface java.util.stream.Stream"),
                Arguments.of(LazyQuery.class, "not for interface com.mongodb.client.FindIterable"),
                Arguments.of(LazyArray.class, "not for interface com.mongodb.client.MongoCursor"),
                Arguments.of(PublisherOfTheJdk.class, "not for interface java.util.concurrent.Flow$Publisher"),
                Arguments.of(PublisherOfTheDriver.class, "FindPublisher"),
                Arguments.of(LaterCall.class, "not for interface java.util.concurrent.Callable"),
                Arguments.of(PrivateMethod.class, "private, static or final method"),
                Arguments.of(SecondMethod.class, "SecondMethod.second(): name must not be empty"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    @Tag("finds:lock-name-literal")
    @Tag("finds:lock-name-unknown-variable")
    @Tag("finds:unfinished-result")
    @Tag("finds:lazy-query-of-the-driver")
    void wrongDeclarationIsRefusedAtStart(Class<?> bean, String message) {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> scene.context(Map.of("app.name", "shop-#id"), Enabled.class, bean))
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
        assertThatExceptionOfType(ClientClosedException.class)
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
    @Tag("finds:several-clients-at-call")
    void severalClientsAreAnErrorAtStart() throws Exception {
        LockClient second = scene.client();
        AnnotationConfigApplicationContext context = scene.unstarted(Enabled.class, Stages.class);
        context.registerBean("first", LockClient.class, () -> scene.locks);
        context.registerBean("second", LockClient.class, () -> second);

        assertThatIllegalStateException()
                .isThrownBy(context::refresh)
                .withMessageContaining("has no client")
                .withMessageContaining("first,second");
    }

    @Test
    void primaryClientOfSeveralIsUsedAlsoIfItIsLazy() throws Exception {
        AtomicInteger built = new AtomicInteger();
        LockClient second = scene.client();
        AnnotationConfigApplicationContext context = scene.unstarted(Enabled.class, Stages.class);
        context.registerBean("first", LockClient.class, () -> scene.locks);
        context.registerBean(
                "second",
                LockClient.class,
                () -> {
                    built.incrementAndGet();
                    return second;
                },
                definition -> definition.setPrimary(true),
                definition -> definition.setLazyInit(true));
        context.refresh();

        assertThat(built).hasValue(0);
        assertThat(context.getBean(Stages.class).name().get()).isEqualTo("stage");
        assertThat(built).hasValue(1);
    }

    /** Attributes that do not go with the ttl of the client, which is ten minutes. */
    static class LimitBelowTheTtl {
        @Locked(name = "x", keepAliveAtMost = "5m")
        public void work() {}
    }

    static class LimitOfAPublisherBelowTheTtl {
        @Locked(name = "x", keepAliveAtMost = "5m")
        public Flux<String> work() {
            return Flux.empty();
        }
    }

    static class MinimumAboveTheTtl {
        @Locked(name = "x", holdAtLeast = "11m")
        public void work() {}
    }

    @ParameterizedTest
    @ValueSource(classes = {LimitBelowTheTtl.class, LimitOfAPublisherBelowTheTtl.class, MinimumAboveTheTtl.class})
    @Tag("finds:locked-bounds-at-call")
    void attributesAreCheckedWithTheDefaultTtlAtStart(Class<?> bean) {
        assertThatIllegalStateException()
                .isThrownBy(() -> scene.context(Enabled.class, bean))
                .withMessageContaining("@Locked on")
                .withMessageMatching(
                        ".*(keepAliveAtMost must be from PT10M to .*|holdAtLeast must be from PT0S to PT10M.*)");
    }

    @Test
    void mockOfAClientHasNoTermsToCheck() {
        Method method = Objects.requireNonNull(ReflectionUtils.findMethod(MinimumAboveTheTtl.class, "work"));
        LockedMethod locked = LockedMethod.of(
                method,
                MinimumAboveTheTtl.class,
                LockedMethod.annotation(method).orElseThrow(),
                scene.context(Enabled.class).getBean(LockedAdvisor.class));

        assertThatCode(() -> locked.requireTerms(Map.<String, LockRequest>of()::get))
                .doesNotThrowAnyException();
    }

    /** A method whose lock outlasts it. */
    static class Hourly {
        @Locked(name = "hourly", ttl = "1h", holdAtLeast = "50m", whenContended = WhenContended.SKIP)
        public @Nullable String report() {
            return currentName();
        }
    }

    @Test
    void lockIsHeldForTheMinimum() throws Exception {
        Hourly hourly = scene.bean(Hourly.class);

        assertThat(hourly.report()).isEqualTo("hourly");
        assertThat(scene.isHeld("hourly")).isTrue();
        assertThat(hourly.report()).isNull();
        scene.server.elapse(Duration.ofMinutes(51));

        assertThat(hourly.report()).isEqualTo("hourly");
    }
}
