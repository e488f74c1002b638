package org.mongolocks.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.Environment;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** A method of a bean under {@link Locked}, with the checked attributes of the annotation. Immutable. */
final class LockedMethod {
    private static final String SYNC_CLIENT = "org.mongolocks.sync.LockClient";
    private static final String REACTIVE_CLIENT = "org.mongolocks.reactive.ReactiveLockClient";
    private static final Map<Class<?>, Object> NO_RESULT = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    private final Method method;
    private final ConfigurableListableBeanFactory beans;
    private final Kind kind;
    private final LockNameTemplate name;
    private final String client;
    private final Terms terms;
    private final boolean isSkipping;
    private final @Nullable Object skipped;
    private final @Nullable Method fallback;

    /** How the work of a method ends, by its return type. */
    enum Kind {
        BLOCKING(SYNC_CLIENT),
        STAGE(SYNC_CLIENT),
        MONO(REACTIVE_CLIENT),
        FLUX(REACTIVE_CLIENT);

        private final String clientType;

        Kind(String clientType) {
            this.clientType = clientType;
        }

        String clientType() {
            return clientType;
        }

        private static Kind of(Class<?> result) {
            if (result == CompletionStage.class || result == CompletableFuture.class) {
                return STAGE;
            }
            return switch (result.getName()) {
                case "reactor.core.publisher.Mono" -> MONO;
                case "reactor.core.publisher.Flux", "org.reactivestreams.Publisher" -> FLUX;
                default -> BLOCKING;
            };
        }
    }

    /** The attributes of a request apart from its name. */
    private record Terms(
            Optional<Duration> ttl,
            Duration waitAtMost,
            boolean isKeptAlive,
            Optional<Duration> keepAliveAtMost,
            boolean isFair) {

        LockRequest request(LockName name, Duration lease) {
            LockRequest plain = new LockRequest(name, lease, waitAtMost);
            LockRequest kept = isKeptAlive ? plain.keepAlive() : plain;
            LockRequest limited = keepAliveAtMost.map(kept::keepAliveAtMost).orElse(kept);
            return isFair ? limited.fair() : limited;
        }
    }

    private LockedMethod(
            Method method, Class<?> type, MergedAnnotation<Locked> locked, ConfigurableListableBeanFactory beans) {
        Class<?> result = ResolvableType.forMethodReturnType(method, type).toClass();
        this.method = method;
        this.beans = beans;
        this.kind = Kind.of(result);
        this.name = LockNameTemplate.parse(text(locked, "name"), method, beans);
        this.client = text(locked, "client");
        this.terms = terms(locked);
        this.isSkipping = locked.getEnum("whenContended", WhenContended.class) == WhenContended.SKIP;
        this.fallback = fallback(locked.getString("fallback"), type);
        requireInterceptable(type);
        requireKnownEnd(result);
        this.skipped = kind == Kind.STAGE ? null : noResult(result);
        if (isSkipping && kind == Kind.BLOCKING && result.isPrimitive() && result != void.class) {
            throw new IllegalArgumentException("a method with a primitive result cannot skip its work; return "
                    + ClassUtils.resolvePrimitiveIfNecessary(result).getSimpleName() + " or name a fallback");
        }
    }

    /** Finds the annotation of a method, also an inherited one or a meta-annotation. */
    static Optional<MergedAnnotation<Locked>> annotation(Method method) {
        return Optional.of(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                        .get(Locked.class))
                .filter(MergedAnnotation::isPresent);
    }

    /**
     * Reads and checks the annotation of a method.
     *
     * @throws IllegalStateException if it is not valid; the message names the method
     */
    static LockedMethod of(
            Method method, Class<?> type, MergedAnnotation<Locked> locked, ConfigurableListableBeanFactory beans) {
        try {
            return new LockedMethod(method, type, locked, beans);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("@Locked on " + method + ": " + e.getMessage(), e);
        }
    }

    Kind kind() {
        return kind;
    }

    boolean throwsWhenContended() {
        return !isSkipping && !hasFallback();
    }

    boolean hasFallback() {
        return fallback != null;
    }

    boolean declares(Class<? extends Exception> exception) {
        return Arrays.stream(method.getExceptionTypes()).anyMatch(declared -> declared.isAssignableFrom(exception));
    }

    /** Returns the request of a call; evaluates the name of the lock. */
    LockRequest request(MethodInvocation call, Function<String, LockRequest> defaults) {
        String lock = name.evaluate(Objects.requireNonNullElse(call.getThis(), call), call.getArguments());
        Duration lease = terms.ttl().orElseGet(() -> defaults.apply(lock).ttl());
        return terms.request(LockName.of(lock), lease);
    }

    /** Calls the fallback of a call whose lock is contended, or returns nothing. */
    @Nullable
    Object otherwise(MethodInvocation call) throws Throwable {
        if (fallback != null) {
            return AopUtils.invokeJoinpointUsingReflection(call.getThis(), fallback, call.getArguments());
        }
        return kind == Kind.STAGE ? CompletableFuture.completedFuture(stageWithoutResult(call)) : skipped;
    }

    private @Nullable Object stageWithoutResult(MethodInvocation call) {
        Class<?> type = call.getThis() == null ? method.getDeclaringClass() : AopUtils.getTargetClass(call.getThis());
        return noResult(ResolvableType.forMethodReturnType(method, type)
                .as(CompletionStage.class)
                .getGeneric(0)
                .toClass());
    }

    private static @Nullable Object noResult(Class<?> type) {
        return NO_RESULT.get(type);
    }

    /**
     * Returns the client.
     *
     * @throws IllegalStateException if there is no such bean, or several
     */
    <C> C client(Class<C> type) {
        try {
            return client.isEmpty() ? beans.getBean(type) : beans.getBean(client, type);
        } catch (BeansException e) {
            throw new IllegalStateException("@Locked on " + method + " has no client: " + e.getMessage(), e);
        }
    }

    /**
     * Checks that there is a client, and creates none.
     *
     * @throws IllegalStateException if no bean is of the type
     */
    void requireClient() {
        Class<?> type = clientType();
        boolean isKnown = client.isEmpty()
                ? beans.getBeanNamesForType(type, true, false).length > 0
                : beans.containsBean(client) && beans.isTypeMatch(client, type);
        if (!isKnown) {
            throw new IllegalStateException("@Locked on " + method + " needs a bean of type " + type.getName()
                    + (client.isEmpty() ? "" : " with the name '" + client + "'") + ", and there is none");
        }
    }

    private Class<?> clientType() {
        try {
            return ClassUtils.forName(kind.clientType, beans.getBeanClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "@Locked on " + method + " needs " + kind.clientType + ", which is not on the class path", e);
        }
    }

    private Terms terms(MergedAnnotation<Locked> locked) {
        Optional<Duration> ttl = duration(locked, "ttl");
        Terms read = new Terms(
                ttl,
                duration(locked, "waitAtMost").orElse(Duration.ZERO),
                locked.getBoolean("keepAlive"),
                duration(locked, "keepAliveAtMost"),
                locked.getBoolean("fair"));
        if (read.keepAliveAtMost().isPresent() && !read.isKeptAlive()) {
            throw new IllegalArgumentException("keepAliveAtMost needs keepAlive");
        }
        // A request checks the bounds.
        read.request(LockName.of("bounds"), ttl.orElse(LockRequest.MIN_TTL));
        return read;
    }

    private Optional<Duration> duration(MergedAnnotation<Locked> locked, String attribute) {
        String text = text(locked, attribute);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(DurationFormatterUtils.detectAndParse(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(attribute + " must be a duration such as 30s or PT30S, was " + text, e);
        }
    }

    /** Returns the text of an attribute with its placeholders replaced. */
    private String text(MergedAnnotation<Locked> locked, String attribute) {
        String text = locked.getString(attribute);
        String resolved = beans.hasEmbeddedValueResolver()
                ? beans.resolveEmbeddedValue(text)
                : beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class)
                        .resolvePlaceholders(text);
        return Objects.requireNonNullElse(resolved, "");
    }

    private @Nullable Method fallback(String named, Class<?> type) {
        if (named.isEmpty()) {
            return null;
        }
        if (isSkipping) {
            throw new IllegalArgumentException("whenContended must not be SKIP if there is a fallback");
        }
        Method found = findFallback(method, named, type)
                .orElseThrow(() -> new IllegalArgumentException("fallback '"
                        + named + "' must be a method of " + type + " with the parameters "
                        + List.of(method.getParameterTypes()) + "; there is none"));
        if (!ClassUtils.isAssignable(method.getReturnType(), found.getReturnType())) {
            throw new IllegalArgumentException("fallback '" + named + "' must return " + method.getReturnType()
                    + ", returns " + found.getReturnType());
        }
        ReflectionUtils.makeAccessible(found);
        return found;
    }

    static Optional<Method> findFallback(Method method, String named, Class<?> type) {
        return Optional.ofNullable(ReflectionUtils.findMethod(type, named, method.getParameterTypes()));
    }

    private void requireInterceptable(Class<?> type) {
        int modifiers = method.getModifiers();
        boolean isOfInterface = method.getDeclaringClass().isInterface()
                || !ClassUtils.getInterfaceMethodIfPossible(method, type).equals(method);
        if (Modifier.isPrivate(modifiers)
                || Modifier.isStatic(modifiers)
                || (Modifier.isFinal(modifiers) && !isOfInterface)) {
            throw new IllegalArgumentException("a private, static or final method cannot be intercepted");
        }
    }

    /** Refuses a result whose work would go on after the release of the lock. */
    private void requireKnownEnd(Class<?> result) {
        Class<?>[] parameters = method.getParameterTypes();
        boolean isSuspending = parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
        boolean isAsynchronous = Future.class.isAssignableFrom(result)
                || CompletionStage.class.isAssignableFrom(result)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null;
        if (isSuspending || (kind == Kind.BLOCKING && isAsynchronous)) {
            throw new IllegalArgumentException("work that goes on after the return is supported for CompletionStage,"
                    + " CompletableFuture, Mono, Flux and Publisher, not for "
                    + (isSuspending ? "suspend functions" : result));
        }
    }

    @Override
    public String toString() {
        return "@Locked on " + method;
    }
}
