package org.mongolocks.contract.faults;

import static java.lang.System.Logger.Level.INFO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.sync.LockClient;

/** Tests of waiters while an abandoned transaction holds the document of a lock. */
@ExtendWith(DroppedDatabase.class)
class OrphanedTransactionTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration COMMAND = Duration.ofMillis(500);

    private static final System.Logger LOG = System.getLogger(OrphanedTransactionTest.class.getName());

    /** At its deadline a waiter still needs a reply to two commands within this time. */
    private static final Duration COMMAND_AT_DEADLINE = Duration.ofSeconds(3);

    /** More than the faults after which a client stops retrying. */
    private static final int ATTEMPTS = 7;

    /** On a machine that is too busy for such a reply the outcome is indeterminate, as it should be. */
    private static final int TRIALS = 6;

    private final ContractServer server = ServerFinder.found();
    private final String collections = "orphaned-" + UUID.randomUUID() + "-";

    @BeforeEach
    void requireTransactions() {
        assumeFalse(server.isStandalone(), "A standalone has no transactions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"findandmodify-counter", "insert-unique", "optimistic-version"})
    void aWaiterWaitsUntilTheTransactionEnds(String each) throws Exception {
        onBothDrivers(List.of(each), (strategy, driver) -> {
            LockName name = freshName();
            try (ProxyRoute detour = ProxyRoute.to(server.uri(), true);
                    BlockingLocks locks = locks(driver, strategy, detour.connection(), COMMAND);
                    ClientSession orphan = orphan(strategy, name)) {
                CountDownLatch attempts = detour.connection()
                        .sent()
                        .nextAnswered(
                                ATTEMPTS, command -> command.getCommandName().equals("findAndModify"));
                BackgroundTask<Optional<BlockingLock>> waiter = BackgroundTask.run(() ->
                        locks.tryAcquire(LockRequest.of(name, TTL).fixedLease().waitAtMost(Duration.ofMinutes(1))));
                assertThat(attempts.await(60, TimeUnit.SECONDS)).isTrue();

                orphan.abortTransaction();

                return waiter.result().orElseThrow().release();
            }
        });
    }

    @Test
    void aWaiterAtItsDeadlineIsContendedAndHoldsNothing() throws Exception {
        onBothDrivers(List.of("findandmodify-counter", "optimistic-version"), (strategy, driver) -> {
            LockName name = freshName();
            try (ProxyRoute detour = ProxyRoute.to(server.uri(), true);
                    BlockingLocks locks = locks(driver, strategy, detour.connection(), COMMAND_AT_DEADLINE);
                    ClientSession orphan = orphan(strategy, name)) {
                assertThat(locks.tryAcquire(
                                LockRequest.of(name, TTL).fixedLease().waitAtMost(COMMAND_AT_DEADLINE.multipliedBy(2))))
                        .isEmpty();
                orphan.abortTransaction();

                return locks.inspect(name).orElseThrow().holder().isEmpty();
            }
        });
    }

    private interface DriverCheck {
        boolean holds(String strategy, Driver driver) throws Exception;
    }

    /** Runs a check of each strategy on both drivers side by side: most of the time is spent in commands that wait. */
    private static void onBothDrivers(List<String> strategies, DriverCheck check) throws Exception {
        Map<String, BackgroundTask<Boolean>> checks = new LinkedHashMap<>();
        for (String strategy : strategies) {
            for (Driver driver : Driver.values()) {
                checks.put(strategy + ", " + driver, BackgroundTask.run(() -> holdsInTime(check, strategy, driver)));
            }
        }
        for (Map.Entry<String, BackgroundTask<Boolean>> each : checks.entrySet()) {
            assertThat(each.getValue().result(Duration.ofMinutes(3), () -> ": " + each.getKey()))
                    .as(each.getKey())
                    .isTrue();
        }
    }

    /** Begins the check again, with another lock, while the outcome is indeterminate. */
    private static boolean holdsInTime(DriverCheck check, String strategy, Driver driver) throws Exception {
        for (int trial = 1; trial < TRIALS; trial++) {
            try {
                return check.holds(strategy, driver);
            } catch (IndeterminateOutcomeException e) {
                LOG.log(INFO, "The machine was too busy for a reply in time", e);
            }
        }
        return check.holds(strategy, driver);
    }

    private static LockName freshName() {
        return LockName.of("orphaned-" + UUID.randomUUID());
    }

    /** Writes the document of a lock that is not held in a transaction that stays open. */
    private ClientSession orphan(String strategy, LockName name) throws InterruptedException {
        MongoClient mongo = DriverClients.shared(server.uri()).sync();
        try (LockClient others = LockClient.builder(mongo, LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(strategy)
                .collection(collections + strategy)
                .build()) {
            assertThat(others.tryAcquire(LockRequest.of(name.value(), TTL).fixedLease())
                            .orElseThrow()
                            .release())
                    .isTrue();
        }
        ClientSession session = mongo.startSession();
        session.startTransaction();
        mongo.getDatabase(LockContract.DATABASE)
                .getCollection(collections + strategy, BsonDocument.class)
                .updateOne(
                        session,
                        new BsonDocument("_id", new BsonString(name.value())),
                        List.of(new BsonDocument("$set", new BsonDocument("touched", new BsonInt32(1)))));
        return session;
    }

    private BlockingLocks locks(Driver driver, String strategy, DriverClients connection, Duration commandTimeout)
            throws InterruptedException {
        driver.connect(connection);
        for (int trial = 1; trial < TRIALS; trial++) {
            try {
                return build(driver, strategy, connection, commandTimeout);
            } catch (LockException e) {
                LOG.log(INFO, "The machine was too busy to prepare a client in time", e);
            }
        }
        return build(driver, strategy, connection, commandTimeout);
    }

    private BlockingLocks build(Driver driver, String strategy, DriverClients connection, Duration commandTimeout)
            throws InterruptedException {
        return driver.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy(LockStrategies.named(strategy))
                        .collection(collections + strategy)
                        .polling(Duration.ofMillis(10), Duration.ofMillis(20))
                        .commandTimeout(commandTimeout));
    }
}
