package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests which releases the server delivers to a client that is in the list of waiting clients. */
@ExtendWith(DroppedDatabase.class)
class ListedReleaseTest {
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final Duration FOR_EVER = Duration.ofMinutes(5);
    /** Clients that wait before the client of the test. */
    private static final int BEFORE = 9;
    /** Releases that a client gets: four while it is near, and that which gives it its turn. */
    private static final int DELIVERED = 5;

    private final String uri = ServerFinder.found().uri();
    private final String instance = "listed-" + UUID.randomUUID();
    private final LockName name = LockName.of(instance);
    private final Streams streams = new Streams();

    @BeforeEach
    void needsChangeStreams() {
        assumeFalse(ServerFinder.found().isStandalone(), "A standalone has no change streams");
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void clientGetsNoReleasesUntilItIsNear(Driver driver) throws Exception {
        try (DriverClients connection = DriverClients.observedBy(uri, streams);
                BlockingLocks locks = build(driver, connection, instance);
                BlockingLocks others = build(driver, DriverClients.shared(uri), "others")) {
            Optional<BlockingLock> held = others.tryAcquire(name, TTL);
            addToList(LongStream.rangeClosed(1, BEFORE));
            BackgroundTask<Optional<BlockingLock>> waiting =
                    BackgroundTask.run(() -> locks.acquire(new LockRequest(name, TTL, FOR_EVER)));
            Eventually.isTrue("it is listed", () -> list().size() == BEFORE + 1);
            Eventually.isTrue(
                    "its change stream is open",
                    () -> Set.of(State.OPEN, State.LATE)
                            .contains(locks.status().changeStream().state()));

            while (held.isPresent() && held.orElseThrow().release() && !list().isEmpty()) {
                held = others.tryAcquire(name, TTL);
            }

            assertThat(waiting.result()).isPresent();
            assertThat(streams.delivered()).isBetween(1, DELIVERED);
        }
    }

    /** The shapes of the list after a release, and whether a client then gets the event. */
    @Test
    void onlyAListInWhichTheClientIsFarBackLeavesTheReleaseOut() throws Exception {
        long number = numberOfAClient();
        BsonInt64 own = new BsonInt64(number);
        BsonInt64 other = new BsonInt64(number + 1);
        BsonArray shorter = new BsonArray(List.of(other, other, other));

        assertThat(delivers(listOf(other, 4, own))).as("the fifth").isFalse();
        assertThat(delivers(listOf(other, 900, own))).as("the last of many").isFalse();
        for (int place = 0; place < 4; place++) {
            assertThat(delivers(listOf(other, place, own)))
                    .as("place " + place + ", the last")
                    .isTrue();
            BsonArray longer = listOf(other, place, own);
            longer.addAll(listOf(other, 20, other));
            assertThat(delivers(longer)).as("place " + place).isTrue();
        }
        assertThat(delivers(new BsonArray())).as("none").isTrue();
        assertThat(delivers(shorter)).as("few others").isTrue();
        assertThat(delivers(listOf(other, 20, other))).as("many others").isTrue();
        assertThat(delivers(own)).as("no list").isTrue();
        assertThat(delivers(new BsonString("none"))).as("a string").isTrue();
        assertThat(delivers(BsonNull.VALUE)).as("null").isTrue();
        assertThat(delivers(new BsonDocument("4", own))).as("a document").isTrue();
        assertThat(deliversReleaseWithoutList()).as("an unchanged list").isTrue();
        assertThat(deliversReplacement(listOf(other, 20, own)))
                .as("a replacement")
                .isTrue();
    }

    private static BsonArray listOf(BsonValue other, int others, BsonValue last) {
        BsonArray list = new BsonArray();
        Stream.generate(() -> other).limit(others).forEach(list::add);
        list.add(last);
        return list;
    }

    /** Returns whether the stream delivers a release by an update that sets the list. */
    private boolean delivers(BsonValue list) {
        BsonDocument update = new BsonDocument("$unset", new BsonDocument("owner", new BsonInt32(1)))
                .append("$set", new BsonDocument("waiting", list).append("revision", new BsonInt64(7)));
        return deliversAfter(locks -> locks.updateOne(id(), update));
    }

    private boolean deliversReleaseWithoutList() {
        BsonDocument update = new BsonDocument("$unset", new BsonDocument("owner", new BsonInt32(1)));
        return deliversAfter(locks -> locks.updateOne(id(), update));
    }

    private boolean deliversReplacement(BsonArray list) {
        return deliversAfter(locks -> locks.replaceOne(id(), new BsonDocument("waiting", list)));
    }

    private boolean deliversAfter(Consumer<MongoCollection<BsonDocument>> release) {
        MongoCollection<BsonDocument> locks = locks();
        locks.insertOne(new BsonDocument("_id", new BsonString("probed")).append("owner", new BsonString("other")));
        try (MongoCursor<BsonDocument> events = locks.watch(streams.pipeline())
                .withDocumentClass(BsonDocument.class)
                .cursor()) {
            release.accept(locks);
            locks.deleteOne(id());
            return !events.next().getString("operationType").getValue().equals("delete");
        }
    }

    /** The first clients have died, and one behind them waits. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void clientsThatDoNotTakeTheirTurnsAreRemoved(Driver driver) throws Exception {
        BsonInt64 behind = new BsonInt64(BEFORE);
        try (BlockingLocks locks = build(driver, DriverClients.shared(uri), instance);
                BlockingLocks others = build(driver, DriverClients.shared(uri), "others")) {
            BlockingLock held = others.tryAcquire(name, TTL).orElseThrow();
            addToList(LongStream.rangeClosed(1, 3));
            BackgroundTask<Optional<BlockingLock>> waiting =
                    BackgroundTask.run(() -> locks.acquire(new LockRequest(name, TTL, FOR_EVER)));
            Eventually.isTrue("it is listed", () -> list().size() == 4);
            locks().updateOne(
                            Filters.eq("_id", name.value()),
                            new BsonDocument("$push", new BsonDocument("waiting", behind)));

            held.release();

            assertThat(waiting.result()).isPresent();
            Eventually.isTrue("only the one behind is listed", () -> list().equals(new BsonArray(List.of(behind))));
        }
    }

    private static Bson id() {
        return Filters.eq("_id", "probed");
    }

    /** Has a client wait, so that it opens a stream, and returns its number in the lists. */
    private long numberOfAClient() throws Exception {
        try (DriverClients connection = DriverClients.observedBy(uri, streams);
                BlockingLocks locks = build(Driver.SYNC, connection, instance);
                BlockingLocks others = build(Driver.SYNC, DriverClients.shared(uri), "others")) {
            BlockingLock held = others.tryAcquire(name, TTL).orElseThrow();
            BackgroundTask<Optional<BlockingLock>> waiting =
                    BackgroundTask.run(() -> locks.acquire(new LockRequest(name, TTL, FOR_EVER)));
            Eventually.isTrue("it is listed", () -> list().size() == 1);
            long number = list().get(0).asInt64().getValue();
            held.release();
            assertThat(waiting.result()).isPresent();
            return number;
        }
    }

    private void addToList(LongStream numbers) {
        BsonArray list = new BsonArray(numbers.mapToObj(BsonInt64::new).toList());
        locks().updateOne(Filters.eq("_id", name.value()), new BsonDocument("$set", new BsonDocument("waiting", list)));
    }

    private BsonArray list() {
        BsonDocument stored = locks().find(Filters.eq("_id", name.value())).first();
        return stored == null ? new BsonArray() : stored.getArray("waiting", new BsonArray());
    }

    private MongoCollection<BsonDocument> locks() {
        return DriverClients.shared(uri)
                .sync()
                .getDatabase(LockContract.DATABASE)
                .getCollection("locks." + instance, BsonDocument.class);
    }

    /** A command listener that records the pipelines of change streams, and counts the delivered events. */
    private static final class Streams implements CommandListener {
        private final List<BsonDocument> stages = new ArrayList<>();
        private int delivered;

        @Override
        public synchronized void commandStarted(CommandStartedEvent event) {
            if (event.getCommandName().equals("aggregate")) {
                stages.clear();
                // The buffer of the event is used again.
                BsonDocument command = BsonDocument.parse(event.getCommand().toJson());
                command.getArray("pipeline").stream().skip(1).forEach(stage -> stages.add(stage.asDocument()));
            }
        }

        @Override
        public synchronized void commandSucceeded(CommandSucceededEvent event) {
            if (event.getCommandName().equals("getMore")) {
                delivered += event.getResponse()
                        .getDocument("cursor")
                        .getArray("nextBatch")
                        .size();
            }
        }

        /** Returns the stages after {@code $changeStream} of the newest stream. */
        synchronized List<BsonDocument> pipeline() {
            return List.copyOf(stages);
        }

        synchronized int delivered() {
            return delivered;
        }
    }

    private BlockingLocks build(Driver driver, DriverClients connection, String client) throws InterruptedException {
        return driver.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy(new FindAndModifyCounterStrategy())
                        .collection("locks." + instance)
                        .instance(client));
    }
}
