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
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.aot.AbstractAotProcessor;
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
        implements PointcutAdvisor, MethodInterceptor, Ordered, SmartInitializingSingleton, DisposableBean {
    private final ConfigurableApplicationContext context;
    private final ConfigurableListableBeanFactory beans;
    private final int order;
    private final Pointcut pointcut = new LockedPointcut();
    private final Map<MethodClassKey, Optional<LockedMethod>> methods = new ConcurrentHashMap<>();
    private final Releases releases = new Releases();
    /** It gets the events of all contexts below it, also of those beside this one. */
    private final Optional<ConfigurableApplicationContext> root;

    private final LockedContexts contexts = new LockedContexts();
    private volatile boolean hasStarted;
    /** A context whose start failed destroys its beans, and is never closed. */
    private volatile boolean isDestroyed;
    // An application has one of the two clients: the class for the other one is never loaded.
    private final Supplier<SyncMethods> sync;
    private final Supplier<ReactiveMethods> reactive = SingletonSupplier.of(() -> new ReactiveMethods());

    LockedAdvisor(ConfigurableApplicationContext context, int order) {
        this.context = context;
        this.beans = context.getBeanFactory();
        this.root = root(context) instanceof ConfigurableApplicationContext root ? Optional.of(root) : Optional.empty();
        this.order = order;
        this.sync = SingletonSupplier.of(() -> new SyncMethods(releases));
    }

    private static ApplicationContext root(ApplicationContext context) {
        return context.getParent() == null ? context : root(context.getParent());
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
        LockedContexts.closeClientsLast(beans);
        LockedContexts.reportBeansWithoutProxy(beans);
        LockedContexts.reportOrder(beans, this);
        root.ifPresent(top -> top.addApplicationListener(contexts));
    }

    @Override
    public void destroy() {
        isDestroyed = true;
        root.ifPresent(top -> top.removeApplicationListener(contexts));
        releases.close();
    }

    ConfigurableListableBeanFactory beans() {
        return beans;
    }

    /** Returns whether the context, or one above it, is being closed, or was. */
    boolean isClosed() {
        return isDestroyed || isClosed(context);
    }

    private static boolean isClosed(@Nullable ApplicationContext context) {
        return context != null
                && ((context instanceof ConfigurableApplicationContext own && own.isClosed())
                        || isClosed(context.getParent()));
    }

    private Optional<LockedMethod> find(Method method, Class<?> type) {
        Class<?> user = ClassUtils.getUserClass(type);
        return methods.computeIfAbsent(new MethodClassKey(method, user), key -> read(method, user));
    }

    private Optional<LockedMethod> read(Method method, Class<?> type) {
        Method specific = specific(method, type);
        Optional<LockedMethod> found =
                annotation(method, specific).map(locked -> LockedMethod.of(specific, type, locked, this));
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
