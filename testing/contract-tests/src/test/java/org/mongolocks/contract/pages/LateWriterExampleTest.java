package org.mongolocks.contract.pages;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.lte;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.Fence;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.StaleTokenException;
import org.mongolocks.contract.LockContract;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * Shows why a fenced document is marked when it is read: a paused holder resumes between the read and the write of the
 * next holder.
 */
@ExtendWith(DroppedDatabase.class)
class LateWriterExampleTest {
    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final MongoCollection<Document> collection = connection
            .sync()
            .getDatabase(LockContract.DATABASE)
            .getCollection("accounts")
            .withWriteConcern(WriteConcern.MAJORITY);
    private final LockName name = LockName.of("account-" + UUID.randomUUID());
    private final LockClient locks = build();

    @BeforeEach
    void openAccount() {
        collection.deleteMany(new Document());
        collection.insertOne(new Document("_id", 7).append("balance", 100));
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void aMarkOnWritesAloneLosesAnUpdate() throws InterruptedException {
        HeldLock late = acquire();
        int seenByLate = balance();
        HeldLock next = takenFrom(late);
        int seenByNext = balance();

        assertThat(writeMarked(late, seenByLate + 10)).isTrue();
        assertThat(writeMarked(next, seenByNext + 1)).isTrue();

        assertThat(balance())
                .as("both deposits were acknowledged, and one is gone")
                .isEqualTo(101);
    }

    @Test
    void aMarkOnTheFirstTouchRefusesTheLateWrite() throws InterruptedException {
        HeldLock late = acquire();
        int seenByLate = read(late);
        HeldLock next = takenFrom(late);
        int seenByNext = read(next);

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> write(late, seenByLate + 10));
        assertThat(write(next, seenByNext + 1)).isTrue();

        assertThat(balance()).isEqualTo(101);
    }

    @Test
    void theExampleOfTheDocumentDeposits() throws InterruptedException {
        deposit(acquire());

        assertThat(balance()).isEqualTo(105);
    }

    @Test
    void theExampleOfTheDocumentWritesManyDocuments() throws InterruptedException {
        collection.insertOne(new Document("_id", 8).append("balance", 100).append("branch", "north"));
        collection.insertOne(new Document("_id", 9).append("balance", 200).append("branch", "north"));

        assertThat(payInterest(acquire())).isEqualTo(2);

        assertThat(collection.find().map(account -> account.getInteger("balance")))
                .containsExactlyInAnyOrder(100, 101, 202);
    }

    @Test
    void theDocumentShowsTheseExamples() throws IOException {
        String source = Files.readString(
                Path.of("src", "test", "java", "org", "mongolocks", "contract", "pages", "LateWriterExampleTest.java"));
        String page = Files.readString(Path.of("..", "..", "docs", "data-safety.md"));

        List<String> examples = Pattern.compile(" {8}// begin\n(.*?) {8}// end\n", Pattern.DOTALL)
                .matcher(source)
                .results()
                .map(found -> found.group(1).replaceAll("\\s", ""))
                .toList();
        assertThat(examples).hasSize(2);
        assertThat(page.replaceAll("\\s", "")).contains(examples);
    }

    private void deposit(HeldLock lock) {
        // begin
        FencedCollection<Document> accounts = FencedCollection.of(collection, Fence.of(lock.lease()));
        Document account = accounts.touch(eq("_id", 7)).orElseThrow();
        accounts.update(eq("_id", 7), set("balance", account.getInteger("balance") + 5));
        // end
    }

    private long payInterest(HeldLock lock) {
        // begin
        Fence fence = Fence.of(lock.lease());
        FencedCollection<Document> accounts = FencedCollection.of(collection, fence);
        accounts.touchAll(eq("branch", "north"));
        List<UpdateOneModel<Document>> writes = new ArrayList<>();
        for (Document account : collection.find(fence.writeFilter(eq("branch", "north")))) {
            writes.add(new UpdateOneModel<>(
                    eq("_id", account.get("_id")), set("balance", withInterest(account.getInteger("balance")))));
        }
        long written = accounts.bulkWrite(writes);
        // end
        return written;
    }

    private static int withInterest(int balance) {
        return balance + balance / 100;
    }

    private int read(HeldLock lock) {
        return FencedCollection.of(collection, Fence.of(lock.lease()))
                .touch(eq("_id", 7))
                .orElseThrow()
                .getInteger("balance");
    }

    private boolean write(HeldLock lock, int balance) {
        return FencedCollection.of(collection, Fence.of(lock.lease())).update(eq("_id", 7), set("balance", balance));
    }

    /** The usual advice: a write is refused only if its token is smaller than the largest one written. */
    private boolean writeMarked(HeldLock lock, int balance) {
        long token = lock.fencingToken();
        return collection
                        .updateOne(
                                and(eq("_id", 7), or(exists("fence", false), lte("fence", token))),
                                combine(set("balance", balance), set("fence", token)))
                        .getMatchedCount()
                == 1;
    }

    private int balance() {
        return collection.find(eq("_id", 7)).first().getInteger("balance");
    }

    private HeldLock acquire() throws InterruptedException {
        return locks.tryAcquire(LockRequest.of(name, Duration.ofSeconds(30)).fixedLease())
                .orElseThrow();
    }

    /** The late holder does not notice the takeover. */
    private HeldLock takenFrom(HeldLock late) throws InterruptedException {
        assertThat(locks.forceRelease(locks.inspect(late.lease().name()).orElseThrow()))
                .isTrue();
        return acquire();
    }

    private LockClient build() {
        return LockClient.builder(connection.sync(), LockContract.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy("findandmodify-counter")
                .build();
    }
}
