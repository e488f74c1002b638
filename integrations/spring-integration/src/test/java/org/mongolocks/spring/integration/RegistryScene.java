package org.mongolocks.spring.integration;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.bson.Document;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.contract.setup.ContractServer;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.ProxyRoute;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.LockClient;

/**
 * A lock of the embedded server, and registries with clients of their own. The lease is so long that it ends only when
 * a test moves the clock, however slow the machine is.
 */
final class RegistryScene {
    static final Duration TTL = Duration.ofMinutes(10);
    /** Much less than the part of a lease after which it is renewed. */
    static final Duration STEP = TTL.dividedBy(12);

    private static final String DATABASE = "registries";
    /** Short where a proxy keeps commands from the server: a test waits for it in real time. */
    private static final Duration TIMEOUT_BEHIND_A_PROXY = Duration.ofMillis(300);

    final ContractServer server = ServerFinder.embedded();
    final String key = "key-" + UUID.randomUUID();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    MongoLockRegistry registry() throws InterruptedException {
        return registry(client());
    }

    static MongoLockRegistry registry(LockClient client) {
        return new MongoLockRegistry(client, key -> LockRequest.of(key, TTL));
    }

    MongoLockRegistry keptAlive() throws InterruptedException {
        return new MongoLockRegistry(client(), key -> LockRequest.of(key, TTL).keepAlive());
    }

    LockClient client() throws InterruptedException {
        return client(builder -> builder);
    }

    LockClient client(UnaryOperator<LockClient.Builder> options) throws InterruptedException {
        return opened(options.apply(builder(connection())));
    }

    LockClient client(ProxyRoute route) throws InterruptedException {
        return opened(builder(route.connection()).commandTimeout(TIMEOUT_BEHIND_A_PROXY));
    }

    /** Opens a client whose commands have as long as usual: each may take longer than the lease lasts. */
    LockClient client(ProxyRoute route, Duration skewMargin) throws InterruptedException {
        return opened(builder(route.connection()).skewMargin(skewMargin));
    }

    private LockClient.Builder builder(DriverClients connection) {
        return LockClient.builder(connection.sync(), DATABASE)
                .strategy(new FindAndModifyCounterStrategy())
                .timeSource(server.time())
                .wallClock(this::now)
                .timer(server.timer().orElseThrow());
    }

    /** On a busy machine a command may take longer than the timeout of a test. */
    private LockClient opened(LockClient.Builder builder) throws InterruptedException {
        while (true) {
            try {
                LockClient client = builder.build();
                opened.push(client);
                return client;
            } catch (LockException e) {
                if (!e.isTransient()) {
                    throw e;
                }
            }
        }
    }

    /** The clients' clocks move with the server's. */
    private Instant now() {
        return Instant.EPOCH.plusNanos(server.time().nanoTime());
    }

    DriverClients connection() {
        return DriverClients.shared(server.uri());
    }

    /** Opens a route through a proxy of its own; the driver is connected when this returns. */
    ProxyRoute route() {
        ProxyRoute route = ProxyRoute.to(server.uri(), true);
        opened.push(route);
        route.connection().sync().getDatabase(DATABASE).runCommand(new Document("ping", 1));
        return route;
    }

    /** Adds something to close, before all that was opened earlier. */
    <T extends AutoCloseable> T opened(T closeable) {
        opened.push(closeable);
        return closeable;
    }

    Optional<LockSnapshot> stored(String name) throws InterruptedException {
        try (LockClient client = builder(connection()).build()) {
            return client.inspect(name);
        }
    }

    boolean isHeld() throws InterruptedException {
        return stored(key).filter(LockSnapshot::isHeld).isPresent();
    }

    Duration left() throws InterruptedException {
        return stored(key).flatMap(LockSnapshot::remaining).orElseThrow();
    }

    Duration ttl() throws InterruptedException {
        return stored(key).orElseThrow().ttl();
    }

    /** Releases the lock by force, also if its holder renews it at the same time. */
    void forceRelease() throws InterruptedException {
        try (LockClient operator = builder(connection()).build()) {
            boolean released = false;
            while (!released) {
                released = operator.forceRelease(operator.inspect(key).orElseThrow());
            }
        }
    }

    void deleteDocument() {
        connection()
                .sync()
                .getDatabase(DATABASE)
                .getCollection("locks.findandmodify-counter")
                .deleteOne(new Document("_id", key));
    }

    /** Ends all leases, as a long pause of all clients does. */
    void lapse() {
        server.elapse(TTL.multipliedBy(2));
    }

    /** Waits for a condition that needs no time of the clock. */
    static void soon(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrue(what, condition);
    }

    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
