package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.child.LivenessProbe;
import org.mongolocks.study.process.child.LivenessProbe.Outcome;
import org.mongolocks.study.process.message.ChildMessage.Usage;
import org.mongolocks.study.process.message.ParentMessage.Place;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.sync.LockClient;

/** Tests that each kind of leak is found. */
class LeakTest {
    private static final Technique TECHNIQUE = RealTechniques.named("findandmodify-counter");
    private static final int NUMBER = 2;
    private static final LockName LOCK = RealTechniques.lock(NUMBER);
    private static final Duration BRIEF = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofHours(1);
    private static final long HEAP = 20L << 20;
    private static final int THREADS = 30;
    private static final int POOLED = 20;

    private static final TestDatabase DATABASE = TestDatabase.at("embedded");

    private final Place place = DATABASE.newPlace(TECHNIQUE);
    private final ClientUsage usage = new ClientUsage();

    @AfterAll
    static void close() {
        DATABASE.close();
    }

    private void measure(long heapBytes, int threads, int times) {
        for (int i = 0; i < times; i++) {
            usage.add(1, new Usage(heapBytes, POOLED + threads, threads));
        }
    }

    @Test
    void heldLockIsFoundUntilItIsReleased() throws InterruptedException {
        try (LivenessProbe probe = probe(place)) {
            try (LockClient client = client()) {
                client.acquire(LockRequest.of(LOCK.value(), LONG).fixedLease());

                assertThat(probe.probe(NUMBER, BRIEF)).isNotEqualTo(Outcome.FREE);
            }
            assertThat(probe.probe(NUMBER, LivenessProbe.LIMIT)).isEqualTo(Outcome.FREE);
        }
    }

    @Test
    @Tag("finds:soak-busy-leak")
    void probeOfASlowServerFindsNoLeak() throws InterruptedException {
        try (FaultProxy slow = slow(Duration.ofMillis(1_500));
                LivenessProbe probe = probe(slow)) {
            assertThat(probe.probe(NUMBER, LivenessProbe.LIMIT)).isEqualTo(Outcome.FREE);
        }
    }

    @Test
    void heldLockIsNotJudgedWhereAllLocksAreSlow() throws InterruptedException {
        try (LockClient client = client();
                FaultProxy slow = slow(BRIEF);
                LivenessProbe probe = probe(slow)) {
            client.acquire(LockRequest.of(LOCK.value(), LONG).fixedLease());

            assertThat(probe.probe(NUMBER, BRIEF)).isEqualTo(Outcome.NOT_JUDGED);
        }
    }

    private LockClient client() throws InterruptedException {
        return LockClient.builder(DATABASE.mongo(), place.database())
                .strategy(TECHNIQUE.name())
                .collection(place.collection())
                .build();
    }

    private static FaultProxy slow(Duration delay) {
        return FaultProxy.slow(DATABASE.primary(), "findAndModify"::equals, delay);
    }

    private LivenessProbe probe(FaultProxy proxy) throws InterruptedException {
        return probe(place.through(proxy.address().getPort()));
    }

    private static LivenessProbe probe(Place at) throws InterruptedException {
        return new LivenessProbe(at, TECHNIQUE, event -> {});
    }

    @Test
    void waiterOfAKilledClientIsNoLeakOnceItIsPassedOver() throws InterruptedException {
        DATABASE.mongo()
                .getDatabase(place.database())
                .getCollection(place.collection())
                .insertOne(new Document("_id", LOCK.value())
                        .append("format", TECHNIQUE.name() + "/3")
                        .append("waiting", List.of(7L)));

        try (LivenessProbe probe = probe(place)) {
            assertThat(probe.awaited()).containsExactly(LOCK.toString());
            assertThat(probe.probe(NUMBER, LivenessProbe.LIMIT)).isEqualTo(Outcome.FREE);

            assertThat(probe.awaited()).isEmpty();
        }
    }

    @Test
    @Tag("finds:soak-leak-violation")
    void lockThatCannotBeAcquiredIsALeakAndNoViolation() {
        LockHistory lock = new LockHistory(NUMBER, TECHNIQUE);
        Judge judge = new Judge();

        judge.probed(lock, Outcome.FREE);
        judge.probed(lock, Outcome.NOT_JUDGED);
        assertThat(judge.result().isSound()).isTrue();
        assertThat(judge.result().notJudged())
                .singleElement()
                .asString()
                .startsWith("findandmodify-counter: lock-2 could not");

        judge.probed(lock, Outcome.STUCK);
        lock.record(1, new Event(0, System.nanoTime(), 0, Op.PROBE, Phase.FAIL, 0, 0, 0, 0, 0, 0, ""));
        assertThat(lock.cut())
                .singleElement()
                .satisfies(leak -> assertThat(judge.found(lock, leak)).isFalse());
        assertThat(judge.result().isSound()).isFalse();
        assertThat(judge.result().leaks())
                .containsExactly("findandmodify-counter: lock-2 cannot be acquired, and no client uses it");
        assertThat(judge.result().violations()).isZero();
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
    void peakAndShortLifeAreNoGrowth() {
        measure(HEAP, THREADS, 6);
        measure(10 * HEAP, 10 * THREADS, 2);
        measure(HEAP, THREADS, 1);
        usage.ended(1);
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
