package org.mongolocks.strategy.flagupdate;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.foundWithTime;
import static org.mongolocks.protocol.Replies.none;

import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.LockStrategy.LockOutcome;

class FlagUpdateAcquireTest {
    private static final String SET_FLAG = "flag-update/set-flag";
    private static final String READ = "flag-update/read";
    private static final String ACQUIRE_OR_EXTEND = "flag-update/acquire-or-extend";

    private final FlagUpdateStrategy strategy = new FlagUpdateStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("flag-update/1", "rev");
    private final ProtocolScript<LockOutcome> attempt = ProtocolScript.of(strategy.acquire(firstAttempt()));

    @Test
    void unlockedOrMissingDocumentIsAcquiredByOneCommand() {
        attempt.sends(SET_FLAG, """
                {findAndModify: 'locks',
                 query: {_id: '$job', format: 'flag-update/1', locked: false},
                 update: [
                  {$set: {
                    owner: {$literal: 'me/00000000-0000-0000-0000-000000000001'},
                    holder: {$literal: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'}},
                    fence: {$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]},
                    acquiredAt: '$$NOW',
                    expiresAt: {$add: ['$$NOW', NumberLong(10000)]},
                    leaseMs: NumberLong(10000),
                    rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]},
                    locked: true}},
                  {$unset: ['releasedAt', 'forcedAt']}],
                 upsert: true}""").receives(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
    }

    @Test
    void lockThatWasSeenFreeIsAcquiredByItsFlag() {
        ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.FREE))).sends(SET_FLAG);
    }

    @Test
    void notifiedWaiterStartsWithAcquireOrExtend() {
        ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.NOTIFIED_FREE)))
                .sends(ACQUIRE_OR_EXTEND)
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void releasedLockThatWasSeenHeldIsAcquiredByItsFlag() {
        ProtocolScript<LockOutcome> read = ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.HELD)))
                .sends(READ);

        read.receives(foundWithTime(stored.released())).sends(SET_FLAG);
        read.receives(none()).sends(SET_FLAG);
        read.receives(foundWithTime(stored.expiredOf(OTHER))).sends(ACQUIRE_OR_EXTEND);
        read.receives(foundWithTime(stored.heldBy(ME)))
                .sends(ACQUIRE_OR_EXTEND)
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }
}
