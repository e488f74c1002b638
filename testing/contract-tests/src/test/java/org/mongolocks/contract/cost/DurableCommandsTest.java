package org.mongolocks.contract.cost;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.RacyCounter;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockStrategy;

/** Tests that every command is durable even if the user's own client has fast, unsafe settings. */
@ExtendWith(DroppedDatabase.class)
class DurableCommandsTest {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final int MAX_BATCH_ATTEMPTS = 50;
    private static final Set<String> WRITES =
            Set.of("findAndModify", "insert", "update", "delete", "commitTransaction", "create", "createIndexes");
    private static final BsonDocument MAJORITY = BsonDocument.parse("{w: 'majority', j: true}");

    private final List<BsonDocument> sent = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @MethodSource("org.mongolocks.contract.Shipped#names")
    void everyCommandIsDurableReadsFromThePrimaryAndIsLimited(String strategy) throws Exception {
        LockStrategy supported = Shipped.supported(strategy);
        for (Driver driver : Driver.values()) {
            try (DriverClients careless = DriverClients.of(carelessSettings())) {
                try (BlockingLocks locks = driver.build(
                        careless,
                        LockContract.DATABASE,
                        builder -> builder.strategy(supported)
                                .collection("durable." + driver + "." + strategy)
                                .commandTimeout(LIMIT))) {
                    useALock(locks);
                }
            }
        }

        assertThat(sent).extracting(BsonDocument::getFirstKey).contains("update");
        assertThat(sent).hasSizeGreaterThan(10).allSatisfy(DurableCommandsTest::assertCareful);
    }

    @Test
    void theWitnessOfTheContractReadsFromThePrimaryToo() {
        try (DriverClients careless = DriverClients.of(carelessSettings())) {
            RacyCounter witness = new RacyCounter(
                    careless.sync().getDatabase(LockContract.DATABASE).getCollection("witness"),
                    "durable-" + UUID.randomUUID());
            witness.increment(1);
            witness.assertVisits(1);
        }

        assertThat(sent).extracting(BsonDocument::getFirstKey).containsExactly("insert", "find", "update", "find");
        assertThat(sent).allSatisfy(DurableCommandsTest::assertReadsNothingStale);
    }

    private void useALock(BlockingLocks locks) throws Exception {
        LockName name = LockName.of("durable-" + UUID.randomUUID());
        BlockingLock lock = locks.tryAcquire(name, Duration.ofSeconds(30)).orElseThrow();
        assertThat(locks.tryAcquire(name, Duration.ofSeconds(30))).isEmpty();
        lock.renew();
        renewInOneBatch(locks);
        locks.inspect(name);
        locks.list(LockQuery.all().prefix(name.value()));
        lock.release();
        assertThat(locks.tryAcquire(name, Duration.ofSeconds(30))).isPresent();
        locks.forceRelease(locks.inspect(name).orElseThrow());
    }

    /** Two renewals fall into one batch if both are due when the batch is sent, which takes chance on a busy machine. */
    private void renewInOneBatch(BlockingLocks locks) throws Exception {
        int before = sent.size();
        for (int attempt = 0; attempt < MAX_BATCH_ATTEMPTS && !wasSentAfter(before, "update"); attempt++) {
            keepTwoLocksAlive(locks);
        }
    }

    private boolean wasSentAfter(int count, String command) {
        return sent.stream().skip(count).anyMatch(each -> each.getFirstKey().equals(command));
    }

    private static void keepTwoLocksAlive(BlockingLocks locks) throws Exception {
        List<BlockingLock> kept = new ArrayList<>();
        Eventually.isTrue("two grants arrive before they end", () -> {
            LockRequest request = LockRequest.of("durable-" + UUID.randomUUID(), Duration.ofMillis(300));
            locks.tryAcquire(request).ifPresent(kept::add);
            return kept.size() == 2;
        });
        BlockingLock first = kept.get(0);
        long end = first.lease().validUntilNanos();
        Eventually.isTrue(
                "it is renewed, or lost on a busy machine",
                () -> first.lease().validUntilNanos() - end > 0 || !first.isHeld());
        kept.forEach(BlockingLock::release);
    }

    private static void assertCareful(BsonDocument command) {
        String name = command.getFirstKey();
        assertThat(command).as("a session of its own").containsKey("lsid");
        assertReadsNothingStale(command);
        assertThat(command.getDocument("readConcern", new BsonDocument()).toJson())
                .doesNotContain("afterClusterTime");
        boolean inTransaction = command.containsKey("autocommit") && !name.equals("commitTransaction");
        if (!inTransaction && !name.equals("abortTransaction")) {
            assertThat(command.getNumber("maxTimeMS").longValue()).isBetween(1L, LIMIT.toMillis());
        }
        if (WRITES.contains(name) && !inTransaction) {
            assertThat(command.getDocument("writeConcern")).isEqualTo(MAJORITY);
        }
    }

    private static void assertReadsNothingStale(BsonDocument command) {
        assertThat(command.getDocument("$readPreference", new BsonDocument()).toJson())
                .doesNotContain("secondary");
        assertThat(command.getDocument("readConcern", new BsonDocument()).toJson())
                .doesNotContain("available");
    }

    private MongoClientSettings carelessSettings() {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(ServerFinder.found().uri()))
                .writeConcern(WriteConcern.W1)
                .readPreference(ReadPreference.secondaryPreferred())
                .readConcern(ReadConcern.AVAILABLE)
                .addCommandListener(new CommandListener() {
                    // When the driver's client is closed it ends its sessions.
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        if (!event.getCommandName().equals("endSessions")) {
                            sent.add(event.getCommand().clone());
                        }
                    }
                })
                .build();
    }
}
