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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.DriverConnection;
import org.mongolocks.blocking.ReactiveConnection;
import org.mongolocks.blocking.SyncConnection;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.study.process.message.ParentMessage.Driver;
import org.mongolocks.study.process.message.ParentMessage.Place;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Technique.TechniqueConfig;

/** The locks of a client of this library, with the settings of a technique's article or with the library's defaults. */
final class LibraryLocks implements TestedLocks {
    /** How long a client under faults waits for a command. */
    static final Duration SHORT_TIMEOUT = RealTechniques.TTL.dividedBy(2);

    static final int TIMEOUT_SECONDS = 10;

    /** The library's default, set explicitly so that the beginning of a lease can be computed from its end. */
    private static final Duration SKEW_MARGIN =
            RealTechniques.TTL.dividedBy(1_000).plusMillis(10);

    private static final int BUILD_PAUSE_MILLIS = 50;
    /**
     * The size of the library's largest pools, {@code MAX_FREE_CALLBACKS} and {@code MOST} of {@code DaemonThreads} in
     * core: of callbacks, which do not block here, and of renewals.
     */
    private static final int MAX_POOL = 32;

    private final String instance = UUID.randomUUID().toString();
    private final BlockingLocks locks;
    private final boolean isShipped;

    /**
     * Builds a client and retries after a failure that may pass, because the first commands of a JVM are slow, as its
     * classes are loaded while other processes start, and because a network fault may last a while.
     */
    LibraryLocks(DriverConnection connection, Place place, Technique technique, Duration commandTimeout)
            throws InterruptedException {
        this.isShipped = technique.config().isShipped();
        this.locks = build(connection, place.database(), builder -> {
            builder.instance(instance)
                    .strategy(technique.strategies().apply(InstantSource.system()))
                    .collection(place.collection())
                    .commandTimeout(commandTimeout)
                    .skewMargin(SKEW_MARGIN);
            technique.config().retryInterval().ifPresent(interval -> asInTheArticle(builder, interval));
        });
    }

    private static BlockingLocks build(
            DriverConnection connection, String database, Consumer<LockClientBuilder<?>> settings)
            throws InterruptedException {
        long deadlineNanos = System.nanoTime() + ChildMain.START_LIMIT.toNanos();
        while (true) {
            try {
                connection.ping();
                return connection.build(database, settings);
            } catch (LockException | MongoException e) {
                boolean isFinal = e instanceof LockException refused && !refused.isTransient();
                if (isFinal || System.nanoTime() - deadlineNanos > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(BUILD_PAUSE_MILLIS);
            }
        }
    }

    /** Configures no jitter, no retries after a fault, and no command timeout. */
    private static void asInTheArticle(LockClientBuilder<?> builder, Duration interval) {
        ClientOptions.of(builder)
                .polling(interval, interval)
                .random(() -> -1L)
                .faultRetry(1, interval, interval)
                .commandTimeout(Duration.ofSeconds(TIMEOUT_SECONDS));
    }

    @Override
    public Optional<TestedLock> acquire(Request wanted) throws InterruptedException {
        LockRequest request =
                LockRequest.of(LockName.of(wanted.lock()), RealTechniques.TTL).waitAtMost(wanted.waitAtMost());
        request = wanted.isKeptAlive() ? request : request.fixedLease();
        return locks.tryAcquire(wanted.isFair() ? request.fair() : request)
                .map(lock -> new LibraryLock(lock, isShipped));
    }

    /** Finds the threads of the open client by the end of their names; each pool counts up to its size. */
    @Override
    public long pooled(List<String> threads) {
        Map<String, Long> pools = threads.stream()
                .filter(name -> name.startsWith("mongo-locks-") && name.endsWith("-" + instance))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return pools.values().stream()
                .mapToLong(size -> Math.min(size, MAX_POOL))
                .sum();
    }

    @Override
    public List<String> awaited() throws InterruptedException {
        List<String> awaited = new ArrayList<>();
        Optional<LockQuery> query = Optional.of(LockQuery.all());
        while (query.isPresent()) {
            LockPage page = locks.list(query.get());
            page.locks().stream()
                    .filter(lock -> lock.waiters() > 0)
                    .forEach(lock -> awaited.add(lock.name().toString()));
            query = page.next().map(name -> LockQuery.all().after(name));
        }
        return awaited;
    }

    @Override
    public void close() {
        locks.close();
    }

    /** A lock; the holders of an article's technique ignore the end of their lease. */
    private record LibraryLock(BlockingLock lock, boolean isShipped) implements TestedLock {
        @Override
        public boolean isHeld() {
            return !isShipped || lock.isHeld();
        }

        @Override
        public long token() {
            return lock.fencingToken();
        }

        @Override
        public boolean release() {
            return lock.release();
        }

        /** Computes when the lease began, which is when its request was sent, from its end and its length. */
        @Override
        public Lease lease() {
            org.mongolocks.Lease lease = lock.lease();
            long fromNanos =
                    lease.validUntilNanos() + SKEW_MARGIN.minus(lease.ttl()).toNanos();
            return new Lease(fromNanos, isShipped ? lease.validUntilNanos() : Long.MAX_VALUE);
        }

        @Override
        public void onLost(Consumer<String> listener) {
            if (isShipped) {
                lock.onLost((lease, reason) -> listener.accept(reason.name()));
            }
        }
    }

    /** Connects to the server for a technique; adds each command to a counter. */
    static DriverConnection connect(Place place, Technique technique, Driver driver, AtomicLong sent) {
        MongoClientSettings settings = settings(place, technique.config(), sent);
        return switch (driver) {
            case SYNC -> new SyncConnection(com.mongodb.client.MongoClients.create(settings));
            case REACTIVE -> new ReactiveConnection(com.mongodb.reactivestreams.client.MongoClients.create(settings));
        };
    }

    private static MongoClientSettings settings(Place place, TechniqueConfig config, AtomicLong sent) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(place.uri()))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        sent.incrementAndGet();
                    }
                })
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
}
