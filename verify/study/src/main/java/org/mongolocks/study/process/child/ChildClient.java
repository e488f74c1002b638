package org.mongolocks.study.process.child;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.process.parent.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Technique.TechniqueConfig;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** A client of the library that uses a technique, with the settings of the article or with the library's defaults. */
final class ChildClient implements AutoCloseable {
    /** The library's default, set explicitly so that the beginning of a lease can be computed from its end. */
    static final Duration SKEW_MARGIN = RealTechniques.TTL.dividedBy(1_000).plusMillis(10);

    private static final Duration COMMAND_TIMEOUT = RealTechniques.TTL.dividedBy(2);
    private static final int TIMEOUT_SECONDS = 10;
    private static final int MAX_BUILDS = 10;

    private final TechniqueConfig habits;
    private final AtomicLong sent = new AtomicLong();
    private final MongoClient mongo;
    private final LockClient locks;

    private ChildClient(ChildConfig.Place place, Technique technique) throws InterruptedException {
        this.habits = technique.habits();
        this.mongo = MongoClients.create(settings(place));
        this.locks = client(place, technique);
    }

    static ChildClient of(ChildConfig.Place place, Technique technique) throws InterruptedException {
        return new ChildClient(place, technique);
    }

    /** Acquires the lock, and waits as long as the technique does. */
    Optional<HeldLock> acquire() throws InterruptedException {
        return acquire(habits.waitAtMost());
    }

    Optional<HeldLock> acquire(Duration waitAtMost) throws InterruptedException {
        LockRequest request = new LockRequest(RealTechniques.LOCK, RealTechniques.TTL, waitAtMost);
        return locks.acquire(habits.isKeptAlive() ? request.keepAlive() : request);
    }

    /** Returns whether its holders check the end of a lease. */
    boolean heedsLeases() {
        return habits.isShipped();
    }

    /** Returns how many commands it has sent. */
    long sent() {
        return sent.get();
    }

    @Override
    public void close() {
        locks.close();
        mongo.close();
    }

    private LockClient client(ChildConfig.Place place, Technique technique) throws InterruptedException {
        LockClient.Builder builder = LockClient.builder(mongo, place.database())
                .strategy(technique.strategies().apply(InstantSource.system()))
                .collection(place.collection())
                .commandTimeout(COMMAND_TIMEOUT)
                .skewMargin(SKEW_MARGIN);
        habits.retryInterval().ifPresent(interval -> asInTheArticle(builder, interval));
        return built(builder, MAX_BUILDS);
    }

    /**
     * Builds a client and retries on failure, because the first commands of a JVM are slow: its classes are loaded
     * while other processes start.
     */
    private LockClient built(LockClient.Builder builder, int attempts) throws InterruptedException {
        try {
            mongo.getDatabase("admin").runCommand(new Document("ping", 1));
            return builder.build();
        } catch (UnsupportedServerException e) {
            throw e;
        } catch (LockException | MongoException e) {
            if (attempts == 1) {
                throw e;
            }
            return built(builder, attempts - 1);
        }
    }

    /** Configures no jitter, no retries after a fault, and no command timeout. */
    private static void asInTheArticle(LockClient.Builder builder, Duration interval) {
        RetryConfig once = RetryConfig.custom().maxAttempts(1).build();
        builder.polling(interval, interval)
                .random(() -> -1L)
                .faultRetry(Retry.of("never", once))
                .commandTimeout(Duration.ofSeconds(TIMEOUT_SECONDS));
    }

    private MongoClientSettings settings(ChildConfig.Place place) {
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(place.uri()))
                .addCommandListener(counter())
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .applyToServerSettings(server -> server.minHeartbeatFrequency(20, TimeUnit.MILLISECONDS));
        if (!habits.isShipped()) {
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

    private CommandListener counter() {
        return new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                sent.incrementAndGet();
            }
        };
    }
}
