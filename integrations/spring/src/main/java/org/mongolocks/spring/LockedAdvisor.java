package org.mongolocks.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/** The advisor that runs methods under {@link Locked}. Thread-safe. */
final class LockedAdvisor
        implements PointcutAdvisor,
                MethodInterceptor,
                Ordered,
                SmartInitializingSingleton,
                ApplicationListener<ContextRefreshedEvent>,
                DisposableBean {
    private final ConfigurableListableBeanFactory beans;
    private final int order;
    private final Pointcut pointcut = new LockedPointcut();
    private final Map<MethodClassKey, Optional<LockedMethod>> methods = new ConcurrentHashMap<>();
    private final Releases releases = new Releases();
    private volatile boolean hasStarted;
    // An application has one of the two clients: the class for the other one is never loaded.
    private final Supplier<SyncMethods> sync;
    private final Supplier<ReactiveMethods> reactive = SingletonSupplier.of(() -> new ReactiveMethods());

    LockedAdvisor(ConfigurableListableBeanFactory beans, int order) {
        this.beans = beans;
        this.order = order;
        this.sync = SingletonSupplier.of(() -> new SyncMethods(releases));
    }

    /** The annotated methods. All methods of a class are checked before one of them is called. */
    private final class LockedPointcut extends StaticMethodMatcherPointcut {
        LockedPointcut() {
            setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Locked.class) && hasMethods(type));
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return isLocked(method, ClassUtils.getUserClass(targetClass));
        }

        private boolean hasMethods(Class<?> type) {
            Class<?> user = ClassUtils.getUserClass(type);
            return !MethodIntrospector.selectMethods(
                            user, (ReflectionUtils.MethodFilter) method -> isLocked(method, user))
                    .isEmpty();
        }

        /** The properties that attributes name are those of the start; the build of a native image may have others. */
        private boolean isLocked(Method method, Class<?> user) {
            return Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)
                    ? annotation(method, specific(method, user)).isPresent()
                    : find(method, user).isPresent();
        }
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return this;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Class<?> type = target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        Optional<LockedMethod> locked = find(call.getMethod(), type);
        if (locked.isEmpty() || isLockedInside(target)) {
            return call.proceed();
        }
        LockedMethod method = locked.get();
        return switch (method.kind()) {
            case BLOCKING -> sync.get().call(method, call);
            case STAGE -> sync.get().stage(method, call);
            case MONO -> reactive.get().mono(method, call);
            case FLUX -> reactive.get().flux(method, call);
        };
    }

    /** Of two proxies of one bean the inner one locks. */
    private boolean isLockedInside(@Nullable Object target) {
        return target instanceof Advised inner
                && Arrays.stream(inner.getAdvisors()).anyMatch(advisor -> advisor == this);
    }

    @Override
    public void afterSingletonsInstantiated() {
        hasStarted = true;
        methods.values().stream().flatMap(Optional::stream).forEach(this::requireClient);
        LockedContexts.requireProxiesOfAncestors(beans);
        LockedContexts.reportBeansWithoutProxy(beans);
        LockedContexts.reportOrder(beans, this);
    }

    /** Checks each descendant of this context when it has started. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (refreshed.getApplicationContext().getAutowireCapableBeanFactory()
                        instanceof ConfigurableListableBeanFactory started
                && started != beans) {
            LockedContexts.requireProxies(started);
        }
    }

    @Override
    public void destroy() {
        releases.close();
    }

    private Optional<LockedMethod> find(Method method, Class<?> type) {
        Class<?> user = ClassUtils.getUserClass(type);
        return methods.computeIfAbsent(new MethodClassKey(method, user), key -> read(method, user));
    }

    private Optional<LockedMethod> read(Method method, Class<?> type) {
        Method specific = specific(method, type);
        Optional<LockedMethod> found =
                annotation(method, specific).map(locked -> LockedMethod.of(specific, type, locked, beans));
        if (hasStarted) {
            found.ifPresent(this::requireClient);
        }
        return found;
    }

    private void requireClient(LockedMethod method) {
        Optional<Object> client = method.requireClient();
        switch (method.kind()) {
            case BLOCKING, STAGE -> client.ifPresent(found -> sync.get().requireTerms(method, found));
            case MONO, FLUX -> client.ifPresent(found -> reactive.get().requireTerms(method, found));
        }
    }

    /** The methods of a proxy of the JDK have no names of parameters. */
    private static Method specific(Method method, Class<?> type) {
        return Proxy.isProxyClass(type) ? method : AopUtils.getMostSpecificMethod(method, type);
    }

    /** An annotation of the method that is called at the end comes before one of the method of an interface. */
    private static Optional<MergedAnnotation<Locked>> annotation(Method method, Method specific) {
        return LockedMethod.annotation(specific).or(() -> LockedMethod.annotation(method));
    }
}
