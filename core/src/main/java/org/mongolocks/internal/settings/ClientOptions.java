package org.mongolocks.internal.settings;

import io.github.resilience4j.retry.Retry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockObserver;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.SchemaMode;
import org.mongolocks.TokenListener;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.base.CommandTimeout;
import org.mongolocks.internal.base.FreshIds;
import org.mongolocks.internal.base.JitteredBackoff;
import org.mongolocks.internal.settings.ClientSettings.LeaseSettings;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * The builder of both clients. Tests replace its time, its timer and its randomness.
 *
 * @param <C> what is built
 */
public final class ClientOptions<C> implements LockClientBuilder<C> {
    private static final Duration MAX_SKEW = Duration.ofMinutes(10);
    private static final Duration MAX_CLOSE_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration MAX_DRAIN_TIMEOUT = Duration.ofDays(1);
    private static final Duration FIRST_POLL = Duration.ofMillis(10);
    private static final Duration MAX_POLL = Duration.ofSeconds(1);
    private static final Duration FIRST_RETRY = Duration.ofMillis(20);
    private static final Duration MAX_RETRY = Duration.ofMillis(500);
    private static final int MAX_ATTEMPTS = 6;

    private final Function<ClientOptions<C>, C> target;
    private @Nullable LockStrategy strategy;
    private @Nullable String collection;
    private @Nullable Retry userRetry;
    private Duration commandTimeout = DEFAULT_COMMAND_TIMEOUT;
    private int maxAttempts = MAX_ATTEMPTS;
    private Duration firstRetry = FIRST_RETRY;
    private Duration longestRetry = MAX_RETRY;
    private Duration firstPoll = FIRST_POLL;
    private Duration longestPoll = MAX_POLL;
    private TimeSource time = TimeSource.system();
    private RandomGenerator random = new Random();
    private @Nullable String instance;
    private SchemaMode schema = SchemaMode.CREATE;
    private TokenListener tokenListener = (granted, newest) -> {};
    private Duration defaultTtl = DEFAULT_TTL;
    private Duration defaultWait = Duration.ZERO;
    private @Nullable Timer timer;
    private @Nullable Executor listeners;
    private @Nullable Duration skewMargin;
    private Supplier<HolderInfo> holderInfo = HolderInfo::ofThisThread;
    private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
    private Duration drainTimeout = DEFAULT_DRAIN_TIMEOUT;
    private @Nullable LockObserver observer;

    /** Creates a builder with the default settings, which calls the function for each {@link #build}. */
    public ClientOptions(Function<ClientOptions<C>, C> target) {
        this.target = target;
    }

    /** Returns a builder as what it is. */
    public static <C> ClientOptions<C> of(LockClientBuilder<C> builder) {
        return (ClientOptions<C>) builder;
    }

    /** Checks the name of a collection for lock documents. */
    public static void requireCollection(String name) {
        boolean isText = StandardCharsets.UTF_8.newEncoder().canEncode(name);
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        boolean hasValidStart = !name.startsWith(".") && !name.startsWith("system.");
        boolean hasForbiddenChar = name.indexOf('$') >= 0 || name.indexOf('\0') >= 0;
        if (!isText || !hasValidStart || hasForbiddenChar || bytes < 1 || bytes > MAX_COLLECTION_BYTES) {
            throw new IllegalArgumentException("collection name must have 1 to " + MAX_COLLECTION_BYTES
                    + " bytes of UTF-8, no '$', no NUL and no unpaired surrogate, and must not begin with '.' or"
                    + " 'system.', was '" + name + "'");
        }
    }

    @Override
    public ClientOptions<C> strategy(String name) {
        return strategy(LockStrategies.named(Objects.requireNonNull(name, "The name of the strategy is null")));
    }

    @Override
    public ClientOptions<C> strategy(LockStrategy chosen) {
        this.strategy = Objects.requireNonNull(chosen, "The strategy is null");
        return this;
    }

    @Override
    public ClientOptions<C> collection(String name) {
        requireCollection(Objects.requireNonNull(name, "The name of the collection is null"));
        this.collection = name;
        return this;
    }

    @Override
    public ClientOptions<C> commandTimeout(Duration limit) {
        CommandTimeout.require(Objects.requireNonNull(limit, "The commandTimeout is null"));
        this.commandTimeout = limit;
        return this;
    }

    @Override
    public ClientOptions<C> polling(Duration first, Duration cap) {
        Objects.requireNonNull(first, "The first wait is null");
        new JitteredBackoff(first, Objects.requireNonNull(cap, "The longest wait is null"), random);
        this.firstPoll = first;
        this.longestPoll = cap;
        return this;
    }

    @Override
    public ClientOptions<C> faultRetry(int attempts, Duration first, Duration longest) {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, were " + attempts);
        }
        Objects.requireNonNull(first, "The first wait is null");
        new JitteredBackoff(first, Objects.requireNonNull(longest, "The longest wait is null"), random);
        this.maxAttempts = attempts;
        this.firstRetry = first;
        this.longestRetry = longest;
        this.userRetry = null;
        return this;
    }

    @Override
    public ClientOptions<C> faultRetry(Retry retry) {
        this.userRetry = Objects.requireNonNull(retry, "The retry is null");
        return this;
    }

    @Override
    public ClientOptions<C> defaultTtl(Duration ttl) {
        this.defaultTtl = LockRequest.of("any", ttl).ttl();
        return this;
    }

    @Override
    public ClientOptions<C> defaultWait(Duration wait) {
        this.defaultWait =
                LockRequest.of("any", LockRequest.MAX_TTL).waitAtMost(wait).waitAtMost();
        return this;
    }

    @Override
    public ClientOptions<C> instance(String name) {
        Objects.requireNonNull(name, "The name of the instance is null");
        this.instance = new Owner(name, new UUID(0, 0)).instance();
        return this;
    }

    @Override
    public ClientOptions<C> schema(SchemaMode mode) {
        this.schema = Objects.requireNonNull(mode, "The schema mode is null");
        return this;
    }

    @Override
    public ClientOptions<C> onTokenWentBack(TokenListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        this.tokenListener = (granted, newest) -> caller.run(() -> listener.onTokenWentBack(granted, newest));
        return this;
    }

    /**
     * Sets the monotonic time of the client. The default is {@link TimeSource#system()}.
     *
     * @param source the time
     * @return this
     */
    public ClientOptions<C> time(TimeSource source) {
        this.time = Objects.requireNonNull(source, "The time source is null");
        return this;
    }

    /**
     * Sets the source of the jitter of waits.
     *
     * @param generator the generator; thread-safe
     * @return this
     */
    public ClientOptions<C> random(RandomGenerator generator) {
        this.random = Objects.requireNonNull(generator, "The random generator is null");
        return this;
    }

    @Override
    public ClientOptions<C> skewMargin(Duration margin) {
        this.skewMargin = requireUpTo(MAX_SKEW, "skewMargin", margin);
        return this;
    }

    @Override
    public ClientOptions<C> closeTimeout(Duration limit) {
        this.closeTimeout = requireUpTo(MAX_CLOSE_TIMEOUT, "closeTimeout", limit);
        return this;
    }

    @Override
    public ClientOptions<C> drainTimeout(Duration limit) {
        this.drainTimeout = requireUpTo(MAX_DRAIN_TIMEOUT, "drainTimeout", limit);
        return this;
    }

    @Override
    public ClientOptions<C> holderInfo(Supplier<HolderInfo> info) {
        Objects.requireNonNull(info, "The holder info is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        this.holderInfo = () -> Objects.requireNonNull(
                caller.call(info), "The function of holderInfo returned null; HolderInfo.none() stores nothing");
        return this;
    }

    @Override
    public ClientOptions<C> listenerExecutor(Executor executor) {
        Objects.requireNonNull(executor, "The executor is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        this.listeners = listener -> caller.run(() -> executor.execute(listener));
        return this;
    }

    /**
     * Sets the timer of the client: it should run by the same time as the {@link TimeSource}.
     *
     * @param source the timer; the client does not close it
     * @return this
     */
    public ClientOptions<C> timer(Timer source) {
        Objects.requireNonNull(source, "The timer is null");
        this.timer = (delay, task) ->
                Objects.requireNonNull(source.schedule(delay, task), "The timer returned null instead of a Timeout");
        return this;
    }

    @Override
    public ClientOptions<C> observer(LockObserver of) {
        Objects.requireNonNull(of, "The observer is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        this.observer = event -> caller.run(() -> of.onEvent(event));
        return this;
    }

    @Override
    public C build() {
        return target.apply(this);
    }

    /**
     * Returns the settings of one client, with defaults for those that were not set.
     *
     * @throws IllegalStateException if no strategy was chosen, and the class path has none, or several without
     *     {@code findandmodify-counter}
     */
    public ClientSettings settings() {
        return settings(instance == null ? FreshIds.next().toString() : instance);
    }

    /** Returns a supplier of the present settings, whatever is set later, each with an instance of its own unless it was named. */
    public Supplier<ClientSettings> settingsOfEach() {
        ClientSettings present = settings(instance == null ? "" : instance);
        return instance == null ? present::withOtherInstance : () -> present;
    }

    private ClientSettings settings(String name) {
        LockStrategy chosen = strategy == null ? LockStrategies.defaultOf(LockStrategies.all()) : strategy;
        return new ClientSettings(
                chosen,
                collection == null ? "locks." + chosen.name() : collection,
                commandTimeout,
                new JitteredBackoff(firstPoll, longestPoll, random),
                userRetry == null
                        ? FaultPolicy.own(maxAttempts, new JitteredBackoff(firstRetry, longestRetry, random))
                        : FaultPolicy.ofUser(userRetry),
                time,
                name,
                FreshIds::next,
                schema,
                holding(),
                tokenListener);
    }

    private LeaseSettings holding() {
        return new LeaseSettings(
                Optional.ofNullable(timer),
                Optional.ofNullable(listeners),
                Optional.ofNullable(skewMargin),
                closeTimeout,
                drainTimeout,
                new JitteredBackoff(FIRST_RETRY, MAX_POLL, random),
                holderInfo,
                Optional.ofNullable(observer).map(LockEventDelivery::new));
    }

    /** Returns the requests for locks by name alone, with the present defaults. */
    public Function<String, LockRequest> requestFactory() {
        Duration ttl = defaultTtl;
        Duration wait = defaultWait;
        return name -> LockRequest.of(name, ttl).waitAtMost(wait);
    }

    private static Duration requireUpTo(Duration most, String what, Duration found) {
        Objects.requireNonNull(found, () -> "The " + what + " is null");
        if (found.isNegative() || found.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    what + " must be from " + Duration.ZERO + " to " + most + ", was " + found);
        }
        return found;
    }
}
