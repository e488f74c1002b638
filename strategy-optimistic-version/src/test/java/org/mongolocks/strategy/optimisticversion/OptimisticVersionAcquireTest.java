package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.protocol.Replies.seen;

import java.time.Instant;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Reply;

class OptimisticVersionAcquireTest {
    private static final String LOOK = "optimistic-version/look";
    private static final String COMPARE_AND_SET = "optimistic-version/compare-and-set";
    private static final String KEEP = "optimistic-version/keep";

    private final LockDocumentFixtures stored = new LockDocumentFixtures("optimistic-version/1", "version");
    private final ProtocolScript<LockOutcome> attempt =
            ProtocolScript.of(new OptimisticVersionStrategy().acquire(firstAttempt()));
    private final ProtocolScript<LockOutcome> expired = attempt.gets(seen(stored.expiredOf(OTHER)));

    @Test
    void aLookAsksForTheServersTime() {
        attempt.asks(LOOK, """
                {find: 'locks', filter: {_id: '$job'}, projection: {
                  format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
                  version: 1, now: '$$NOW'}}""");
    }

    @Test
    void anUnusedLockIsCreatedWithVersionOne() {
        attempt.gets(none())
                .asks(COMPARE_AND_SET, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/1', version: NumberLong(0)},
                         update: [
                          {$set: {
                            owner: {$literal: 'me/00000000-0000-0000-0000-000000000001'},
                            holder: {$literal: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'}},
                            fence: NumberLong(1),
                            acquiredAt: '$$NOW',
                            expiresAt: {$add: ['$$NOW', NumberLong(10000)]},
                            leaseMs: NumberLong(10000),
                            version: {$add: [{$ifNull: ['$version', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['releasedAt', 'forcedAt']}],
                         upsert: true}""")
                .gets(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void anExpiredLockIsTakenAtTheVersionThatWasSeen() {
        expired.asks(COMPARE_AND_SET, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/1', version: NumberLong(5), owner: '%s',
                                 expiresAt: %s},
                         update: [
                          {$set: {
                            owner: {$literal: 'me/00000000-0000-0000-0000-000000000001'},
                            holder: {$literal: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'}},
                            fence: NumberLong(6),
                            acquiredAt: '$$NOW',
                            expiresAt: {$add: ['$$NOW', NumberLong(10000)]},
                            leaseMs: NumberLong(10000),
                            version: {$add: [{$ifNull: ['$version', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['releasedAt', 'forcedAt']}]}""".formatted(OTHER.stored(), date(stored.expiredOf(OTHER))))
                .gets(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    private static String date(BsonDocument lock) {
        return "{$date: '" + Instant.ofEpochMilli(lock.getDateTime("expiresAt").getValue()) + "'}";
    }

    @Test
    void aDocumentOfAnotherIsRefused() {
        attempt.gets(seen(stored.foreign())).failsWith(stored.refusalOf(stored.foreign()));
        attempt.gets(seen(stored.unmarked())).failsWith(stored.refusalOf(stored.unmarked()));
    }

    /** A deposed primary may show a lock as free that its successor has granted at the same version. */
    @Test
    void aReleasedLockIsTakenOnlyIfNobodyHasItAtThatVersion() {
        attempt.gets(seen(stored.released())).asks(COMPARE_AND_SET, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/1', version: NumberLong(5), owner: null},
                         update: [
                          {$set: {
                            owner: {$literal: 'me/00000000-0000-0000-0000-000000000001'},
                            holder: {$literal: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'}},
                            fence: NumberLong(6),
                            acquiredAt: '$$NOW',
                            expiresAt: {$add: ['$$NOW', NumberLong(10000)]},
                            leaseMs: NumberLong(10000),
                            version: {$add: [{$ifNull: ['$version', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['releasedAt', 'forcedAt']}]}""");
    }

    @Test
    void aReleasedLockIsTaken() {
        attempt.gets(seen(stored.released()))
                .asks(COMPARE_AND_SET)
                .gets(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void aHeldLockCostsNothingButTheLook() {
        BsonDocument theirs = stored.heldBy(OTHER);

        attempt.gets(seen(theirs)).endsWith(new LockOutcome.Contended(stored.lookedAt(theirs)));
    }

    @Test
    void aHolderOfTheClockFreeModeIsNotTakenForExpired() {
        BsonDocument theirs = stored.heldBy(OTHER);
        theirs.remove("expiresAt");

        attempt.gets(seen(theirs)).endsWith(new LockOutcome.Contended(stored.lookedAt(theirs)));
    }

    @Test
    void myGrantWhoseReplyWasLostIsConfirmedByAWrite() {
        attempt.gets(seen(stored.heldBy(ME)))
                .asks(KEEP, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: [
                          {$set: {
                            expiresAt: {$max: ['$expiresAt', {$add: ['$$NOW', NumberLong(10000)]}]},
                            leaseMs: NumberLong(10000),
                            version: {$add: [{$ifNull: ['$version', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['releasedAt', 'forcedAt']}]}""")
                .gets(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void myGrantThatIsGoneWhenItIsConfirmedIsLookedAtAgain() {
        attempt.gets(seen(stored.expiredOf(ME)))
                .asks(KEEP)
                .gets(none())
                .asks(LOOK)
                .gets(seen(stored.heldBy(OTHER)))
                .endsWith(new LockOutcome.Contended(stored.lookedAt(stored.heldBy(OTHER))));
    }

    @Test
    void aLostRaceIsRunAgainFromTheLook() {
        expired.gets(none()).asks(LOOK).gets(none()).asks(COMPARE_AND_SET);
        attempt.gets(none()).gets(failed(Fault.DUPLICATE_KEY)).asks(LOOK);
    }

    @Test
    void theThirdLostRaceIsContention() {
        ProtocolScript<LockOutcome> third = attempt.gets(none())
                .gets(failed(Fault.DUPLICATE_KEY))
                .gets(seen(stored.expiredOf(OTHER)))
                .gets(none())
                .asks(LOOK);
        LockSnapshot newest = stored.lookedAt(stored.released());

        third.gets(seen(stored.released())).gets(none()).endsWith(new LockOutcome.Contended(newest));
        third.gets(none())
                .gets(failed(Fault.DUPLICATE_KEY))
                .endsWith(new LockOutcome.Contended(LockSnapshot.unused(NAME)));
    }

    @ParameterizedTest
    @EnumSource
    void everyFaultOfTheLookEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        attempt.gets(failure).failsWith(failure);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DUPLICATE_KEY")
    void everyOtherFaultOfAWriteEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        expired.gets(failure).failsWith(failure);
        attempt.gets(seen(stored.heldBy(ME))).gets(failure).failsWith(failure);
    }
}
