package org.mongolocks.spring;

import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.bson.Document;
import org.mongolocks.LockSnapshot;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * Lock clients on the embedded server, and contexts whose beans they are. A lease ends only when a test moves the
 * clock, however slow the machine is.
 */
final class LockingScene {
    static final Duration TTL = Duration.ofMinutes(10);

    final ContractServer server = ServerFinder.embedded();
    final LockClient locks;
    final ReactiveLockClient reactiveLocks;
    /** The client of another process. */
    private final LockClient elsewhere;

    private final String database = "spring-" + UUID.randomUUID();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    LockingScene() throws InterruptedException {
        this.locks = client();
        this.elsewhere = client();
        this.reactiveLocks = server.setClocks(
                        ReactiveLockClient.builder(connection().reactive(), database))
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .defaultTtl(TTL)
                .build()
                .blockOptional()
                .orElseThrow();
        opened.push(reactiveLocks);
    }

    LockClient client() throws InterruptedException {
        LockClient client = server.setClocks(LockClient.builder(connection().sync(), database))
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .defaultTtl(TTL)
                .build();
        opened.push(client);
        return client;
    }

    /** Returns a collection of the application. */
    MongoCollection<Document> collection(String name) {
        return connection().sync().getDatabase(database).getCollection(name);
    }

    private DriverClients connection() {
        return DriverClients.shared(server.uri());
    }

    /** Starts a context with both clients and the given classes. */
    AnnotationConfigApplicationContext context(Class<?>... classes) {
        return context(Map.of(), classes);
    }

    AnnotationConfigApplicationContext context(Map<String, Object> properties, Class<?>... classes) {
        AnnotationConfigApplicationContext context = unstarted(classes);
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.registerBean("locks", LockClient.class, () -> locks, definition -> definition.setDestroyMethodName(""));
        context.registerBean(
                "reactiveLocks",
                ReactiveLockClient.class,
                () -> reactiveLocks,
                definition -> definition.setDestroyMethodName(""));
        context.refresh();
        return context;
    }

    /** Returns a context without a client, which is closed at the end. */
    AnnotationConfigApplicationContext unstarted(Class<?>... classes) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        opened.push(context);
        Arrays.stream(classes).forEach(context::register);
        return context;
    }

    /** Starts a context with one bean under locks, and returns the bean. */
    <T> T bean(Class<T> type) {
        return context(Enabled.class, type).getBean(type);
    }

    /** Acquires a lock in another process. */
    HeldLock holdElsewhere(String name) throws InterruptedException {
        return elsewhere.acquire(name);
    }

    boolean isHeld(String name) throws InterruptedException {
        return elsewhere.inspect(name).map(LockSnapshot::isHeld).orElse(false);
    }

    /** Ends a lock as an operator does; its holder detects it at the next renewal. */
    void forceRelease(String name) throws Exception {
        if (!elsewhere.forceRelease(elsewhere.inspect(name).orElseThrow())) {
            throw new IllegalStateException("The lock has changed while it was released by force");
        }
    }

    /** Lets time pass until a condition holds. */
    void eventually(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrueWhile(what, condition, this::elapse);
    }

    /** Lets three ttls pass, in which only a lease that is renewed lives on. */
    void elapseThreeTtls() {
        for (int i = 0; i < 36; i++) {
            elapse();
        }
    }

    /** Lets less time pass than a client has to renew a lease. */
    private void elapse() {
        server.elapse(TTL.dividedBy(12));
    }

    /** Waits for a condition that needs no time. */
    static void soon(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrue(what, condition);
    }

    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** The least configuration. */
    @EnableLocked
    static class Enabled {}
}
