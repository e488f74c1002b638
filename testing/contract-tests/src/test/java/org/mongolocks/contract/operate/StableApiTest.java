package org.mongolocks.contract.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonBoolean;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.SchemaMode;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/**
 * Tests that clients whose driver declares version 1 of the stable API, strictly, can do everything: each command of the
 * library is inside. The whole contract runs so with {@code -Dmongolocks.strictApi=true}.
 */
class StableApiTest {
    private static final String DATABASE = "stable-api";
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** The first version with the stable API, and with the smallest version 1. */
    private static final EmbeddedMongo SERVER =
            EmbeddedMongo.builder().version("5.0").start();

    private final LockName name = LockName.of("lock-" + UUID.randomUUID());
    private final Commands commands = new Commands();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("org.mongolocks.contract.Shipped#names")
    void eachCommandIsInsideVersion1(String strategy) throws Exception {
        for (Driver driver : Driver.values()) {
            try (DriverClients connection = DriverClients.observedBy(SERVER.connectionString(), commands)) {
                use(driver, connection.strict(), LockStrategies.named(strategy));
            }
        }

        assertThat(commands.failed).isEmpty();
        assertThat(commands.undeclared).isEmpty();
        assertThat(commands.sent)
                .contains(
                        "hello", "listCollections", "listIndexes", "aggregate", "getMore", "find", "commitTransaction");
    }

    private void use(Driver driver, DriverClients connection, LockStrategy strategy) throws Exception {
        try (BlockingLocks holder = build(driver, connection, strategy, SchemaMode.CREATE);
                BlockingLocks others = build(driver, connection, strategy, SchemaMode.VALIDATE)) {
            BlockingLock held = holder.acquire(LockRequest.of(name, TTL));
            assertThat(others.tryAcquire(name, TTL)).isEmpty();
            BackgroundTask<Optional<BlockingLock>> waiting = BackgroundTask.run(() ->
                    others.tryAcquire(LockRequest.of(name, TTL).fixedLease().waitAtMost(TIMEOUT)));
            Eventually.isTrue(
                    "the stream is open", () -> others.status().changeStream().state() == State.OPEN);
            assertThat(held.renew()).isTrue();
            held.inTransaction(insert -> insert.accept("data", new Document("by", strategy.name())));
            assertThat(held.release()).isTrue();

            BlockingLock handedOver = waiting.result().orElseThrow();
            assertThat(handedOver.fencingToken()).isGreaterThan(held.fencingToken());
            assertThat(holder.list(LockQuery.all().heldOnly()).locks()).hasSize(1);
            assertThat(holder.forceRelease(holder.inspect(name).orElseThrow())).isTrue();
            assertThat(holder.tryAcquireAll(MultiLockRequest.of(List.of(name.value(), name.value() + "-2"), TTL)
                                    .fixedLease())
                            .orElseThrow()
                            .release())
                    .isTrue();
        }
    }

    private static BlockingLocks build(
            Driver driver, DriverClients connection, LockStrategy strategy, SchemaMode schema)
            throws InterruptedException {
        return driver.build(
                connection,
                DATABASE,
                builder -> builder.strategy(strategy)
                        .collection("locks." + strategy.name())
                        .schema(schema));
    }

    @Test
    void theServerRefusesWhatIsOutside() {
        try (DriverClients connection = DriverClients.observedBy(SERVER.connectionString(), commands)) {
            assertThatExceptionOfType(MongoCommandException.class)
                    .isThrownBy(() ->
                            connection.strict().sync().getDatabase("admin").runCommand(new Document("buildInfo", 1)))
                    .satisfies(error -> assertThat(error.getErrorCodeName()).isEqualTo("APIStrictError"));
        }
    }

    /** Collects the names of all commands, and of those that fail as no others do. */
    private static final class Commands implements CommandListener {
        private final Set<String> sent = ConcurrentHashMap.newKeySet();
        private final List<String> undeclared = new CopyOnWriteArrayList<>();
        private final List<String> failed = new CopyOnWriteArrayList<>();

        @Override
        public void commandStarted(CommandStartedEvent event) {
            sent.add(event.getCommandName());
            boolean isDeclared = new BsonString("1").equals(event.getCommand().get("apiVersion"))
                    && BsonBoolean.TRUE.equals(event.getCommand().get("apiStrict"));
            if (!isDeclared) {
                undeclared.add(event.getCommandName());
            }
        }

        @Override
        public void commandFailed(CommandFailedEvent event) {
            if (event.getThrowable() instanceof MongoCommandException error
                    && Set.of("APIStrictError", "APIVersionError", "APIMismatchError")
                            .contains(error.getErrorCodeName())) {
                failed.add(event.getCommandName() + ": " + error.getErrorMessage());
            }
        }
    }
}
