package org.mongolocks.study.process.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.process.message.ChildMessage.Usage;
import org.mongolocks.study.process.parent.TestDatabase;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.sync.LockClient;

/** Tests that each kind of leak is found. */
class LeakTest {
    private static final Technique TECHNIQUE = RealTechniques.named("findandmodify-counter");
    private static final Duration LONG = Duration.ofHours(1);
    private static final long HEAP = 20L << 20;
    private static final int THREADS = 30;
    private static final int POOLED = 20;

    private static final TestDatabase DATABASE = TestDatabase.at("embedded");

    private final ChildConfig.Place place = DATABASE.newPlace();
    private final LeftLocks left = new LeftLocks(DATABASE.mongo(), place, TECHNIQUE);
    private final ClientUsage usage = new ClientUsage();

    @AfterAll
    static void close() {
        DATABASE.close();
    }

    private MongoDatabase database() {
        return DATABASE.mongo().getDatabase(place.database());
    }

    private void measure(long heapBytes, int threads, int times) {
        for (int i = 0; i < times; i++) {
            usage.add(1, new Usage(heapBytes, POOLED + threads, threads));
        }
    }

    @Test
    void heldLockIsFoundUntilItIsReleased() throws InterruptedException {
        try (LockClient client = LockClient.builder(DATABASE.mongo(), place.database())
                .strategy(TECHNIQUE.name())
                .collection(place.collection())
                .build()) {
            client.acquire(LockRequest.of("invoices", LONG));

            assertThat(left.find()).containsExactly("findandmodify-counter: invoices is still held");
        }
        assertThat(left.find()).isEmpty();
    }

    @Test
    void waiterThatIsLeftIsFound() throws InterruptedException {
        database()
                .getCollection(place.collection())
                .insertOne(new Document("_id", "invoices")
                        .append("format", TECHNIQUE.name() + "/3")
                        .append("waiting", List.of(7L)));

        assertThat(left.find()).containsExactly("findandmodify-counter: a waiter is left in the list of invoices");
    }

    @Test
    void growingMemoryOfAClientIsFound() {
        measure(HEAP, THREADS, 3);
        measure(HEAP + ClientUsage.HEAP_SLACK, THREADS, 3);
        measure(HEAP + ClientUsage.HEAP_SLACK + 1, THREADS, 3);
        usage.ended(1);

        assertThat(usage.grown()).singleElement().asString().startsWith("client 1: the heap, in bytes, grew from ");
    }

    @Test
    void growingNumberOfThreadsIsFound() {
        measure(HEAP, THREADS, 6);
        measure(HEAP, THREADS + ClientUsage.THREAD_SLACK + 1, 3);
        usage.ended(1);

        assertThat(usage.grown())
                .containsExactly(
                        "client 1: the number of threads outside of the pools of open clients grew from 30 to 46");
    }

    @Test
    @Tag("finds:soak-thread-alarm")
    void threadsInThePoolsOfOpenClientsAreNoGrowth() {
        for (int i = 0; i < ClientUsage.MIN_READINGS; i++) {
            usage.add(1, new Usage(HEAP, THREADS + 10 * i, THREADS));
        }
        usage.ended(1);

        assertThat(usage.grown()).isEmpty();
        assertThat(usage.largest().threads()).isEqualTo(THREADS + 10 * (ClientUsage.MIN_READINGS - 1));
    }

    @Test
    void peakIsNoGrowth() {
        measure(HEAP, THREADS, 6);
        measure(10 * HEAP, 10 * THREADS, 2);
        measure(HEAP, THREADS, 1);
        usage.ended(1);

        assertThat(usage.grown()).isEmpty();
    }

    @Test
    void nothingIsSaidAboutAShortLife() {
        measure(HEAP, THREADS, 1);
        measure(10 * HEAP, 10 * THREADS, ClientUsage.MIN_READINGS - 2);
        usage.ended(1);

        assertThat(usage.grown()).isEmpty();
    }

    @Test
    void growthOnTheServerIsFound() {
        ServerUse before = new ServerUse(Map.of("metrics.cursor.open.total", 10L, "connections.current", 5L));
        ServerUse later = new ServerUse(Map.of("metrics.cursor.open.total", 15L, "connections.current", 9L));

        assertThat(before.grownBy(4, later))
                .containsExactly("the server's metrics.cursor.open.total grew from 10 to 15 without faults");
    }

    @Test
    void embeddedServerReportsItsUse() {
        assertThat(ServerUse.of(DATABASE.mongo()).values())
                .containsKeys(
                        "connections.current",
                        "metrics.cursor.open.total",
                        "logicalSessionRecordCache.activeSessionsCount");
    }
}
