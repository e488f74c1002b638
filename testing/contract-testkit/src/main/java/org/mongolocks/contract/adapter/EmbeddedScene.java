package org.mongolocks.contract.adapter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.bson.Document;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockSnapshot;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.LockClient;

/**
 * Lock clients of one database of the embedded server, for tests of a module that uses them; the module's own scene
 * extends this one. The lease is so long that it ends only when a test moves the clock, however slow the machine is.
 */
public class EmbeddedScene {
    public static final Duration TTL = Duration.ofMinutes(10);
    /** Much less than the part of a lease after which it is renewed. */
    public static final Duration STEP = TTL.dividedBy(12);
    /** Short where a proxy keeps commands from the server: a test waits for it in real time. */
    protected static final Duration TIMEOUT_BEHIND_A_PROXY = Duration.ofMillis(300);

    public final ContractServer server = ServerFinder.embedded();
    private final String database;
    private final LockStrategy strategy;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    protected EmbeddedScene(String database, LockStrategy strategy) {
        this.database = database;
        this.strategy = strategy;
    }

    public final LockClient client() throws InterruptedException {
        return client(builder(connection()));
    }

    protected final LockClient client(LockClientBuilder<LockClient> builder) throws InterruptedException {
        return opened(build(builder));
    }

    /** Returns a builder of a client whose clocks move with the server's. */
    protected final LockClientBuilder<LockClient> builder(DriverClients connection) {
        LockClientBuilder<LockClient> builder = LockClient.builder(connection.sync(), database)
                .drainTimeout(Duration.ZERO)
                .strategy(strategy);
        server.setClocks(builder);
        return builder;
    }

    /** On a busy machine a command may take longer than the timeout of a test. */
    private static LockClient build(LockClientBuilder<LockClient> builder) throws InterruptedException {
        while (true) {
            try {
                return builder.build();
            } catch (LockException e) {
                if (!e.isTransient()) {
                    throw e;
                }
            }
        }
    }

    public final DriverClients connection() {
        return DriverClients.shared(server.uri());
    }

    /** Opens a route through a proxy of its own; the driver is connected when this returns. */
    public final ProxyRoute route() {
        ProxyRoute route = opened(ProxyRoute.to(server.uri(), true));
        route.connection().sync().getDatabase(database).runCommand(new Document("ping", 1));
        return route;
    }

    /** Adds something to close, before all that was opened earlier. */
    public final <T extends AutoCloseable> T opened(T closeable) {
        opened.push(closeable);
        return closeable;
    }

    public final Optional<LockSnapshot> stored(String name) throws InterruptedException {
        try (LockClient client = build(builder(connection()))) {
            return client.inspect(name);
        }
    }

    /** Waits for a condition that needs no time of the clock. */
    public static void soon(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrue(what, condition);
    }

    /** Closes all that was opened, the last one first. */
    public final void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
