package org.mongolocks.contract.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;

/**
 * Tests that the errors with which servers of today refuse a command pass: one of them hits each operation of a client in
 * turn, by a {@code failCommand} of the server.
 */
@ExtendWith(DroppedDatabase.class)
class ServerErrorTest {
    /** Longer than a test. */
    private static final Duration TTL = Duration.ofHours(2);

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final int UNKNOWN = 112233;
    private static final List<String> OVERLOAD = List.of("SystemOverloadedError", "RetryableError");
    private static final List<String> REFUSED_AT_THE_DOOR =
            List.of("SystemOverloadedError", "RetryableError", "NoWritesPerformed");

    private final ContractServer server = ServerFinder.found();
    private final String appName = "server-error-" + UUID.randomUUID();
    private final LockName name = LockName.of(appName);

    static Stream<Arguments> labelledErrors() {
        return withEachDriver(Stream.of(
                new Refusal(462, OVERLOAD),
                new Refusal(462, REFUSED_AT_THE_DOOR),
                new Refusal(463, OVERLOAD),
                new Refusal(UNKNOWN, OVERLOAD),
                new Refusal(UNKNOWN, List.of("RetryableError")),
                new Refusal(UNKNOWN, List.of("RetryableWriteError")),
                new Refusal(UNKNOWN, List.of("SystemOverloadedError"))));
    }

    static Stream<Arguments> plainErrors() {
        return withEachDriver(Stream.of(
                        216, 261, 272, 279, 290, 319, 338, 355, 358, 363, 371, 402, 406, 412, 433, 449, 450, 453, 462,
                        463, 46841, 91331, 10045600)
                .map(code -> new Refusal(code, List.of())));
    }

    static Stream<Arguments> passingErrors() {
        return Stream.concat(labelledErrors(), plainErrors());
    }

    private static Stream<Arguments> withEachDriver(Stream<Refusal> refusals) {
        return refusals.flatMap(refusal -> Stream.of(Driver.values()).map(driver -> Arguments.of(refusal, driver)));
    }

    @AfterEach
    void heal() {
        admin().runCommand(new Document("configureFailPoint", "failCommand").append("mode", "off"));
    }

    @ParameterizedTest
    @MethodSource("labelledErrors")
    void eachOperationPassesIt(Refusal refusal, Driver driver) throws Exception {
        assertEachOperationPasses("findandmodify-counter", refusal, driver);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("plainErrors")
    void eachOperationPassesOneWithoutALabel(Refusal refusal, Driver driver) throws Exception {
        assertEachOperationPasses("findandmodify-counter", refusal, driver);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("passingErrors")
    void eachTransactionPassesIt(Refusal refusal, Driver driver) throws Exception {
        assertEachOperationPasses("transactional", refusal, driver);
    }

    private void assertEachOperationPasses(String strategy, Refusal refusal, Driver driver) throws Exception {
        try (DriverClients connection = connection();
                BlockingLocks locks = locks(connection, strategy, driver)) {
            fail(refusal, 1, "findAndModify", "find", "insert");
            BlockingLock held = inTime(() -> locks.tryAcquire(name, TTL).orElseThrow());
            fail(refusal, 1, "find");
            assertThat(inTime(() -> locks.inspect(name))).isPresent();
            fail(refusal, 1, "update", "findAndModify");
            assertThat(inTime(() -> held.renew())).isTrue();
            fail(refusal, 1, "update", "delete", "findAndModify");
            assertThat(inTime(() -> held.release())).isTrue();
            assertThat(inTime(() -> locks.tryAcquire(name, TTL))).isPresent();
        }
    }

    /** The refusal of a commit leaves open whether it was executed. */
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("passingErrors")
    void aCommitPassesIt(Refusal refusal, Driver driver) throws Exception {
        try (DriverClients connection = connection();
                BlockingLocks locks = locks(connection, "transactional", driver)) {
            fail(refusal, 1, "commitTransaction");
            BlockingLock held = inTime(() -> locks.tryAcquire(name, TTL).orElseThrow());
            fail(refusal, 1, "commitTransaction");
            assertThat(inTime(() -> held.release())).isTrue();
            assertThat(inTime(() -> locks.tryAcquire(name, TTL))).isPresent();
        }
    }

    /** Whatever is wrong with the stream: the waiter polls. */
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("passingErrors")
    void aStreamThatIsRefusedDelaysNoWaiterForLong(Refusal refusal, Driver driver) throws Exception {
        try (DriverClients connection = connection();
                BlockingLocks locks = locks(connection, "findandmodify-counter", driver)) {
            BlockingLock held = locks.tryAcquire(name, TTL).orElseThrow();
            fail(refusal, 1000, "aggregate", "getMore");
            LockRequest patient = LockRequest.of(name.value(), TTL).fixedLease().waitAtMost(TTL.multipliedBy(20));
            BackgroundTask<BlockingLock> waiter =
                    BackgroundTask.run(() -> locks.tryAcquire(patient).orElseThrow());
            assertThat(held.release()).isTrue();

            assertThat(waiter.resultWhile(() -> server.elapse(STEP)).release()).isTrue();
        }
    }

    /** An operator needs to know what to do, and the caller that it may help to call again. */
    @ParameterizedTest
    @EnumSource
    void blockedWritesAreExplained(Driver driver) throws Exception {
        try (DriverClients connection = connection();
                BlockingLocks locks = locks(connection, "findandmodify-counter", driver)) {
            fail(new Refusal(371, List.of()), 1000, "findAndModify", "update");

            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> inTime(() -> locks.tryAcquire(name, TTL)))
                    .withMessageContaining("371")
                    .withMessageContaining("setUserWriteBlockMode")
                    .isNotInstanceOf(IndeterminateOutcomeException.class)
                    .satisfies(e -> assertThat(e.isTransient()).isTrue());
        }
    }

    /** It ends with the last refusal, or because no time is left for another attempt. */
    @ParameterizedTest
    @EnumSource
    void aRateLimitThatLastsIsATransientFailure(Driver driver) throws Exception {
        try (DriverClients connection = connection();
                BlockingLocks locks = locks(connection, "findandmodify-counter", driver)) {
            fail(new Refusal(462, OVERLOAD), 1000, "findAndModify", "update");

            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> inTime(() -> locks.tryAcquire(name, TTL)))
                    .satisfies(e -> assertThat(e.isTransient()).isTrue());
        }
    }

    private DriverClients connection() {
        return DriverClients.of(
                DriverClients.settings(server.uri()).applicationName(appName).build());
    }

    private BlockingLocks locks(DriverClients connection, String strategy, Driver driver) throws InterruptedException {
        return driver.build(connection, LockContract.DATABASE, builder -> {
            builder.strategy(strategy).commandTimeout(TIMEOUT);
            server.setClocks(builder);
        });
    }

    /** Lets time pass until the operation ends, as little as possible: its lock must not end before. */
    private <T> T inTime(Callable<T> operation) throws Exception {
        BackgroundTask<T> running = BackgroundTask.run(operation);
        return running.resultWhile(() -> server.elapse(STEP));
    }

    private void fail(Refusal refusal, int times, String... commands) {
        admin().runCommand(new Document("configureFailPoint", "failCommand")
                .append("mode", new Document("times", times))
                .append(
                        "data",
                        new Document("failCommands", List.of(commands))
                                .append("appName", appName)
                                .append("errorCode", refusal.code())
                                .append("errorLabels", refusal.labels())));
    }

    private MongoDatabase admin() {
        return DriverClients.shared(server.uri()).sync().getDatabase("admin");
    }

    private record Refusal(int code, List<String> labels) {}
}
