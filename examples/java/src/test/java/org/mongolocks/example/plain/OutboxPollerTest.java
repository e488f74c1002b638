package org.mongolocks.example.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import com.mongodb.client.MongoCollection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.leader.internal.ElectionTimer;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.sync.LockClient;

/** Runs the example of docs/guides/one-leader.md. */
class OutboxPollerTest {
    private final GuideScene scene = GuideScene.open();
    private final MongoCollection<Document> outbox = scene.collection("outbox");
    private final MongoCollection<Document> progress = scene.collection("progress");
    private final List<String> published = new CopyOnWriteArrayList<>();

    @BeforeEach
    void writeMessages() {
        outbox.insertOne(new Document("_id", 1L));
        outbox.insertOne(new Document("_id", 2L));
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void oneInstancePublishesAndItsSuccessorGoesOn() throws Exception {
        LeaderElection north = election(scene.client());
        start(north, "north", message -> {});
        soon("north has published", () -> progress().equals(2L));
        Candidacy south = start(election(scene.client()), "south", message -> {});
        assertThat(south.isLeading()).isFalse();

        outbox.insertOne(new Document("_id", 3L));
        soon("north has published the next one", () -> progress().equals(3L));
        north.close();
        outbox.insertOne(new Document("_id", 4L));
        soon("south has published", () -> progress().equals(4L));

        assertThat(published).containsExactly("north 1", "north 2", "north 3", "south 4");
    }

    @Test
    void leaderThatWasPausedPastItsLeaseDoesNotTurnTheProgressBack() throws Exception {
        LockClient northLocks = scene.client();
        CountDownLatch paused = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        LeaderElection north = election(northLocks);
        start(north, "north", message -> {
            paused.countDown();
            awaitUninterrupted(resumed);
        });
        paused.await();
        scene.endUnnoticed(northLocks, "outbox");
        start(election(scene.client()), "south", message -> {});
        soon("south has published all", () -> progress().equals(2L));

        resumed.countDown();
        north.close(); // when its work has ended

        assertThat(published).containsExactlyInAnyOrder("south 1", "south 2", "north 1");
        assertThat(progress()).isEqualTo(2L);
    }

    private Candidacy start(LeaderElection election, String instance, Consumer<Document> before) {
        Consumer<Document> publisher = message -> {
            before.accept(message);
            published.add(instance + " " + message.getLong("_id"));
        };
        return new OutboxPoller(outbox, progress, publisher).start(election, instance);
    }

    private LeaderElection election(LockClient locks) {
        return scene.opened(ElectionTimer.with(scene.server.timer().orElseThrow(), () -> LeaderElection.with(locks)));
    }

    private Object progress() {
        Document stored = progress.find().first();
        return stored == null ? 0L : stored.get("last");
    }

    /** As a paused process: it notices nothing. */
    private static void awaitUninterrupted(CountDownLatch latch) {
        boolean done = false;
        while (!done) {
            try {
                latch.await();
                done = true;
            } catch (InterruptedException e) {
                // The end of the term interrupts the work.
            }
        }
    }
}
