package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests of locks that are renewed by one command, while a foreign transaction blocks the document of one. */
@ExtendWith(DroppedDatabase.class)
class BlockedRenewalTest {
    private static final Duration TTL = Duration.ofSeconds(8);
    private static final int LOCKS = 5;
    private static final int BLOCKED = 2;

    private final ContractServer server = ServerFinder.found();
    private final String prefix = "blocked-" + UUID.randomUUID() + "-";

    @BeforeEach
    void requireTransactions() {
        assumeFalse(server.isStandalone(), "A standalone has no transactions");
    }

    /** On both drivers side by side: the leases end in real time. */
    @Test
    void aLockWhoseDocumentIsBlockedIsLostAloneAndTheOthersAreRenewed() throws Exception {
        BackgroundTask<Boolean> reactive = BackgroundTask.run(() -> isLostAlone(Driver.REACTIVE));

        assertThat(isLostAlone(Driver.SYNC)).isTrue();

        assertThat(reactive.result()).isTrue();
    }

    private boolean isLostAlone(Driver driver) throws Exception {
        DriverClients clients = DriverClients.shared(server.uri());
        try (BlockingLocks locks = locks(driver, clients)) {
            List<BlockingLock> held = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                held.add(locks.tryAcquire(LockRequest.of(prefix + driver + i, TTL))
                        .orElseThrow());
            }
            BlockingLock blocked = held.remove(BLOCKED);
            CountDownLatch lost = new CountDownLatch(1);
            blocked.onLost((lease, reason) -> lost.countDown());

            try (ClientSession open = transactionOn(clients.sync(), prefix + driver + BLOCKED)) {
                assertThat(lost.await(TTL.toSeconds() * 4, TimeUnit.SECONDS)).isTrue();

                assertThat(blocked.loss()).contains(LossReason.RENEWAL_FAILED);
                assertThat(held).allSatisfy(lock -> assertThat(lock.remaining()).isGreaterThan(TTL.dividedBy(4)));
                open.abortTransaction();
                return true;
            }
        }
    }

    private ClientSession transactionOn(MongoClient mongo, String name) {
        ClientSession session = mongo.startSession();
        session.startTransaction();
        mongo.getDatabase(LockContract.DATABASE)
                .getCollection(prefix + "locks", BsonDocument.class)
                .updateOne(
                        session,
                        new BsonDocument("_id", new BsonString(name)),
                        new BsonDocument("$set", new BsonDocument("touched", new BsonInt32(1))));
        return session;
    }

    private BlockingLocks locks(Driver driver, DriverClients clients) throws InterruptedException {
        driver.connect(clients);
        return driver.build(
                clients,
                LockContract.DATABASE,
                builder -> builder.strategy(new FindAndModifyCounterStrategy()).collection(prefix + "locks"));
    }
}
