package org.mongolocks.strategy.optimisticversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

class ClockFreeVersionAcquireTest {
    private static final String READ = "optimistic-version-clock-free/read";
    private static final String COMPARE_AND_SET = "optimistic-version-clock-free/compare-and-set";
    /** A lease of 10 s, 1 % and 10 ms. */
    private static final Duration UNCHANGED_TIME = Duration.ofMillis(10_110);

    private final ClockFreeVersionStrategy strategy = new ClockFreeVersionStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("optimistic-version-clock-free/3", "version");
    private final BsonDocument theirs = withLease(42);
    private final ProtocolScript<LockOutcome> attempt = ProtocolScript.of(strategy.acquire(firstAttempt()));

    @Test
    void readIsPlainFind() {
        attempt.sends(READ, "{find: 'locks', filter: {_id: '$job'}}");
    }

    @Test
    void unusedLockIsCreatedWithVersionOne() {
        attempt.receives(none())
                .sends(COMPARE_AND_SET, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/3', version: NumberLong(0)},
                         update: {
                          $set: {
                           owner: 'me/00000000-0000-0000-0000-000000000001',
                           holder: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'},
                           leaseMs: NumberLong(10000),
                           fence: NumberLong(1),
                           leaseId: NumberLong(1000000000)},
                          $inc: {version: NumberLong(1)},
                          $currentDate: {acquiredAt: true, renewedAt: true},
                          $unset: {forcedAt: true}},
                         upsert: true}""")
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void foreignDocumentIsRefused() {
        attempt.receives(found(stored.foreign())).failsWith(stored.refusalOf(stored.foreign()));
        attempt.receives(found(stored.unmarked())).failsWith(stored.refusalOf(stored.unmarked()));
    }

    @Test
    void releasedLockIsAcquiredAtOnce() {
        attempt.receives(found(stored.released()))
                .sends(COMPARE_AND_SET)
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void heldLockIsNeverTakenOverByFirstObservation() {
        attempt.receives(found(theirs)).endsWith(contendedFor(UNCHANGED_TIME));
    }

    @Test
    void unchangedLockIsContendedForTheRemainingTime() {
        again(theirs, Duration.ofSeconds(4)).receives(found(theirs)).endsWith(contendedFor(Duration.ofMillis(6_110)));
        again(theirs, UNCHANGED_TIME.minusNanos(1)).receives(found(theirs)).endsWith(contendedFor(Duration.ofNanos(1)));
    }

    @Test
    void lockUnchangedForLongEnoughIsTakenOver() {
        again(theirs, UNCHANGED_TIME)
                .receives(found(theirs))
                .sends(COMPARE_AND_SET, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/3', version: NumberLong(5), owner: '%s',
                          leaseId: NumberLong(42), waiting: {$exists: false}},
                         update: {
                          $set: {
                           owner: 'me/00000000-0000-0000-0000-000000000001',
                           holder: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'},
                           leaseMs: NumberLong(10000),
                           fence: NumberLong(6),
                           leaseId: NumberLong(1000000000)},
                          $inc: {version: NumberLong(1)},
                          $currentDate: {acquiredAt: true, renewedAt: true},
                          $unset: {forcedAt: true}}}""".formatted(OTHER.stored()))
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void renewalRestartsTheObservation() {
        BsonDocument before = theirs.clone().append("version", new BsonInt64(4));

        again(before, UNCHANGED_TIME).receives(found(theirs)).endsWith(contendedFor(UNCHANGED_TIME));
    }

    @Test
    void anotherHolderAtTheSameVersionRestartsTheObservation() {
        again(stored.released(), UNCHANGED_TIME).receives(found(theirs)).endsWith(contendedFor(UNCHANGED_TIME));
    }

    /** An election undid the first reading, and the holder has retried since: same version, another lease. */
    @Test
    @Tag("finds:clock-free-granted-twice")
    void laterLeaseOfSameHolderAtSameVersionRestartsTheObservation() {
        again(withLease(41), UNCHANGED_TIME).receives(found(theirs)).endsWith(contendedFor(UNCHANGED_TIME));
    }

    @Test
    void takeoverThatLostTheRaceRestartsTheObservation() {
        BsonDocument renewed = theirs.clone().append("version", new BsonInt64(6));
        LockOutcome.Contended contended =
                new LockOutcome.Contended(ClockFreeVersionStrategy.withRemaining(stored.read(renewed), UNCHANGED_TIME));

        again(theirs, UNCHANGED_TIME)
                .receives(found(theirs))
                .receives(none())
                .sends(READ)
                .receives(found(renewed))
                .endsWith(contended);
    }

    /** By its observation: the waiter that comes first needs no time. */
    @Test
    void waiterTakesOverALockThatWasUnchangedForLongEnough() {
        BsonDocument awaited = theirs.clone()
                .append("waiting", new BsonArray(List.of(new BsonInt64(ProtocolFixture.WAITER))))
                .append("next", new BsonArray(List.of(new BsonInt64(ProtocolFixture.WAITER))));
        AcquireContext waiting = AcquireContext.of(
                        ProtocolFixture.NAME,
                        ME,
                        ProtocolFixture.TTL,
                        firstAttempt().startedNanos())
                .previous(Optional.of(new AcquireContext.Observation(stored.read(awaited), UNCHANGED_TIME)))
                .lastSeen(LastKnownState.HELD)
                .holderInfo(ProtocolFixture.HOLDER)
                .waiter(ProtocolFixture.attemptOfWaiter(Entry.ADD).waiter());

        ProtocolScript.of(strategy.acquire(waiting))
                .sends("optimistic-version-clock-free/register")
                .receives(found(awaited))
                .sends(COMPARE_AND_SET)
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void ownGrantAfterLostReplyIsConfirmedByWrite() {
        attempt.receives(found(stored.heldBy(ME)))
                .sends("optimistic-version-clock-free/extend", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/3', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: {$set: {leaseId: NumberLong(1000000000)}, $max: {leaseMs: NumberLong(10000)}, $inc: {version: NumberLong(1)}, $currentDate: {renewedAt: true}}}""")
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void observationToleratesClockRatesThatDifferByOnePercent() {
        assertThat(ClockFreeVersionStrategy.unchangedTimeOf(Duration.ofSeconds(100)))
                .isEqualTo(Duration.ofMillis(101_010));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DUPLICATE_KEY")
    void uninterpretedFaultEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        attempt.receives(failure).failsWith(failure);
        attempt.receives(none()).receives(failure).failsWith(failure);
    }

    private ProtocolScript<LockOutcome> again(BsonDocument before, Duration unchangedFor) {
        return ProtocolScript.of(strategy.acquire(ProtocolFixture.nextAttempt(stored.read(before), unchangedFor)));
    }

    private LockOutcome contendedFor(Duration left) {
        return new LockOutcome.Contended(ClockFreeVersionStrategy.withRemaining(stored.read(theirs), left));
    }

    private BsonDocument withLease(long id) {
        BsonDocument document = stored.heldBy(OTHER).append("leaseId", new BsonInt64(id));
        document.remove("renewedAt");
        return document;
    }
}
