package org.mongolocks.contract.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests of waiters and lock sets when requests or replies are lost. */
@ExtendWith(DroppedDatabase.class)
class LostOnTheWayTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration COMMAND = Duration.ofSeconds(1);

    private final ContractServer server = ServerFinder.found();
    private final String name = "lost-" + UUID.randomUUID();

    @BeforeEach
    void requireSight() {
        assumeFalse(DriverClients.isEncrypted(server.uri()), "The proxy that injects faults cannot see into TLS");
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aSetIsAnsweredOneCommandAfterItsDeadline(Driver driver) throws Exception {
        List<String> names = IntStream.range(0, 8).mapToObj(i -> name + "-" + i).toList();
        MultiLockRequest request = MultiLockRequest.of(names, TTL).fixedLease().waitAtMost(COMMAND);
        try (BlockingLocks others = locks(driver, DriverClients.shared(server.uri()));
                FaultyLocks faulty = faulty(driver, true)) {
            assertThat(others.tryAcquire(LockName.of(names.get(7)), TTL)).isPresent();
            CountDownLatch last = faulty.connection()
                    .sent()
                    .nextAnswered(1, command -> command.getCommand().toJson().contains(names.get(7)));
            long start = System.nanoTime();
            BackgroundTask<Optional<BlockingLockSet>> asking =
                    BackgroundTask.run(() -> faulty.locks().tryAcquireAll(request));
            last.await();
            faulty.proxy().freeze();

            assertThatExceptionOfType(LockException.class).isThrownBy(asking::result);

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("a wait and a command, not a command for each lock")
                    .isLessThan(COMMAND.multipliedBy(names.size()));
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aStreamThatCannotBeResumedIsOpenedAgain(Driver driver) throws Exception {
        assumeFalse(server.isStandalone(), "A standalone has no change streams");
        try (BlockingLocks others = locks(driver, DriverClients.shared(server.uri()));
                FaultyLocks faulty = faulty(driver, true)) {
            BlockingLock held = others.tryAcquire(LockName.of(name), TTL).orElseThrow();
            CountDownLatch listens = faulty.nextSent(List.of("getMore"));
            BackgroundTask<Optional<BlockingLock>> waiter = BackgroundTask.run(() -> faulty.locks()
                    .tryAcquire(LockRequest.of(name, TTL).fixedLease().waitAtMost(TTL)));
            listens.await();
            CountDownLatch reopened = faulty.connection()
                    .sent()
                    .nextAnswered(1, command -> command.getCommandName().equals("aggregate"));
            faulty.trapNext(List.of("getMore"), WireFault.loseRequest());
            faulty.trapNext(List.of("aggregate"), WireFault.loseRequest());

            reopened.await();
            held.release();

            assertThat(waiter.result()).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aDriverWithATimeLimitOfItsOwnPolls(Driver driver) throws Exception {
        try (BlockingLocks others = locks(driver, DriverClients.shared(server.uri()));
                ProxyRoute detour = ProxyRoute.to(server.uri(), settings -> settings.timeout(10, TimeUnit.SECONDS));
                BlockingLocks polling = locks(driver, detour.connection())) {
            BlockingLock held = others.tryAcquire(LockName.of(name), TTL).orElseThrow();
            CountDownLatch streams = detour.connection()
                    .sent()
                    .nextSent(1, command -> command.getCommandName().equals("aggregate"));
            CountDownLatch asks = detour.connection()
                    .sent()
                    .nextAnswered(3, command -> command.getCommandName().equals("find"));
            BackgroundTask<Optional<BlockingLock>> waiter = BackgroundTask.run(() ->
                    polling.tryAcquire(LockRequest.of(name, TTL).fixedLease().waitAtMost(TTL)));
            asks.await();

            held.release();

            assertThat(waiter.result()).isPresent();
            assertThat(streams.getCount()).isEqualTo(1);
        }
    }

    /** The driver does not repeat the command. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aWaiterWhoseRemovalFromTheListIsLostLeavesIt(Driver driver) throws Exception {
        try (BlockingLocks others = locks(driver, DriverClients.shared(server.uri()));
                FaultyLocks faulty = faulty(driver, false)) {
            BlockingLock held = others.tryAcquire(LockName.of(name), TTL).orElseThrow();
            BackgroundTask<Optional<BlockingLock>> waiter = BackgroundTask.run(() -> faulty.locks()
                    .tryAcquire(LockRequest.of(name, TTL).fixedLease().waitAtMost(TTL)));
            Eventually.isTrue("it is in the list", () -> waiters(others) == 1);
            faulty.trapNext(List.of("update"), WireFault.loseRequest());

            waiter.interrupt();

            Eventually.isTrue("it has left the list", () -> waiters(others) == 0);
            held.release();
        }
    }

    private int waiters(BlockingLocks locks) throws InterruptedException {
        return locks.inspect(LockName.of(name)).orElseThrow().waiters();
    }

    private FaultyLocks faulty(Driver driver, boolean retryWrites) throws InterruptedException {
        FaultyLocks faulty = FaultyLocks.on(ProxyRoute.to(server.uri(), retryWrites), driver, LostOnTheWayTest::setUp);
        faulty.locks().tryAcquire(LockName.of("first-" + name), TTL);
        return faulty;
    }

    private static BlockingLocks locks(Driver driver, DriverClients connection) throws InterruptedException {
        return driver.build(connection, LockContract.DATABASE, LostOnTheWayTest::setUp);
    }

    private static void setUp(LockClientBuilder<?> builder) {
        builder.strategy(new FindAndModifyCounterStrategy())
                .commandTimeout(COMMAND)
                .closeTimeout(COMMAND);
    }
}
