package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoCollection;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockLostException;
import org.mongolocks.sync.LockClient;

/** Runs the example of docs/guides/exactly-once.md. */
class DepositsTest {
    private final GuideScene scene = GuideScene.open();
    private final MongoCollection<Document> accounts = scene.collection("accounts");
    private final MongoCollection<Document> booked = scene.collection("booked");
    private LockClient locks;
    private Deposits deposits;

    @BeforeEach
    void open() throws InterruptedException {
        accounts.insertOne(new Document("_id", "7").append("balance", 100));
        booked.insertOne(new Document("_id", "an earlier message"));
        locks = scene.clientForNames();
        deposits = new Deposits(locks, accounts, booked);
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void messageThatIsDeliveredTwiceIsBookedOnce() throws InterruptedException {
        assertThat(deposits.book("m-1", "7", 5)).isTrue();
        assertThat(new Deposits(scene.clientForNames(), accounts, booked).book("m-1", "7", 5))
                .isFalse();
        assertThat(deposits.book("m-2", "7", 5)).isTrue();

        assertThat(balance()).isEqualTo(110);
    }

    @Test
    void holderWhoseLeaseHasEndedUnnoticedBooksNothingAndTheNextDeliveryDoes() throws InterruptedException {
        assertThatThrownBy(() -> locks.withLock("account-7", lock -> {
                    scene.endUnnoticed(locks, "account-7");
                    lock.inTransaction(session -> accounts.updateOne(session, eq("_id", "7"), inc("balance", 5)));
                }))
                .isInstanceOf(LockLostException.class);

        assertThat(balance()).isEqualTo(100);
        assertThat(deposits.book("m-1", "7", 5)).isTrue();
        assertThat(balance()).isEqualTo(105);
    }

    private int balance() {
        return accounts.find(eq("_id", "7")).first().getInteger("balance");
    }
}
