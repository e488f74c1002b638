package org.mongolocks.contract.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spi.LockStrategy.CLAIM_TIME;
import static org.mongolocks.spi.LockStrategy.MAX_CLAIMS;
import static org.mongolocks.spi.LockStrategy.NOTIFIED_WAITERS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Observation;
import org.mongolocks.spi.AcquireContext.Waiter;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.ForeignFormatException;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Turn;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** The list of waiters in the lock document: what the server grants and stores, for each strategy that keeps one. */
@ParameterizedClass(name = "{0}")
@MethodSource("org.mongolocks.contract.Shipped#names")
class WaitingListTest {
    private static final EmbeddedPrograms SERVER = new EmbeddedPrograms();
    private static final LockName NAME = LockName.of("job");
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final long HOLDER = 1_000_000;
    private static final long NEWCOMER = 2_000_000;

    @Parameter
    private String name = "";

    private LockStrategy strategy = LockStrategies.named("flag-update");
    private long token;

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        strategy = LockStrategies.named(name);
        SERVER.clear();
    }

    @Test
    void waitersAreGrantedTheLockByTheirPositions() {
        heldWithWaiters(3);

        for (long next = 1; next <= 3; next++) {
            release(next == 1 ? HOLDER : next - 1);
            assertThat(isGranted(attempt(3 + 1, Entry.KEEP))).isFalse();
            assertThat(next == 3 || !isGranted(attempt(3, Entry.ADD))).isTrue();
            assertThat(isGranted(attempt(next, Entry.ADD))).as("waiter " + next).isTrue();
            assertThat(list("waiting"))
                    .isEqualTo(LongStream.rangeClosed(next + 1, 3).boxed().toList());
        }
    }

    @Test
    void aReplyShowsThePositionAndWhenTheWaiterIsGrantedTheLock() {
        heldWithWaiters(3);

        assertThat(turn(3))
                .hasValueSatisfying(turn -> assertThat(turn.position()).isEqualTo(2));
        if (showsTime()) {
            assertThat(turn(3)).hasValue(Turn.ofHeld(2, TTL));
        }
        release(HOLDER);
        SERVER.advance(Duration.ofMillis(100));
        if (showsTime()) {
            assertThat(turn(3)).hasValue(new Turn(2, Duration.ofMillis(400), Duration.ofMillis(100)));
        }
        assertThat(turn(9)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 12})
    @Tag("finds:dead-waiters-add-up")
    void anAttemptOfNoWaiterIsGrantedAFreeLockAfterTheClaimsOfAllAndPassesThem(int waiters) {
        heldWithWaiters(waiters);
        release(HOLDER);

        SERVER.advance(CLAIM_TIME.multipliedBy(Math.min(waiters, MAX_CLAIMS)).minus(MILLISECOND));
        for (LastKnownState seen : LastKnownState.values()) {
            LockOutcome outcome = attemptOfNoWaiter(NEWCOMER, seen);
            assertThat(outcome).as(seen.toString()).isInstanceOfSatisfying(LockOutcome.Contended.class, contended -> {
                assertThat(contended.lock().holder()).isEmpty();
                assertThat(contended.lock().waiters()).isBetween(Math.min(waiters, NOTIFIED_WAITERS), waiters);
            });
        }
        SERVER.advance(MILLISECOND);
        assertThat(isGranted(attemptOfNoWaiter(NEWCOMER, LastKnownState.HELD))).isTrue();
        assertThat(stored()).doesNotContainKeys("waiting", "next", "turn");
        assertThat(list("passed")).hasSize(Math.min(waiters, MAX_CLAIMS));
    }

    /** A release may have deleted the document; a caller that does not wait may come before the next command. */
    @Test
    @Tag("finds:waiter-not-registered")
    void theFirstCommandOfAWaiterThatSawTheLockHeldAcquiresItOrJoinsTheList() {
        assertThat(isGranted(attemptOfNoWaiter(HOLDER, LastKnownState.UNKNOWN))).isTrue();
        release(HOLDER);
        Waiter waiter = new Waiter(1, Entry.ADD);

        SERVER.run(
                firstCommand(strategy.acquire(context(1, LastKnownState.HELD, Optional.empty(), Optional.of(waiter)))));

        for (LastKnownState seen : LastKnownState.values()) {
            assertThat(isGranted(attemptOfNoWaiter(NEWCOMER, seen)))
                    .as(seen.toString())
                    .isFalse();
        }
        assertThat(isGranted(attempt(1, Entry.ADD))).isTrue();
        assertThat(stored()).doesNotContainKeys("waiting", "next", "turn", "passed");
    }

    private static Step<Reply> firstCommand(Step<LockOutcome> program) {
        return Step.call(((Step.Call<LockOutcome>) program).op(), Step::done);
    }

    @Test
    @Tag("finds:late-head-goes-last")
    void aWaiterThatWasPassedKeepsItsPlace() {
        heldWithWaiters(3);
        release(HOLDER);
        SERVER.advance(CLAIM_TIME);
        assertThat(isGranted(attempt(2, Entry.ADD))).isTrue();
        assertThat(list("passed")).containsExactly(1L);
        assertThat(SERVER.run(strategy.look(NAME, 1)).orElseThrow().turn()).isEmpty();

        assertThat(turnIn(attempt(1, Entry.ADD)).map(Turn::position)).contains(0);
        assertThat(list("waiting")).containsExactly(1L, 3L);
        release(2);
        assertThat(isGranted(attempt(3, Entry.ADD))).isFalse();
        assertThat(isGranted(attempt(1, Entry.ADD))).isTrue();
        assertThat(stored()).doesNotContainKey("passed");
    }

    @Test
    @Tag("finds:late-head-costs-each-grant")
    void aWaiterThatIsPassedAgainAfterItCameBackJoinsAtTheEnd() {
        heldWithWaiters(4);
        release(HOLDER);
        SERVER.advance(CLAIM_TIME);
        assertThat(isGranted(attempt(2, Entry.ADD))).isTrue();
        attempt(1, Entry.ADD);
        assertThat(list("waiting")).containsExactly(1L, 3L, 4L);

        release(2);
        SERVER.advance(CLAIM_TIME);
        assertThat(isGranted(attempt(3, Entry.ADD))).isTrue();
        assertThat(stored()).doesNotContainKey("passed");
        attempt(1, Entry.ADD);

        assertThat(list("waiting")).containsExactly(4L, 1L);
    }

    @Test
    @Tag("finds:late-head-goes-last")
    void aWaiterThatWasPassedIsGrantedAFreeLockAtOnce() {
        heldWithWaiters(3);
        release(HOLDER);
        SERVER.advance(CLAIM_TIME);
        assertThat(isGranted(attempt(2, Entry.ADD))).isTrue();
        release(2);

        assertThat(isGranted(attempt(1, Entry.ADD))).isTrue();
        assertThat(list("waiting")).containsExactly(3L);
        assertThat(stored()).doesNotContainKey("passed");
    }

    @Test
    void waitersThatWerePassedKeepTheirOrder() {
        for (long first = 1; first <= 2; first++) {
            SERVER.clear();
            heldWithWaiters(4);
            release(HOLDER);
            SERVER.advance(CLAIM_TIME.multipliedBy(2));
            assertThat(isGranted(attempt(3, Entry.ADD))).isTrue();
            assertThat(list("passed")).containsExactly(1L, 2L);

            attempt(first, Entry.ADD);
            attempt(3 - first, Entry.ADD);

            assertThat(list("waiting")).containsExactly(1L, 2L, 4L);
            assertThat(list("next")).containsExactly(1L, 2L, 4L);
        }
    }

    @Test
    void aWaiterThatWasPassedCostsNoTimeAgainAndMayLeave() {
        heldWithWaiters(3);
        release(HOLDER);
        SERVER.advance(CLAIM_TIME);
        assertThat(isGranted(attempt(2, Entry.ADD))).isTrue();
        release(2);
        assertThat(isGranted(attempt(3, Entry.ADD))).isTrue();
        assertThat(list("passed")).containsExactly(1L);

        assertThat(SERVER.run(strategy.unregister(NAME, 1))).isTrue();
        assertThat(stored()).doesNotContainKeys("waiting", "passed");
        release(3);
    }

    @Test
    void aWaiterThatClaimsNothingIsPassedByTheNextGrant() {
        heldWithWaiters(3);
        release(HOLDER);

        SERVER.advance(CLAIM_TIME.minus(MILLISECOND));
        assertThat(isGranted(attempt(2, Entry.ADD))).isFalse();
        SERVER.advance(MILLISECOND);
        assertThat(isGranted(attempt(2, Entry.ADD))).isTrue();
        assertThat(list("waiting")).containsExactly(3L);
        assertThat(list("next")).containsExactly(3L);
    }

    @Test
    void aLeaseThatEndsIsFollowedByTheFirstWaiterAtOnceAndByTheSecondAfterAClaim() {
        heldWithWaiters(2);
        LockSnapshot seen = SERVER.run(strategy.inspect(NAME)).orElseThrow();
        Optional<Observation> unchanged = Optional.of(new Observation(seen, TTL.multipliedBy(2)));

        SERVER.advance(TTL.plus(CLAIM_TIME).minus(MILLISECOND));
        assertThat(isGranted(attempt(2, Entry.ADD, unchanged))).isFalse();
        SERVER.advance(MILLISECOND);
        assertThat(isGranted(attempt(2, Entry.ADD, unchanged))).isTrue();

        heldAgainWithWaiter(3);
        LockSnapshot again = SERVER.run(strategy.inspect(NAME)).orElseThrow();
        SERVER.advance(TTL);
        assertThat(isGranted(attempt(3, Entry.ADD, Optional.of(new Observation(again, TTL.multipliedBy(2))))))
                .isTrue();
    }

    @Test
    void anEntryIsAddedOnceKeptOrRemoved() {
        heldWithWaiters(2);

        assertUnchanged(() -> attempt(2, Entry.ADD));
        assertUnchanged(() -> attempt(1, Entry.KEEP));
        assertUnchanged(() -> attempt(7, Entry.KEEP));
        assertUnchanged(() -> attempt(7, Entry.REMOVE));
        attempt(1, Entry.REMOVE);
        assertThat(list("waiting")).containsExactly(2L);
        assertThat(list("next")).containsExactly(2L);
        attempt(2, Entry.REMOVE);
        assertThat(stored()).doesNotContainKeys("waiting", "next", "turn");
    }

    @ParameterizedTest
    @EnumSource
    void anAttemptThatChangesNothingWritesNothing(LastKnownState seen) {
        heldWithWaiters(2);
        assertUnchanged(() -> assertThat(remainingIn(attemptOfNoWaiter(NEWCOMER, seen)))
                .hasValueSatisfying(
                        remaining -> assertThat(remaining).isBetween(TTL.dividedBy(2), TTL.plus(TTL.dividedBy(10)))));

        release(HOLDER);
        assertUnchanged(() -> attemptOfNoWaiter(NEWCOMER, seen));
        assertUnchanged(() -> attempt(2, Entry.ADD));
    }

    @Test
    @Tag("finds:give-up-unreported")
    void aWaiterThatLeavesLetsTheNextOneBeNotified() {
        heldWithWaiters(6);

        assertThat(SERVER.run(strategy.unregister(NAME, 2))).isTrue();
        assertThat(list("next")).containsExactly(1L, 3L, 4L, 5L);
        release(HOLDER);
        assertThat(list("turn")).containsExactly(1L, 3L, 4L, 5L);
        assertThat(SERVER.run(strategy.unregister(NAME, 1))).isTrue();
        assertThat(list("turn")).containsExactly(3L, 4L, 5L, 6L);
        assertUnchanged(() -> SERVER.run(strategy.unregister(NAME, 1)));
        LongStream.rangeClosed(3, 6).forEach(number -> SERVER.run(strategy.unregister(NAME, number)));
        assertThat(stored()).doesNotContainKeys("waiting", "next", "turn");
    }

    @Test
    void aReleaseOfAnyKindMakesTheNextWaitersThoseInTurn() {
        heldWithWaiters(5);
        SERVER.run(strategy.releaseAfter(lease(HOLDER)));
        assertThat(stored()).doesNotContainKey("next").containsKey("owner");
        assertThat(list("turn")).containsExactly(1L, 2L, 3L, 4L);

        SERVER.clear();
        heldWithWaiters(5);
        SERVER.run(strategy.forceRelease(SERVER.run(strategy.inspect(NAME)).orElseThrow()));
        assertFreeWithTurn(1, 2, 3, 4);

        SERVER.clear();
        heldWithWaiters(5);
        SERVER.run(strategy.raiseTokens(LockQuery.all(), Long.MAX_VALUE / 2));
        assertFreeWithTurn(1, 2, 3, 4);

        SERVER.clear();
        heldWithWaiters(5);
        release(HOLDER);
        assertFreeWithTurn(1, 2, 3, 4);
    }

    @Test
    void aClockThatIsSetBackBlocksNoWaiter() {
        heldWithWaiters(2);
        release(HOLDER);

        SERVER.advance(Duration.ofHours(-1));
        assertThat(isGranted(attempt(2, Entry.ADD))).isTrue();
        SERVER.advance(Duration.ofHours(1));
    }

    @Test
    void aListHasAtMostAThousandWaiters() {
        heldWithWaiters(1);
        BsonArray numbers = new BsonArray(
                LongStream.rangeClosed(1, 1_000).mapToObj(BsonInt64::new).toList());
        BsonArray first = new BsonArray(numbers.subList(0, NOTIFIED_WAITERS));
        SERVER.collection(LockSchema.LOCKS)
                .updateOne(
                        new BsonDocument(),
                        new BsonDocument("$set", new BsonDocument("waiting", numbers).append("next", first)));

        assertUnchanged(() -> assertThat(turnIn(attempt(1_001, Entry.ADD))).isEmpty());
        attempt(1_000, Entry.REMOVE);
        assertThat(turnIn(attempt(1_001, Entry.ADD)))
                .hasValueSatisfying(turn -> assertThat(turn.position()).isEqualTo(999));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{waiting: [1, 2], next: [1], turn: 'x'}",
                "{waiting: {a: 1}, next: {$minKey: 1}, turn: null, owner: 'other'}",
                "{waiting: [{a: [1]}], turn: [[]], releasedAt: 'today', renewedAt: {}, leaseMs: 'long'}",
                "{waiting: 7, next: 'x', forcedAt: {$date: 0}, rev: {}, version: 'x', locked: false}",
            })
    void aDocumentOfAnotherFormatIsNeverChanged(String fields) {
        BsonDocument foreign = new BsonDocument("_id", new BsonString(NAME.value()));
        foreign.putAll(BsonDocument.parse(fields));
        foreign.append("format", new BsonString("foreign/3"));
        SERVER.collection(LockSchema.LOCKS).insertOne(foreign);

        for (LastKnownState seen : LastKnownState.values()) {
            for (Entry entry : Entry.values()) {
                assertRefused(strategy.acquire(context(1, seen, Optional.empty(), Optional.of(new Waiter(1, entry)))));
            }
            assertRefused(strategy.acquire(context(1, seen, Optional.empty(), Optional.empty())));
        }
        SERVER.run(strategy.unregister(NAME, 1));
        SERVER.run(strategy.release(NAME, owner(1), OptionalLong.empty()));
        SERVER.run(strategy.raiseTokens(LockQuery.all(), 100));
        assertRefused(strategy.look(NAME, 1));

        assertThat(stored().toJson()).isEqualTo(foreign.toJson());
    }

    /** After each operation: {@code next} while an owner is stored, {@code turn} while none is. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theFirstWaitersAreStoredAsNextOrTurn(long seed) {
        Random random = new Random(seed);
        List<String> done = new ArrayList<>();
        for (int step = 0; step < 150; step++) {
            long number = 1L + random.nextInt(7);
            BsonDocument before = stored();
            switch (random.nextInt(7)) {
                case 0, 1 -> {
                    done.add("add " + number);
                    attempt(number, Entry.ADD);
                }
                case 2 -> {
                    done.add("keep or remove " + number);
                    attempt(number, random.nextBoolean() ? Entry.KEEP : Entry.REMOVE);
                }
                case 3 -> {
                    done.add("unregister " + number);
                    SERVER.run(strategy.unregister(NAME, number));
                }
                case 4 -> {
                    done.add("attempt of no waiter");
                    LastKnownState[] states = LastKnownState.values();
                    attemptOfNoWaiter(HOLDER, states[random.nextInt(states.length)]);
                }
                case 5 -> {
                    done.add("advance");
                    SERVER.advance(Duration.ofMillis(random.nextInt(600)));
                }
                default -> {
                    done.add("release");
                    if (before.containsKey("owner")) {
                        SERVER.run(strategy.release(
                                NAME,
                                ownerOf(before),
                                OptionalLong.of(before.getInt64("fence").getValue())));
                    }
                }
            }
            assertFieldsFollowFromTheList("seed " + seed + ", " + done);
        }
    }

    private void assertFieldsFollowFromTheList(String run) {
        BsonDocument stored = stored();
        List<Long> first = list("waiting").stream().limit(NOTIFIED_WAITERS).toList();
        boolean isHeld = stored.containsKey("owner");
        assertThat(list("waiting")).as(run).doesNotHaveDuplicates();
        assertThat(stored.containsKey("waiting")).as(run).isEqualTo(!first.isEmpty());
        assertThat(stored.containsKey("next")).as(run).isEqualTo(isHeld && !first.isEmpty());
        assertThat(stored.containsKey("turn")).as(run).isEqualTo(!isHeld && !first.isEmpty());
        assertThat(list(isHeld ? "next" : "turn")).as(run).isEqualTo(first);
    }

    private void heldWithWaiters(int count) {
        assertThat(isGranted(attemptOfNoWaiter(HOLDER, LastKnownState.UNKNOWN))).isTrue();
        LongStream.rangeClosed(1, count).forEach(number -> attempt(number, Entry.ADD));
        assertThat(list("waiting"))
                .isEqualTo(LongStream.rangeClosed(1, count).boxed().toList());
    }

    private void heldAgainWithWaiter(long number) {
        attempt(number, Entry.ADD);
        assertThat(list("waiting")).containsExactly(number);
    }

    private void assertFreeWithTurn(long... numbers) {
        assertThat(stored()).doesNotContainKeys("owner", "next");
        assertThat(list("turn")).isEqualTo(LongStream.of(numbers).boxed().toList());
    }

    private static void assertUnchanged(Runnable action) {
        String before = stored().toJson();
        long writes = SERVER.writes();

        action.run();

        assertThat(stored().toJson()).isEqualTo(before);
        assertThat(SERVER.writes()).isEqualTo(writes);
    }

    private static <R> void assertRefused(Step<R> program) {
        Step<Object> refusal = program.then(
                done -> Step.done(done),
                failure -> Step.done(failure.cause() instanceof ForeignFormatException ? "refused" : failure));

        assertThat(SERVER.run(refusal)).isEqualTo("refused");
    }

    private LockOutcome attempt(long number, Entry entry) {
        return attempt(number, entry, Optional.empty());
    }

    private LockOutcome attempt(long number, Entry entry, Optional<Observation> previous) {
        return run(context(number, LastKnownState.HELD, previous, Optional.of(new Waiter(number, entry))));
    }

    private LockOutcome attemptOfNoWaiter(long number, LastKnownState seen) {
        return run(context(number, seen, Optional.empty(), Optional.empty()));
    }

    private LockOutcome run(AcquireContext context) {
        LockOutcome outcome = SERVER.run(strategy.acquire(context));
        if (outcome instanceof LockOutcome.Acquired acquired) {
            token = acquired.lease().fencingToken();
        }
        return outcome;
    }

    private static AcquireContext context(
            long number, LastKnownState seen, Optional<Observation> previous, Optional<Waiter> waiter) {
        return AcquireContext.of(NAME, owner(number), TTL, number)
                .previous(previous)
                .lastSeen(seen)
                .waiter(waiter);
    }

    private void release(long number) {
        assertThat(SERVER.run(strategy.release(NAME, owner(number), OptionalLong.of(token))))
                .isTrue();
    }

    private Lease lease(long number) {
        return new Lease(NAME, owner(number), token, TTL, TTL.toNanos());
    }

    /** A look shows the same position as an attempt. */
    private Optional<Turn> turn(long number) {
        Optional<Turn> inAttempt = turnIn(attempt(number, Entry.KEEP));
        assertThat(SERVER.run(strategy.look(NAME, number)).orElseThrow().turn().map(Turn::position))
                .isEqualTo(inAttempt.map(Turn::position));
        return inAttempt;
    }

    private static Optional<Turn> turnIn(LockOutcome outcome) {
        return ((LockOutcome.Contended) outcome).turn();
    }

    private static Optional<Duration> remainingIn(LockOutcome outcome) {
        return ((LockOutcome.Contended) outcome).lock().remaining();
    }

    private boolean showsTime() {
        return !name.equals("optimistic-version-clock-free");
    }

    private static boolean isGranted(LockOutcome outcome) {
        return outcome instanceof LockOutcome.Acquired;
    }

    private static Owner owner(long number) {
        return new Owner("client-" + number, new UUID(0, number));
    }

    private static Owner ownerOf(BsonDocument stored) {
        String text = stored.getString("owner").getValue();
        return owner(Long.parseLong(text.substring("client-".length(), text.indexOf('/'))));
    }

    private static BsonDocument stored() {
        return SERVER.stored(NAME);
    }

    private static List<Long> list(String field) {
        BsonValue numbers = stored().get(field);
        return numbers == null
                ? List.of()
                : numbers.asArray().stream()
                        .map(number -> number.asNumber().longValue())
                        .toList();
    }
}
