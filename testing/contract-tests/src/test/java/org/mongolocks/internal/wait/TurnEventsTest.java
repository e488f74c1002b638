package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.contract.waiting.EmbeddedPrograms;
import org.mongolocks.internal.wait.ReleaseEvents.Numbers;
import org.mongolocks.internal.wait.ReleaseEvents.Release;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/** The events of a release, which the server sends to exactly the clients whose turn it is. */
class TurnEventsTest {
    private static final EmbeddedPrograms SERVER = new EmbeddedPrograms();
    private static final LockName NAME = LockName.of("job");
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Owner HOLDER = new Owner("holder", new UUID(0, 1));
    private static final int CLIENTS = 6;

    private long token;

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.clear();
    }

    @ParameterizedTest
    @MethodSource("org.mongolocks.spi.LockStrategies#all")
    void aReleaseIsSentToTheFirstFourWithItsRevision(LockStrategy strategy) {
        heldWithWaiters(strategy);
        long before = SERVER.stored(NAME).getInt64(revisionField(strategy)).getValue();

        List<BsonDocument> events = eventsDuring(
                revisionField(strategy), () -> SERVER.run(strategy.release(NAME, HOLDER, OptionalLong.of(token))));

        assertSentTo(events, 0, 1, 2, 3);
        assertThat(events)
                .allSatisfy(event -> assertThat(Release.of(event).revision()).isEqualTo(before + 1));
    }

    @ParameterizedTest
    @MethodSource("org.mongolocks.spi.LockStrategies#all")
    void aReleaseBeforeTheMinimumHoldIsSentToTheFirstFourWithTheNewEnd(LockStrategy strategy) {
        heldWithWaiters(strategy);
        Lease lease = new Lease(
                NAME,
                HOLDER,
                token,
                Duration.ofSeconds(3),
                Duration.ofSeconds(3).toNanos());

        List<BsonDocument> events =
                eventsDuring(revisionField(strategy), () -> SERVER.run(strategy.releaseAfter(lease)));

        assertSentTo(events, 0, 1, 2, 3);
        assertThat(events)
                .allSatisfy(event -> assertThat(Release.of(event).heldFor()).isEqualTo(Duration.ofSeconds(3)));
    }

    @ParameterizedTest
    @MethodSource("org.mongolocks.spi.LockStrategies#all")
    @Tag("finds:give-up-unreported")
    void aWaiterThatLeavesAFreeLockIsReportedToTheNextFour(LockStrategy strategy) {
        heldWithWaiters(strategy);
        SERVER.run(strategy.release(NAME, HOLDER, OptionalLong.of(token)));

        List<BsonDocument> events =
                eventsDuring(revisionField(strategy), () -> SERVER.run(strategy.unregister(NAME, number(0))));

        assertSentTo(events, 1, 2, 3, 4);
    }

    @ParameterizedTest
    @MethodSource("org.mongolocks.spi.LockStrategies#all")
    void noOtherChangeIsSent(LockStrategy strategy) {
        List<BsonDocument> events = eventsDuring(revisionField(strategy), () -> {
            heldWithWaiters(strategy);
            SERVER.run(strategy.renew(new Lease(NAME, HOLDER, token, TTL, TTL.toNanos())));
            SERVER.run(strategy.unregister(NAME, number(2)));
        });

        assertThat(events).isEmpty();
    }

    /** As MongoDB 5.0 and later describe an update by pipeline: by what has changed. */
    @Test
    void anUpdateIsSelectedByTheListThatItDescribes() {
        String update = """
                {operationType: 'update', documentKey: {_id: 'job'}, ns: {db: 'test', coll: 'locks'},
                 updateDescription: {
                  updatedFields: {rev: NumberLong(9), turn: [NumberLong(%d), NumberLong(%d)]},
                  removedFields: ['owner', 'holder', 'next'], truncatedArrays: []}}""";
        BsonDocument event = BsonDocument.parse(update.formatted(number(0), number(2)));

        assertThat(selected(event, 0)).hasValue(new Release(9, List.of(number(0), number(2)), Duration.ZERO));
        assertThat(selected(event, 1)).isEmpty();
        assertThat(selected(event, 2)).isPresent();
    }

    /**
     * MongoDB describes an array by its changed elements if that is shorter than the array: never if the first one is
     * removed, which changes all of them. While the first waiter stays, no other one is next.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "updatedFields: {'turn.1': NumberLong(4194311)}, truncatedArrays: []",
                "updatedFields: {}, truncatedArrays: [{field: 'turn', newSize: 1}]",
            })
    void aListThatKeepsItsFirstIsNotSelected(String description) {
        BsonDocument event = BsonDocument.parse("""
                {operationType: 'update', documentKey: {_id: 'job'}, ns: {db: 'test', coll: 'locks'},
                 updateDescription: {removedFields: [], %s}}""".formatted(description));

        assertThat(IntStream.range(0, CLIENTS)
                        .filter(client -> selected(event, client).isPresent()))
                .isEmpty();
    }

    private void heldWithWaiters(LockStrategy strategy) {
        LockOutcome outcome = SERVER.run(strategy.acquire(context(HOLDER, LastKnownState.UNKNOWN, Optional.empty())));
        token = ((LockOutcome.Acquired) outcome).lease().fencingToken();
        for (int client = 0; client < CLIENTS; client++) {
            Owner owner = new Owner("client-" + client, new UUID(0, 2));
            Waiter waiter = new Waiter(number(client), Entry.ADD);
            SERVER.run(strategy.acquire(context(owner, LastKnownState.HELD, Optional.of(waiter))));
        }
    }

    private static AcquireContext context(Owner owner, LastKnownState seen, Optional<Waiter> waiter) {
        return AcquireContext.of(NAME, owner, TTL, 1).lastSeen(seen).waiter(waiter);
    }

    /** Any of the numbers of a client. */
    private static long number(int client) {
        return first(client) + 7;
    }

    private static long first(int client) {
        return (client + 1) * Numbers.COUNT;
    }

    private static List<BsonDocument> pipelineOf(int client, String revisionField) {
        return ReleaseEvents.pipeline(Optional.of(new Numbers(first(client), revisionField)));
    }

    private static String revisionField(LockStrategy strategy) {
        return strategy.waitingList().orElseThrow();
    }

    /** The drop of the collection, which is sent to every client, ends the events. */
    private static List<BsonDocument> eventsDuring(String revisionField, Runnable action) {
        MongoCollection<BsonDocument> locks = SERVER.collection(LockSchema.LOCKS);
        List<MongoCursor<BsonDocument>> streams = IntStream.range(0, CLIENTS)
                .mapToObj(client -> locks.watch(pipelineOf(client, revisionField))
                        .withDocumentClass(BsonDocument.class)
                        .cursor())
                .toList();
        action.run();
        locks.drop();
        List<BsonDocument> events = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            try (MongoCursor<BsonDocument> stream = streams.get(client)) {
                BsonDocument event = stream.next();
                while (!event.getString("operationType").getValue().equals("drop")) {
                    events.add(event.append("client", new BsonInt32(client)));
                    event = stream.next();
                }
            }
        }
        return events;
    }

    private static void assertSentTo(List<BsonDocument> events, Integer... clients) {
        assertThat(events)
                .extracting(event -> event.getInt32("client").getValue())
                .containsExactly(clients);
        List<Long> turn = Stream.of(clients).map(TurnEventsTest::number).toList();
        assertThat(events).allSatisfy(event -> {
            assertThat(ReleaseEvents.lockOf(event)).hasValue(NAME.value());
            assertThat(Release.of(event).turn()).isEqualTo(turn);
        });
    }

    /** The pipeline of a stream selects from a collection as from the oplog. */
    private static Optional<Release> selected(BsonDocument event, int client) {
        SERVER.clear();
        MongoCollection<BsonDocument> events = SERVER.collection("events");
        events.insertOne(event.clone());
        return Optional.ofNullable(events.aggregate(pipelineOf(client, "rev")).first())
                .map(Release::of);
    }
}
