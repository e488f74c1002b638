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
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockOutcome;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Reply;

class ClockFreeVersionAcquireTest {
    private static final String LOOK = "optimistic-version-clock-free/look";
    private static final String COMPARE_AND_SET = "optimistic-version-clock-free/compare-and-set";
    /** A lease of 10 s, 1 % and 10 ms. */
    private static final Duration WHOLE_WATCH = Duration.ofMillis(10_110);

    private final ClockFreeVersionStrategy strategy = new ClockFreeVersionStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("optimistic-version-clock-free/1", "version");
    private final BsonDocument theirs = withLease(42);
    private final ProtocolScript<LockOutcome> attempt = ProtocolScript.of(strategy.acquire(firstAttempt()));

    @Test
    void aLookIsAPlainFind() {
        attempt.asks(LOOK, "{find: 'locks', filter: {_id: '$job'}}");
    }

    @Test
    void anUnusedLockIsCreatedWithVersionOne() {
        attempt.gets(none())
                .asks(COMPARE_AND_SET, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/1', version: NumberLong(0)},
                         update: {
                          $set: {
                           owner: 'me/00000000-0000-0000-0000-000000000001',
                           holder: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'},
                           fence: NumberLong(1),
                           leaseMs: NumberLong(10000),
                           leaseId: NumberLong(11000000000)},
                          $inc: {version: NumberLong(1)},
                          $currentDate: {acquiredAt: true},
                          $unset: {expiresAt: true, releasedAt: true, forcedAt: true}},
                         upsert: true}""")
                .gets(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void aDocumentOfAnotherIsRefused() {
        attempt.gets(found(stored.foreign())).failsWith(stored.refusalOf(stored.foreign()));
        attempt.gets(found(stored.unmarked())).failsWith(stored.refusalOf(stored.unmarked()));
    }

    @Test
    void aReleasedLockIsTakenAtOnce() {
        attempt.gets(found(stored.released()))
                .asks(COMPARE_AND_SET)
                .gets(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void aHeldLockIsNeverTakenAtFirstSight() {
        attempt.gets(found(theirs)).endsWith(contendedFor(WHOLE_WATCH));
    }

    @Test
    void aLockThatStandsStillIsWatchedForWhatIsLeft() {
        again(theirs, Duration.ofSeconds(4)).gets(found(theirs)).endsWith(contendedFor(Duration.ofMillis(6_110)));
        again(theirs, WHOLE_WATCH.minusNanos(1)).gets(found(theirs)).endsWith(contendedFor(Duration.ofNanos(1)));
    }

    @Test
    void aLockThatHasStoodStillForAWholeWatchIsTaken() {
        again(theirs, WHOLE_WATCH)
                .gets(found(theirs))
                .asks(COMPARE_AND_SET, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/1', version: NumberLong(5), owner: '%s',
                          leaseId: NumberLong(42)},
                         update: {
                          $set: {
                           owner: 'me/00000000-0000-0000-0000-000000000001',
                           holder: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'},
                           fence: NumberLong(6),
                           leaseMs: NumberLong(10000),
                           leaseId: NumberLong(11000000000)},
                          $inc: {version: NumberLong(1)},
                          $currentDate: {acquiredAt: true},
                          $unset: {expiresAt: true, releasedAt: true, forcedAt: true}}}""".formatted(OTHER.stored()))
                .gets(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void aRenewalInTheMeantimeBeginsTheWatchAnew() {
        BsonDocument before = theirs.clone().append("version", new BsonInt64(4));

        again(before, WHOLE_WATCH).gets(found(theirs)).endsWith(contendedFor(WHOLE_WATCH));
    }

    @Test
    void anotherHolderAtTheSameVersionBeginsTheWatchAnew() {
        again(stored.released(), WHOLE_WATCH).gets(found(theirs)).endsWith(contendedFor(WHOLE_WATCH));
    }

    /** An election undid the first reading, and the holder has retried since: same version, another lease. */
    @Test
    void aLaterLeaseOfTheSameHolderAtTheSameVersionBeginsTheWatchAnew() {
        again(withLease(41), WHOLE_WATCH).gets(found(theirs)).endsWith(contendedFor(WHOLE_WATCH));
    }

    @Test
    void aTakeoverThatCameTooLateBeginsTheWatchAnew() {
        BsonDocument renewed = theirs.clone().append("version", new BsonInt64(6));
        LockOutcome.Contended contended =
                new LockOutcome.Contended(ObservedExpiry.withRemaining(stored.read(renewed), WHOLE_WATCH));

        again(theirs, WHOLE_WATCH)
                .gets(found(theirs))
                .gets(none())
                .asks(LOOK)
                .gets(found(renewed))
                .endsWith(contended);
    }

    @Test
    void myGrantWhoseReplyWasLostIsConfirmedByAWrite() {
        attempt.gets(found(stored.heldBy(ME)))
                .asks("optimistic-version-clock-free/keep", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: {$set: {leaseMs: NumberLong(10000),
                           leaseId: NumberLong(11000000000)}, $inc: {version: NumberLong(1)}}}""")
                .gets(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void aWatchToleratesClocksThatDifferByOnePercent() {
        assertThat(ObservedExpiry.watchOf(Duration.ofSeconds(100))).isEqualTo(Duration.ofMillis(101_010));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DUPLICATE_KEY")
    void everyFaultEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        attempt.gets(failure).failsWith(failure);
        attempt.gets(none()).gets(failure).failsWith(failure);
    }

    private ProtocolScript<LockOutcome> again(BsonDocument before, Duration unchangedFor) {
        return ProtocolScript.of(strategy.acquire(ProtocolFixture.nextAttempt(stored.read(before), unchangedFor)));
    }

    private LockOutcome contendedFor(Duration left) {
        return new LockOutcome.Contended(ObservedExpiry.withRemaining(stored.read(theirs), left));
    }

    private BsonDocument withLease(long id) {
        BsonDocument document = stored.heldBy(OTHER).append("leaseId", new BsonInt64(id));
        document.remove("expiresAt");
        return document;
    }
}
