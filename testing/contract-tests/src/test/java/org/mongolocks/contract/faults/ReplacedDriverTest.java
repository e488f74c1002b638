package org.mongolocks.contract.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.DriverConnection;
import org.mongolocks.blocking.ReactiveConnection;
import org.mongolocks.blocking.SyncConnection;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * Tests of lock clients on a proxy of the driver's client that another one replaces, as a refreshed bean, rotated
 * credentials or a router of tenants do.
 */
@ExtendWith(DroppedDatabase.class)
class ReplacedDriverTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    /** A part of the time after which the server ends a transaction that a client left open. */
    private static final Duration STEP = Duration.ofSeconds(30);

    private final ContractServer server = ServerFinder.found();
    private final LockName name = LockName.of("replaced-" + UUID.randomUUID());
    private final ConcurrentLinkedQueue<DriverClients> opened = new ConcurrentLinkedQueue<>();
    private volatile DriverClients target = open((command, clients) -> {});

    /** When the replaced client is closed. */
    enum Closing {
        BEFORE,
        AFTER,
        NEVER
    }

    /** What happens when a command has succeeded. */
    @FunctionalInterface
    private interface Listener {
        void succeeded(String command, DriverClients clients);
    }

    private DriverClients open(Listener listener) {
        DriverClients[] made = new DriverClients[1];
        made[0] = DriverClients.observedBy(server.uri(), new CommandListener() {
            @Override
            public void commandSucceeded(CommandSucceededEvent event) {
                listener.succeeded(event.getCommandName(), made[0]);
            }
        });
        opened.add(made[0]);
        return made[0];
    }

    private void replace(Closing closing) {
        DriverClients old = target;
        if (closing == Closing.BEFORE) {
            old.close();
        }
        target = open((command, clients) -> {});
        if (closing == Closing.AFTER) {
            old.close();
        }
    }

    @AfterEach
    void closeAll() {
        opened.forEach(DriverClients::close);
    }

    private <T> T proxy(Class<T> type, Supplier<T> current) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(current.get(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private MongoClient sync() {
        return proxy(MongoClient.class, () -> target.sync());
    }

    private BlockingLocks locks(Driver driver, String strategy) throws InterruptedException {
        DriverConnection connection = driver == Driver.SYNC
                ? new SyncConnection(sync())
                : new ReactiveConnection(
                        proxy(com.mongodb.reactivestreams.client.MongoClient.class, () -> target.reactive()));
        return connection.build(LockContract.DATABASE, builder -> setUp(builder, strategy));
    }

    private void setUp(LockClientBuilder<?> builder, String strategy) {
        builder.strategy(LockStrategies.named(strategy));
        server.setClocks(builder);
    }

    private BlockingLocks others() throws InterruptedException {
        return Driver.SYNC.build(
                DriverClients.shared(server.uri()),
                LockContract.DATABASE,
                builder -> setUp(builder, "findandmodify-counter"));
    }

    static Stream<Arguments> cases() {
        return Stream.of(Driver.values())
                .flatMap(driver -> Stream.of(Closing.values()).map(closing -> Arguments.of(driver, closing)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("finds:driver-replaced")
    void everyCallUsesTheNewClient(Driver driver, Closing closing) throws Exception {
        Shipped.supported("transactional");
        for (String strategy : new String[] {"findandmodify-counter", "transactional"}) {
            BlockingLocks locks = locks(driver, strategy);
            BlockingLock held = locks.tryAcquire(name, LONG).orElseThrow();

            replace(closing);

            assertThat(locks.tryAcquire(name, LONG)).isEmpty();
            assertThat(locks.inspect(name)).isPresent();
            assertThat(locks.list(LockQuery.all().prefix(name.value())).locks()).hasSize(1);
            assertThat(held.renew()).isTrue();
            assertThat(held.release()).isTrue();
            assertThat(locks.tryAcquireAll(MultiLockRequest.of(List.of(name.value(), name.value() + "-2"), LONG)
                            .fixedLease()))
                    .isPresent();
            replace(closing);
            locks.close();

            assertThat(others().list(LockQuery.all().prefix(name.value()).heldOnly())
                            .locks())
                    .isEmpty();
            locks(driver, strategy).list(LockQuery.all());
            DroppedDatabase.drop();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("finds:driver-replaced")
    void lockThatIsKeptAliveStaysHeld(Driver driver, Closing closing) throws Exception {
        BlockingLocks locks = locks(driver, "findandmodify-counter");
        BlockingLock held = locks.tryAcquire(LockRequest.of(name, server.ttl())).orElseThrow();

        replace(closing);
        for (int i = 0; i < 8; i++) {
            server.elapse(server.ttl().dividedBy(4));
        }

        assertThat(held.isHeld()).isTrue();
        assertThat(others().tryAcquire(name, LONG)).isEmpty();
        assertThat(held.release()).isTrue();
        locks.close();
    }

    /** The driver ends what waits in a client for a server when that client is closed. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    @Tag("finds:driver-replaced-without-server")
    void commandThatWaitsForAServerIsSentByTheNewClient(Driver driver) throws Exception {
        BlockingLocks locks = locks(driver, "findandmodify-counter");
        BlockingLock held = locks.tryAcquire(name, LONG).orElseThrow();
        AtomicInteger selections = new AtomicInteger();
        DriverClients withoutServer = DriverClients.of(DriverClients.settings("mongodb://localhost:1")
                .applyToClusterSettings(cluster -> cluster.serverSelector(servers -> {
                    selections.incrementAndGet();
                    return servers.getServerDescriptions();
                }))
                .build());
        opened.add(withoutServer);
        target = withoutServer;
        BackgroundTask<Boolean> release = BackgroundTask.run(held::release);
        // The first selection is before it waits. The reactive driver forgets what begins to wait while it is closed.
        Eventually.isTrue("the release waits for a server", () -> selections.get() > 1);

        replace(Closing.AFTER);

        assertThat(release.result()).isTrue();
        assertThat(others().tryAcquire(name, LONG)).isPresent();
        locks.close();
    }

    /** The proxy has no other client for a while: calls say so, and what has no caller is repeated. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    @Tag("finds:driver-replaced-late")
    void locksOutlastATimeWithoutAClient(Driver driver) throws Exception {
        BlockingLocks locks = locks(driver, "findandmodify-counter");
        LockName another = LockName.of(name + "-another");
        BlockingLock held = locks.tryAcquire(LockRequest.of(name, server.ttl())).orElseThrow();
        BlockingLock released =
                locks.tryAcquire(LockRequest.of(another, LONG).fixedLease()).orElseThrow();

        target.close();
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(() -> locks.tryAcquire(name, LONG));
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(released::release);
        server.elapse(server.ttl().dividedBy(2));
        replace(Closing.NEVER);

        BlockingLocks others = others();
        Eventually.isTrueWhile(
                "the lock is released",
                () -> others.tryAcquire(another, LONG).isPresent(),
                () -> server.elapse(Duration.ofMillis(100)));
        for (int i = 0; i < 8; i++) {
            server.elapse(server.ttl().dividedBy(4));
        }
        assertThat(held.isHeld()).isTrue();
        locks.close();
        assertThat(others.tryAcquire(name, LONG)).isPresent();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void waiterGetsTheLockAndTheStreamIsOpenedOnTheNewClient(Driver driver, Closing closing) throws Exception {
        assumeFalse(server.isStandalone(), "A standalone has no change streams");
        BlockingLocks others = others();
        BlockingLock held = others.tryAcquire(name, LONG).orElseThrow();
        BlockingLocks locks = locks(driver, "findandmodify-counter");
        BackgroundTask<Boolean> waiting = BackgroundTask.run(
                () -> locks.tryAcquire(LockRequest.of(name, LONG).fixedLease().waitAtMost(LONG))
                        .isPresent());
        Eventually.isTrueWhile(
                "the stream is open",
                () -> locks.status().changeStream().state() == State.OPEN,
                () -> server.elapse(Duration.ofMillis(10)));

        replace(closing);
        assertThat(locks.tryAcquire(name, LONG)).isEmpty();
        assertThat(held.release()).isTrue();

        assertThat(waiting.resultWhile(() -> server.elapse(Duration.ofMillis(50))))
                .isTrue();
        locks.close();
    }

    /** The replacement comes after the n-th command of an acquisition, and so between any two of its transaction. */
    @ParameterizedTest
    @CsvSource({"SYNC, BEFORE", "SYNC, NEVER", "REACTIVE, AFTER", "REACTIVE, NEVER"})
    @Tag("finds:driver-replaced")
    void acquisitionEndsOnTheNewClient(Driver driver, Closing closing) throws Exception {
        Shipped.supported("transactional");
        for (int commands = 1; commands <= 4; commands++) {
            LockName each = LockName.of(name + "-" + commands);
            AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
            target = open((command, clients) -> {
                if (clients == target && left.decrementAndGet() == 0) {
                    replace(closing);
                }
            });
            BlockingLocks locks = locks(driver, "transactional");
            left.set(commands);

            BackgroundTask<BlockingLock> acquiring = BackgroundTask.run(
                    () -> locks.acquire(LockRequest.of(each, LONG).fixedLease().waitAtMost(LONG)));
            // The transaction of a client that was closed blocks the documents until the server ends it.
            BlockingLock held = acquiring.resultWhile(() -> server.elapse(STEP));
            replace(closing);

            assertThat(held.renew()).isTrue();
            assertThat(held.release()).isTrue();
            assertThat(locks.inspect(each).flatMap(lock -> lock.holder())).isEmpty();
            locks.close();
        }
    }

    /** The close of a client of the reactive driver interrupts its threads, and one of them creates the next client. */
    @Test
    void newClientIsCreatedOnAThreadThatIsNotInterrupted() throws Exception {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        target = open((command, clients) -> {
            if (command.equals("findAndModify") && isFirst.getAndSet(false)) {
                replace(Closing.BEFORE);
                Thread.currentThread().interrupt();
            }
        });
        BlockingLocks locks = locks(Driver.REACTIVE, "transactional");

        BackgroundTask<BlockingLock> acquiring = BackgroundTask.run(
                () -> locks.acquire(LockRequest.of(name, LONG).fixedLease().waitAtMost(LONG)));
        BlockingLock held = acquiring.resultWhile(() -> server.elapse(STEP));

        assertThat(isFirst).isFalse();
        assertThat(held.release()).isTrue();
        locks.close();
    }

    @Test
    @Tag("finds:driver-replaced")
    void guardedTransactionIsRepeatedOnTheNewClient() throws Exception {
        assertThat(incrementedWhileReplaced(Closing.NEVER)).isEqualTo(1);
    }

    /** Until the server ends the transaction of the client that was closed, that blocks the document of the lock. */
    @ParameterizedTest
    @EnumSource(names = {"BEFORE", "AFTER"})
    @Tag("finds:driver-replaced")
    void guardedTransactionOfAClosedClientWritesNothing(Closing closing) {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> incrementedWhileReplaced(closing))
                .satisfies(failed -> assertThat(failed.isTransient()).isTrue());

        assertThat(counter()).isZero();
    }

    private int counter() {
        return DriverClients.shared(server.uri())
                .sync()
                .getDatabase(LockContract.DATABASE)
                .getCollection("guarded")
                .find(new Document("_id", name.value()))
                .first()
                .getInteger("n");
    }

    /** Replaces the client between the start of a transaction and its only write, and returns what was written. */
    private int incrementedWhileReplaced(Closing closing) throws Exception {
        Shipped.supported("transactional");
        MongoClient mongo = sync();
        mongo.getDatabase(LockContract.DATABASE)
                .getCollection("guarded")
                .insertOne(new Document("_id", name.value()).append("n", 0));
        LockClientBuilder<LockClient> builder = LockClient.builder(mongo, LockContract.DATABASE);
        setUp(builder, "findandmodify-counter");
        try (LockClient locks =
                builder.drainTimeout(Duration.ZERO).closeTimeout(Duration.ZERO).build()) {
            AtomicBoolean isFirst = new AtomicBoolean(true);
            HeldLock held = locks.acquire(LockRequest.of(name, LONG).fixedLease());
            held.inTransaction(session -> {
                if (isFirst.getAndSet(false)) {
                    replace(closing);
                }
                return mongo.getDatabase(LockContract.DATABASE)
                        .getCollection("guarded")
                        .updateOne(session, new Document("_id", name.value()), Updates.inc("n", 1));
            });
            assertThat(held.release()).isTrue();
        }
        return counter();
    }
}
