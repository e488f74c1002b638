package org.mongolocks.spring;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

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
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.Environment;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** A method of a bean under {@link Locked}, with the checked attributes of the annotation. Immutable. */
final class LockedMethod {
    private static final Map<Class<?>, Object> NO_RESULT = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    /** The name of a request that is only checked. */
    private static final LockName BOUNDS = LockName.of("bounds");

    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final Method method;
    private final LockedAdvisor advisor;
    private final ConfigurableListableBeanFactory beans;
    private final MethodKind kind;
    private final LockNameTemplate name;
    private final LockedClient client;
    private final Terms terms;
    private final boolean isSkipping;
    private final boolean isSkippedAtTheEnd;
    private final @Nullable Object skipped;
    private final @Nullable Method fallback;

    /** The attributes of a request apart from its name. */
    private record Terms(
            Optional<Duration> ttl,
            Duration waitAtMost,
            boolean isFixedLease,
            Optional<Duration> keepAliveAtMost,
            Duration holdAtLeast,
            boolean isFair) {

        LockRequest request(LockName name, Duration lease) {
            LockRequest plain =
                    LockRequest.of(name, lease).waitAtMost(waitAtMost).holdAtLeast(holdAtLeast);
            LockRequest kept = isFixedLease ? plain.fixedLease() : plain;
            LockRequest limited = keepAliveAtMost.map(kept::keepAliveAtMost).orElse(kept);
            return isFair ? limited.fair() : limited;
        }
    }

    private LockedMethod(Method method, Class<?> type, MergedAnnotation<Locked> locked, LockedAdvisor advisor) {
        Class<?> result = ResolvableType.forMethodReturnType(method, type).toClass();
        this.method = method;
        this.advisor = advisor;
        this.beans = advisor.beans();
        this.kind = MethodKind.of(method, type);
        this.name = LockNameTemplate.parse(text(locked, "name"), method, beans);
        this.client = new LockedClient(beans, text(locked, "client"), kind.clientType(), toString());
        this.terms = terms(locked);
        this.isSkipping = locked.getEnum("whenContended", WhenContended.class) == WhenContended.SKIP;
        this.fallback = fallback(locked.getString("fallback"), type);
        requireInterceptable(type);
        this.skipped = kind == MethodKind.STAGE ? null : noResult(result);
        boolean needsResult = kind == MethodKind.BLOCKING && result.isPrimitive() && result != void.class;
        boolean isScheduled =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Scheduled.class);
        this.isSkippedAtTheEnd = isSkipping || (!needsResult && isScheduled);
        if (isSkipping && needsResult) {
            throw new IllegalArgumentException("a method with a primitive result cannot skip its work; return "
                    + ClassUtils.resolvePrimitiveIfNecessary(result).getSimpleName() + " or name a fallback");
        }
        if (isScheduled && throwsWhenContended()) {
            LOG.log(
                    WARNING,
                    this + ": whenContended = SKIP lets a scheduled call end without an error if the lock is held");
        }
    }

    /** Finds the annotated methods of the class of a bean. */
    static Map<Method, MergedAnnotation<Locked>> annotated(Class<?> type) {
        Class<?> user = ClassUtils.getUserClass(type);
        return AnnotationUtils.isCandidateClass(user, Locked.class)
                ? MethodIntrospector.selectMethods(user, (MethodIntrospector.MetadataLookup<MergedAnnotation<Locked>>)
                        method -> annotation(method).orElse(null))
                : Map.of();
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
    static LockedMethod of(Method method, Class<?> type, MergedAnnotation<Locked> locked, LockedAdvisor advisor) {
        try {
            return new LockedMethod(method, type, locked, advisor);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("@Locked on " + method + ": " + e.getMessage(), e);
        }
    }

    MethodKind kind() {
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

    /**
     * Checks the attributes together with the defaults of the client.
     *
     * @throws IllegalStateException if there is no ttl, or the client's does not go with an attribute
     */
    void requireTerms(Function<String, LockRequest> defaults) {
        try {
            // A mock of a client has no defaults.
            Optional<LockRequest> unused = terms.ttl()
                    .or(() ->
                            Optional.ofNullable(defaults.apply(BOUNDS.value())).map(LockRequest::ttl))
                    .map(ttl -> terms.request(BOUNDS, ttl));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalStateException(this + ": " + e.getMessage(), e);
        }
    }

    /** Returns the request of a call; evaluates the name of the lock. */
    LockRequest request(MethodInvocation call, Function<String, LockRequest> defaults) {
        return request(name.evaluate(Objects.requireNonNullElse(call.getThis(), call), call.getArguments()), defaults);
    }

    private LockRequest request(LockName lock, Function<String, LockRequest> defaults) {
        Duration lease =
                terms.ttl().orElseGet(() -> defaults.apply(lock.value()).ttl());
        return terms.request(lock, lease);
    }

    /** Calls the fallback of a call whose lock is contended, or returns nothing. */
    @Nullable
    Object otherwise(MethodInvocation call) throws Throwable {
        LOG.log(
                DEBUG,
                () -> this + (fallback == null ? " is skipped" : " calls its fallback") + ": its lock is contended");
        return fallback == null
                ? nothing(call)
                : AopUtils.invokeJoinpointUsingReflection(call.getThis(), fallback, call.getArguments());
    }

    /** Returns the result of a call that is skipped. */
    @Nullable
    Object nothing(MethodInvocation call) {
        return kind == MethodKind.STAGE ? CompletableFuture.completedFuture(stageWithoutResult(call)) : skipped;
    }

    /**
     * Returns whether a call is skipped, because it failed before it had called the method while its context, or one above
     * it, is being closed: schedulers go on to start work for a while then. Callers that do not skip get the exception,
     * but a scheduler has no use for it.
     */
    boolean isSkippedAfter(Throwable failure) {
        boolean isSkipped = isSkippedAtTheEnd && advisor.isClosed();
        if (isSkipped) {
            LOG.log(INFO, this + " is skipped, as its application context is being closed: " + failure);
        }
        return isSkipped;
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
     * Returns the client. A context that is being closed, or was, would create another one, which nothing closes.
     *
     * @throws IllegalStateException if there is no such bean, or several
     * @throws ClientClosedException if the context is closed, and has no such bean any more
     */
    <C> C client(Class<C> type) {
        return advisor.isClosed()
                ? client.require().map(type::cast).orElseThrow(ClientClosedException::new)
                : client.get(type);
    }

    /**
     * Checks that there is one client, and creates none that is lazy.
     *
     * @return the client, if it is a singleton that exists already
     * @throws IllegalStateException if there is no such bean, or several
     */
    Optional<Object> requireClient() {
        return client.require();
    }

    private Terms terms(MergedAnnotation<Locked> locked) {
        Optional<Duration> ttl = duration(locked, "ttl");
        Terms read = new Terms(
                ttl,
                duration(locked, "waitAtMost").orElse(Duration.ZERO),
                locked.getBoolean("fixedLease"),
                duration(locked, "keepAliveAtMost"),
                duration(locked, "holdAtLeast").orElse(Duration.ZERO),
                locked.getBoolean("fair"));
        // A request checks the bounds; those that depend on the client's ttl are checked with the client.
        read.request(BOUNDS, ttl.orElseGet(() -> longest(LockRequest.MIN_TTL, read.holdAtLeast())));
        return read;
    }

    private static Duration longest(Duration one, Duration other) {
        Duration longer = one.compareTo(other) < 0 ? other : one;
        return longer.compareTo(LockRequest.MAX_TTL) < 0 ? longer : LockRequest.MAX_TTL;
    }

    private Optional<Duration> duration(MergedAnnotation<Locked> locked, String attribute) {
        String text = text(locked, attribute);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            // A number alone would be milliseconds.
            Optional<Duration> parsed = Optional.of(DurationFormatterUtils.detectAndParse(text))
                    .filter(duration -> Character.isLetter(text.charAt(text.length() - 1)));
            return Optional.of(parsed.orElseThrow(() -> new IllegalArgumentException("The unit is missing")));
        } catch (IllegalArgumentException | ArithmeticException e) {
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
        if (AnnotatedElementUtils.isAnnotated(method, "jakarta.annotation.PostConstruct")
                || AnnotatedElementUtils.isAnnotated(method, "jakarta.annotation.PreDestroy")) {
            throw new IllegalArgumentException(
                    "a method under @PostConstruct or @PreDestroy cannot be intercepted: it is called without the proxy");
        }
        if (Modifier.isPrivate(modifiers)
                || Modifier.isStatic(modifiers)
                || (Modifier.isFinal(modifiers) && !isOfInterface)) {
            throw new IllegalArgumentException("a private, static or final method cannot be intercepted");
        }
    }

    @Override
    public String toString() {
        return "@Locked on " + method;
    }
}
