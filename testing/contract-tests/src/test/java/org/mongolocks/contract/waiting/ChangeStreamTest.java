package org.mongolocks.contract.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.event.CommandStartedEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.Commands;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.time.TimeSource;

/** Tests of a client whose change stream is slow, silent, or blocks a connection. */
@ExtendWith(DroppedDatabase.class)
class ChangeStreamTest {
    private static final Duration TTL = Duration.ofMinutes(10);
    /** Longer than any test: a wait for this long does not end. */
    private static final Duration FOR_EVER = Duration.ofMinutes(5);

    private final String uri = ServerFinder.found().uri();
    private final String instance = "stream-" + UUID.randomUUID();
    private final LockName name = LockName.of(instance);

    @BeforeEach
    void needsChangeStreams() {
        assumeFalse(ServerFinder.found().isStandalone(), "A standalone has no change streams");
    }

    /** A 4.4 server notices a killed cursor only at the end of its wait. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    @Tag("finds:close-waits-for-the-stream")
    void closingWaitsNeitherForTheStreamNorForItsEnd(Driver driver) throws Exception {
        try (ProxyRoute detour = ProxyRoute.to(uri, UnaryOperator.identity())) {
            BlockingLocks locks = build(driver, detour);
            BlockingLock held = otherHolds(driver);
            FaultRule unanswered = detour.proxy()
                    .arm(
                            CommandMatcher.atAll(List.of("getMore", "killCursors")),
                            WireFault.holdReply(WireFault.none()));
            BackgroundTask<Optional<BlockingLock>> waiting = BackgroundTask.run(() -> locks.tryAcquire(patient()));
            unanswered.awaitCaught();

            assertTimeoutPreemptively(Eventually.timeout, locks::close);

            assertThatExceptionOfType(ClientClosedException.class).isThrownBy(waiting::result);
            assertThat(held.release()).isTrue();
            BsonValue cursor = cursorOf(unanswered);
            unanswered.release();
            Eventually.isTrue("the cursor is killed on the server", () -> kills(unanswered, cursor));
            Eventually.isTrue(
                    "no thread of the client is left",
                    () -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().contains(instance)));
        }
    }

    /** Its waiters would rely on events that never come. Reactor signals no error of the virtual machine. */
    @ParameterizedTest
    @CsvSource({"SYNC,false", "SYNC,true", "REACTIVE,false", "REACTIVE,true"})
    void streamWhoseThreadDiesIsOpenedAgain(Driver driver, boolean isVirtualMachineError) throws Exception {
        Commands commands = new Commands();
        AtomicBoolean dies = new AtomicBoolean();
        TimeSource time = () -> {
            if (isOnAStream() && dies.getAndSet(false)) {
                String message = "The thread of the stream dies, for a test";
                throw isVirtualMachineError ? new InternalError(message) : new AssertionError(message);
            }
            return System.nanoTime();
        };
        try (DriverClients connection = DriverClients.observedBy(uri, commands)) {
            BlockingLocks locks = driver.build(
                    connection,
                    LockContract.DATABASE,
                    builder -> ClientOptions.of(builder)
                            .strategy(new FindAndModifyCounterStrategy())
                            .collection("locks." + instance)
                            .time(time));
            BlockingLock held = otherHolds(driver);
            BackgroundTask<Optional<BlockingLock>> waiting = BackgroundTask.run(() -> locks.tryAcquire(patient()));
            Eventually.isTrue("the stream is open", () -> count(commands, "getMore") > 0);

            held.release();
            assertThat(waiting.result()).isPresent();

            dies.set(true);
            Eventually.isTrue("the thread has died", () -> !dies.get());
            BackgroundTask<Optional<BlockingLock>> next = BackgroundTask.run(() -> locks.tryAcquire(patient()));

            Eventually.isTrue("another stream is open", () -> count(commands, "aggregate") > 1);
            locks.close();
            assertThatExceptionOfType(ClientClosedException.class).isThrownBy(next::result);
        }
    }

    private static boolean isOnAStream() {
        return Stream.of(Thread.currentThread().getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith("ReleaseWatcher$Stream"));
    }

    /** Without a time limit of its own the read of the events would end only with the connection. A reactive client looks. */
    @ParameterizedTest
    @EnumSource(value = Driver.class, names = "SYNC")
    void streamWhoseServerHangsIsReplaced(Driver driver) throws Exception {
        AtomicLong ahead = new AtomicLong();
        try (ProxyRoute detour = ProxyRoute.to(uri, UnaryOperator.identity());
                BlockingLocks locks = driver.build(
                        detour.connection(),
                        LockContract.DATABASE,
                        builder -> ClientOptions.of(builder)
                                .strategy(new FindAndModifyCounterStrategy())
                                .collection("locks." + instance)
                                .commandTimeout(Duration.ofSeconds(2))
                                .time(() -> System.nanoTime() + ahead.get()))) {
            BlockingLock held = locks.tryAcquire(name, TTL).orElseThrow();
            FaultRule hanging =
                    detour.proxy().arm(CommandMatcher.atAll(List.of("getMore")), WireFault.holdReply(WireFault.none()));
            BackgroundTask<Optional<BlockingLock>> waiting = BackgroundTask.run(() -> locks.tryAcquire(patient()));
            hanging.awaitCaught();
            FaultRule opened = detour.proxy().arm(CommandMatcher.atAll(List.of("aggregate")), WireFault.none());

            assertThat(held.release()).isTrue();
            BlockingLock next = waiting.result().orElseThrow();
            BackgroundTask<Optional<BlockingLock>> last = BackgroundTask.run(() -> locks.tryAcquire(patient()));
            Eventually.isTrueWhile(
                    "another stream is opened",
                    () -> !opened.requests().isEmpty(),
                    () -> ahead.addAndGet(TimeUnit.MILLISECONDS.toNanos(100)));

            assertThat(next.release()).isTrue();
            assertThat(last.result()).isPresent();
            hanging.release();
        }
    }

    /** A stream that keeps taking the only connection would let a command through only by luck. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    @Tag("finds:stream-starves-a-small-pool")
    void aStreamLeavesTheOnlyConnectionToTheCommands(Driver driver) throws Exception {
        Commands commands = new Commands();
        try (DriverClients connection = DriverClients.of(DriverClients.settings(uri)
                .addCommandListener(commands)
                .applyToConnectionPoolSettings(pool -> pool.maxSize(1))
                .build())) {
            BlockingLocks holders = build(driver, connection, instance);
            BlockingLocks waiters = build(driver, connection, instance);
            BlockingLock held = holders.tryAcquire(name, TTL).orElseThrow();
            BackgroundTask<Optional<BlockingLock>> waiting = BackgroundTask.run(() -> waiters.tryAcquire(patient()));
            Eventually.isTrue("the stream is open", () -> count(commands, "getMore") > 0);

            for (int handOver = 0; handOver < 5; handOver++) {
                assertThat(held.release()).isTrue();
                held = waiting.result().orElseThrow();
                BlockingLocks next = handOver % 2 == 0 ? holders : waiters;
                waiting = BackgroundTask.run(() -> next.tryAcquire(patient()));
            }

            assertThat(count(commands, "getMore")).as("waits of the stream").isLessThanOrEqualTo(6);
            assertThat(held.release()).isTrue();
            assertThat(waiting.result().orElseThrow().release()).isTrue();
            holders.close();
            waiters.close();
        }
    }

    /** Keep-alive does not detect it: a third of the ttl is longer than any test. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aHolderLearnsAtOnceThatTheCollectionWasDropped(Driver driver) throws Exception {
        DriverClients connection = DriverClients.shared(uri);
        String collection = "locks." + instance;
        try (BlockingLocks others = build(driver, connection, "other");
                BlockingLocks locks = build(driver, connection, instance)) {
            BlockingLock kept = locks.tryAcquire(LockRequest.of("kept", TTL)).orElseThrow();
            assertThat(others.tryAcquire(name, TTL)).isPresent();
            CountDownLatch streams = connection.sent().nextSent(1, started -> isGetMore(started, collection));
            BackgroundTask<Optional<BlockingLock>> waiting = BackgroundTask.run(() -> locks.tryAcquire(patient()));
            assertThat(streams.await(Eventually.timeout.toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();

            connection
                    .sync()
                    .getDatabase(LockContract.DATABASE)
                    .getCollection(collection)
                    .drop();

            Eventually.isTrue("the loss is found", () -> kept.loss().isPresent());
            assertThat(waiting.result()).isPresent();
        }
    }

    private static boolean isGetMore(CommandStartedEvent started, String collection) {
        return started.getCommandName().equals("getMore")
                && started.getCommand().getString("collection").getValue().equals(collection);
    }

    private static long count(Commands commands, String command) {
        return commands.since(0).stream().filter(command::equals).count();
    }

    private static BsonValue cursorOf(FaultRule stream) {
        return stream.requests().stream()
                .filter(request -> request.containsKey("getMore"))
                .map(request -> request.get("getMore"))
                .findFirst()
                .orElseThrow();
    }

    private static boolean kills(FaultRule stream, BsonValue cursor) {
        return stream.requests().stream()
                .filter(request -> request.containsKey("killCursors"))
                .anyMatch(request -> request.getArray("cursors")
                        .contains(new BsonInt64(cursor.asInt64().getValue())));
    }

    private LockRequest patient() {
        return LockRequest.of(name, TTL).fixedLease().waitAtMost(FOR_EVER);
    }

    private BlockingLock otherHolds(Driver driver) throws InterruptedException {
        return build(driver, DriverClients.shared(uri), "other")
                .tryAcquire(name, TTL)
                .orElseThrow();
    }

    private BlockingLocks build(Driver driver, ProxyRoute detour) throws InterruptedException {
        driver.connect(detour.connection());
        return build(driver, detour.connection(), instance);
    }

    private BlockingLocks build(Driver driver, DriverClients connection, String client) throws InterruptedException {
        return driver.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy(new FindAndModifyCounterStrategy())
                        .collection("locks." + instance)
                        .instance(client)
                        .commandTimeout(FOR_EVER)
                        .closeTimeout(FOR_EVER));
    }
}
