package org.mongolocks;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings.TokenListener;
import org.mongolocks.internal.base.CallerLoader;
import org.mongolocks.internal.base.CommandTimeout;
import org.mongolocks.internal.base.FreshIds;
import org.mongolocks.internal.base.JitteredBackoff;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/**
 * A builder of the settings that the clients of both drivers have in common. Not thread-safe.
 *
 * @param <B> the builder of one client
 */
public abstract class LockClientBuilder<B extends LockClientBuilder<B>> extends HoldingOptions<B> {
    /** The default time limit of one command: 5 seconds. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(5);

    /** The default ttl of locks that are requested by name alone: 30 seconds. */
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    /** The longest name of a collection: 180 bytes of UTF-8, which leaves room for the database name and suffixes. */
    public static final int MAX_COLLECTION_BYTES = 180;

    private static final Duration FIRST_POLL = Duration.ofMillis(10);
    private static final Duration MAX_POLL = Duration.ofSeconds(1);
    private static final Duration FIRST_RETRY = Duration.ofMillis(20);
    private static final Duration MAX_RETRY = Duration.ofMillis(500);
    private static final int MAX_ATTEMPTS = 6;

    private @Nullable LockStrategy strategy;
    private @Nullable String collection;
    private @Nullable Retry faultRetry;
    private Duration commandTimeout = DEFAULT_COMMAND_TIMEOUT;
    private Duration firstPoll = FIRST_POLL;
    private Duration longestPoll = MAX_POLL;
    private TimeSource time = TimeSource.system();
    private RandomGenerator random = new Random();
    private @Nullable String instance;
    private SchemaMode schema = SchemaMode.CREATE;
    private TokenListener tokenListener = (granted, newest) -> {};
    private Duration defaultTtl = DEFAULT_TTL;
    private Duration defaultWait = Duration.ZERO;

    /** Creates a builder with the default settings. */
    protected LockClientBuilder() {}

    /**
     * Selects the strategy by its name, among those on the class path or module path.
     *
     * @param name the name, for example {@code findandmodify-counter}
     * @return this
     * @throws IllegalArgumentException if there is no such strategy; the message lists those that are present
     * @throws LockException if two strategies on the class path have the same name
     */
    public B strategy(String name) {
        return strategy(LockStrategies.named(Objects.requireNonNull(name, "The name of the strategy is null")));
    }

    /**
     * Sets the strategy. Without a choice the client takes the only strategy on the class path or module path. If there
     * are several, it takes {@code findandmodify-counter}, and logs which others there are.
     *
     * @param chosen the strategy
     * @return this
     */
    public B strategy(LockStrategy chosen) {
        this.strategy = Objects.requireNonNull(chosen, "The strategy is null");
        return self();
    }

    /**
     * Sets the collection of the lock documents. Each strategy needs a collection of its own: documents of another
     * strategy are refused with {@link LockStorageException}. The default is {@code locks.} and the name of the
     * strategy.
     *
     * @param name the name of the collection, without its database: 1 to {@value #MAX_COLLECTION_BYTES} bytes of UTF-8,
     *     without {@code $}, NUL and unpaired surrogates; it does not begin with a dot or {@code system.}
     * @return this
     * @throws IllegalArgumentException if the name is invalid
     */
    public B collection(String name) {
        requireCollection(Objects.requireNonNull(name, "The name of the collection is null"));
        this.collection = name;
        return self();
    }

    /**
     * Limits the time of one command, the driver's own retries included. Choose it much shorter than the ttl of the
     * locks. The default is {@link #DEFAULT_COMMAND_TIMEOUT}.
     *
     * @param limit from 10 milliseconds to 5 minutes
     * @return this
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public B commandTimeout(Duration limit) {
        CommandTimeout.require(Objects.requireNonNull(limit, "The commandTimeout is null"));
        this.commandTimeout = limit;
        return self();
    }

    /**
     * Sets the polling intervals of the first waiter of each lock in this client. They are used while no change stream
     * reports releases in time. If the end of the holder's lease comes first, the next look is then. The defaults are 10
     * milliseconds and 1 second.
     *
     * <ul>
     *   <li>A waiter that is not in the list of the lock waits for {@code first}, then twice as long each time, up to
     *       {@code cap}. Each wait is shortened at random, by up to half. Beside a stream whose events are late it is
     *       halved until it is 250 milliseconds at most.
     *   <li>A waiter in the list waits for a part of the time until its turn is expected, but not less than {@code first},
     *       shortened in the same way. The result is halved until it is 200 milliseconds at most for the first four, and
     *       half a second for the others. {@code cap} has no effect.
     *   <li>While attempts take long, each of these limits is four times the duration of an attempt.
     * </ul>
     *
     * @param first the first wait, 1 millisecond or more
     * @param cap the longest wait, at least the first
     * @return this
     * @throws IllegalArgumentException if a wait is out of bounds
     */
    public B polling(Duration first, Duration cap) {
        Objects.requireNonNull(first, "The first wait is null");
        new JitteredBackoff(first, Objects.requireNonNull(cap, "The longest wait is null"), random);
        this.firstPoll = first;
        this.longestPoll = cap;
        return self();
    }

    /**
     * Sets how often a command is retried after a fault (never after contention), and with which waits. Faults that a
     * retry cannot help are not retried and cause no event of the retry; every other fault causes one. The default
     * retries up to 5 times, after 20, 40, 80, 160 and 320 milliseconds, each shortened by a random part of up to half. A
     * renewal is retried more often, while its lease lasts.
     *
     * @param retry the retry; its interval and its number of attempts are used. Its predicates are not: a fault that
     *     they ignore is retried all the same, although the retry publishes an event for an ignored error.
     * @return this
     */
    public B faultRetry(Retry retry) {
        this.faultRetry = Objects.requireNonNull(retry, "The retry is null");
        return self();
    }

    /**
     * Sets the ttl of locks that are requested by name alone, as in {@code withLock("invoice-42", work)}. The client keeps
     * such a lock alive, so the ttl says how soon another owner gets the lock after a crash. The default is
     * {@link #DEFAULT_TTL}.
     *
     * @param ttl the length of each lease, from {@link LockRequest#MIN_TTL} to {@link LockRequest#MAX_TTL}
     * @return this
     * @throws IllegalArgumentException if the ttl is out of bounds
     */
    public B defaultTtl(Duration ttl) {
        this.defaultTtl = LockRequest.of("any", ttl).ttl();
        return self();
    }

    /**
     * Sets how long a lock that is requested by name alone waits while another owner holds it; see
     * {@link LockRequest#waitAtMost()}. The default is zero: one attempt.
     *
     * @param wait from zero to {@link LockRequest#MAX_WAIT}
     * @return this
     * @throws IllegalArgumentException if the wait is out of bounds
     */
    public B defaultWait(Duration wait) {
        this.defaultWait =
                LockRequest.of("any", LockRequest.MAX_TTL).waitAtMost(wait).waitAtMost();
        return self();
    }

    /**
     * Names this client instance in the owner of each lock, for operators. The default is random, and differs for each
     * client that is built. Clients that share a collection need different names: one takes the locks of another of its
     * name for its own, and may notice their release seconds late.
     *
     * @param name the name; see {@link Owner}
     * @return this
     * @throws IllegalArgumentException if the name is not a valid instance name of an {@link Owner}
     */
    public B instance(String name) {
        Objects.requireNonNull(name, "The name of the instance is null");
        this.instance = new Owner(name, new UUID(0, 0)).instance();
        return self();
    }

    /**
     * Sets what the client does about collections and indexes when it is built. The default is
     * {@link SchemaMode#CREATE}.
     *
     * @param mode what to do
     * @return this
     */
    public B schema(SchemaMode mode) {
        this.schema = Objects.requireNonNull(mode, "The schema mode is null");
        return self();
    }

    /**
     * Sets the listener for a grant whose token is not larger than an earlier one: the lock document was dropped,
     * renamed, or restored from a backup. The acquisition fails with {@link TokenWentBackException}, and a warning is
     * logged, whether or not a listener is set. A client remembers the tokens of its own grants for the thousand most
     * recently used names.
     *
     * @param listener the listener; an exception that it throws is added as suppressed to the
     *     {@link TokenWentBackException}
     * @return this
     */
    public B onTokenWentBack(TokenListener listener) {
        Objects.requireNonNull(listener, "The listener is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        this.tokenListener = (granted, newest) -> caller.run(() -> listener.onTokenWentBack(granted, newest));
        return self();
    }

    /**
     * Sets the monotonic time of the client, for tests. The default is {@link TimeSource#system()}.
     *
     * @param source the time
     * @return this
     */
    public B timeSource(TimeSource source) {
        this.time = Objects.requireNonNull(source, "The time source is null");
        return self();
    }

    /**
     * Sets the source of the jitter of waits, for tests.
     *
     * @param generator the generator; thread-safe
     * @return this
     */
    public B random(RandomGenerator generator) {
        this.random = Objects.requireNonNull(generator, "The random generator is null");
        return self();
    }

    /**
     * Returns the settings of one client, with defaults for those that were not set.
     *
     * @return the settings
     * @throws IllegalStateException if no strategy was chosen, and the class path has none, or several without
     *     {@code findandmodify-counter}
     */
    protected final ClientSettings settings() {
        return settings(instance == null ? FreshIds.next().toString() : instance);
    }

    private ClientSettings settings(String name) {
        LockStrategy chosen = strategy == null ? LockStrategies.defaultOf(LockStrategies.all()) : strategy;
        return new ClientSettings(
                chosen,
                collection == null ? "locks." + chosen.name() : collection,
                commandTimeout,
                new JitteredBackoff(firstPoll, longestPoll, random),
                faultRetry == null ? defaultRetry() : faultRetry,
                time,
                name,
                FreshIds::next,
                schema,
                holdingSettings(new JitteredBackoff(FIRST_RETRY, MAX_POLL, random)),
                tokenListener);
    }

    /**
     * Returns the settings of several clients, each with an instance of its own unless it was named.
     *
     * @return supplies the present settings, whatever is set later
     * @throws IllegalStateException if no strategy was chosen, and the class path has none, or several without
     *     {@code findandmodify-counter}
     */
    protected final Supplier<ClientSettings> settingsOfEach() {
        ClientSettings present = settings(instance == null ? "" : instance);
        return instance == null ? present::withOtherInstance : () -> present;
    }

    /**
     * Returns the requests for locks by name alone, with the defaults of this builder.
     *
     * @return the function from the name of a lock to its request
     */
    protected final Function<String, LockRequest> requestFactory() {
        Duration ttl = defaultTtl;
        Duration wait = defaultWait;
        return name -> LockRequest.of(name, ttl).waitAtMost(wait);
    }

    private static void requireCollection(String name) {
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

    private Retry defaultRetry() {
        IntervalFunction backoff = new JitteredBackoff(FIRST_RETRY, MAX_RETRY, random);
        RetryConfig config = RetryConfig.custom()
                .maxAttempts(MAX_ATTEMPTS)
                .intervalFunction(backoff)
                .build();
        return Retry.of("mongo-locks", config);
    }
}
