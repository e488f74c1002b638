package org.mongolocks.study.process.child;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.DriverConnection;
import org.mongolocks.blocking.ReactiveConnection;
import org.mongolocks.blocking.SyncConnection;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Technique.TechniqueConfig;

/**
 * A client of the library that uses a technique, with the settings of the article or with the library's defaults.
 * Thread-safe.
 */
final class ChildClient implements AutoCloseable {
    /** The library's default, set explicitly so that the beginning of a lease can be computed from its end. */
    static final Duration SKEW_MARGIN = RealTechniques.TTL.dividedBy(1_000).plusMillis(10);

    /** The command timeout of a client under faults. */
    static final Duration SHORT_TIMEOUT = RealTechniques.TTL.dividedBy(2);

    private static final int TIMEOUT_SECONDS = 10;
    private static final int BUILD_PAUSE_MILLIS = 50;
    /**
     * The size of the library's largest pools, {@code MAX_FREE_CALLBACKS} and {@code MOST} of {@code DaemonThreads} in
     * core: of callbacks, which do not block here, and of renewals.
     */
    private static final int MAX_POOL = 32;

    private final DriverConnection connection;
    private final ChildConfig.Place place;
    private final Technique technique;
    private final Duration commandTimeout;
    private final Set<HeldLockMonitor> held = ConcurrentHashMap.newKeySet();
    private volatile String instance = "";
    private volatile BlockingLocks locks;

    ChildClient(DriverConnection connection, ChildConfig.Place place, Technique technique, Duration commandTimeout)
            throws InterruptedException {
        this.connection = connection;
        this.place = place;
        this.technique = technique;
        this.commandTimeout = commandTimeout;
        this.locks = build();
    }

    /** Connects to the server for a technique; adds each command to a counter. */
    static DriverConnection connect(
            ChildConfig.Place place, Technique technique, ChildConfig.Driver driver, AtomicLong sent) {
        MongoClientSettings settings = settings(place, technique.config(), sent);
        return switch (driver) {
            case SYNC -> new SyncConnection(com.mongodb.client.MongoClients.create(settings));
            case REACTIVE -> new ReactiveConnection(com.mongodb.reactivestreams.client.MongoClients.create(settings));
        };
    }

    String technique() {
        return technique.name();
    }

    /** Returns the request of the technique for a lock; it waits as long as the technique does. */
    LockRequest request(LockName name) {
        LockRequest request = LockRequest.of(name, RealTechniques.TTL).waitAtMost(config().waitAtMost());
        return config().isKeptAlive() ? request : request.fixedLease();
    }

    Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return locks.tryAcquire(request);
    }

    /** Returns whether an acquisition as in its article ends within seconds. */
    boolean waitsShortly() {
        return !config().isShipped() && config().waitAtMost().toSeconds() <= TIMEOUT_SECONDS;
    }

    /** Returns whether its holders check the end of a lease. */
    boolean heedsLeases() {
        return config().isShipped();
    }

    /** Adds a lock that is lost when this client is closed. */
    void holds(HeldLockMonitor lock) {
        held.add(lock);
    }

    /** Removes a lock that was released. */
    void released(HeldLockMonitor lock) {
        held.remove(lock);
    }

    /**
     * Closes the client of the library while other threads use it, and builds another. Its locks end before, because
     * closing releases them on the server.
     */
    synchronized void reopen() throws InterruptedException {
        held.forEach(HeldLockMonitor::clientCloses);
        locks.close();
        locks = build();
    }

    /**
     * Returns how many threads belong to the pools of the open client of the library, each pool up to its size. How many
     * there are below that depends on the load.
     *
     * @param threads the names of all threads
     */
    long pooled(List<String> threads) {
        Map<String, Long> pools = threads.stream()
                .filter(name -> name.startsWith("mongo-locks-") && name.endsWith("-" + instance))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return pools.values().stream()
                .mapToLong(size -> Math.min(size, MAX_POOL))
                .sum();
    }

    @Override
    public void close() {
        locks.close();
    }

    private TechniqueConfig config() {
        return technique.config();
    }

    /**
     * Builds a client and retries after a failure that may pass, because the first commands of a JVM are slow, as its
     * classes are loaded while other processes start, and because a network fault may last a while.
     */
    private BlockingLocks build() throws InterruptedException {
        instance = UUID.randomUUID().toString();
        long deadlineNanos = System.nanoTime() + ChildMain.START_LIMIT.toNanos();
        while (true) {
            try {
                connection.ping();
                return connection.build(place.database(), this::configure);
            } catch (LockException | MongoException e) {
                boolean isFinal = e instanceof LockException refused && !refused.isTransient();
                if (isFinal || System.nanoTime() - deadlineNanos > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(BUILD_PAUSE_MILLIS);
            }
        }
    }

    private void configure(LockClientBuilder<?> builder) {
        builder.instance(instance)
                .strategy(technique.strategies().apply(InstantSource.system()))
                .collection(place.collection())
                .commandTimeout(commandTimeout)
                .skewMargin(SKEW_MARGIN);
        config().retryInterval().ifPresent(interval -> asInTheArticle(builder, interval));
    }

    /** Configures no jitter, no retries after a fault, and no command timeout. */
    private static void asInTheArticle(LockClientBuilder<?> builder, Duration interval) {
        ClientOptions.of(builder)
                .polling(interval, interval)
                .random(() -> -1L)
                .faultRetry(1, interval, interval)
                .commandTimeout(Duration.ofSeconds(TIMEOUT_SECONDS));
    }

    private static MongoClientSettings settings(ChildConfig.Place place, TechniqueConfig config, AtomicLong sent) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(place.uri()))
                .addCommandListener(counting(sent))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .applyToServerSettings(server -> server.minHeartbeatFrequency(20, TimeUnit.MILLISECONDS));
        if (!config.isShipped()) {
            // With a timeout of its own the library opens no change stream: waiters poll, as in the article.
            settings.timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
        return (place.proxyPort() == 0 ? settings : through(place.proxyPort(), settings)).build();
    }

    /** Configures the driver to see the proxy only, and to speak a protocol that the proxy understands. */
    private static MongoClientSettings.Builder through(int port, MongoClientSettings.Builder settings) {
        ServerAddress proxy = new ServerAddress(InetAddress.getLoopbackAddress().getHostAddress(), port);
        return settings.compressorList(List.of())
                .applyToClusterSettings(cluster -> cluster.mode(ClusterConnectionMode.SINGLE)
                        .requiredReplicaSetName(null)
                        .hosts(List.of(proxy)));
    }

    private static CommandListener counting(AtomicLong sent) {
        return new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                sent.incrementAndGet();
            }
        };
    }
}
