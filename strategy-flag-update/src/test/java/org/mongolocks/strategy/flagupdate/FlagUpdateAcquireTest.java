package org.mongolocks.strategy.flagupdate;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.found;

import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.LockStrategy.LockOutcome;

class FlagUpdateAcquireTest {
    private static final String SET_FLAG = "flag-update/set-flag";

    private final FlagUpdateStrategy strategy = new FlagUpdateStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("flag-update/3", "rev");
    private final ProtocolScript<LockOutcome> attempt = ProtocolScript.of(strategy.acquire(firstAttempt()));

    @Test
    void unlockedOrMissingDocumentIsAcquiredByOneCommand() {
        attempt.sends(
                        SET_FLAG,
                        "{findAndModify: 'locks', query: {_id: '$job', format: 'flag-update/3', locked: false,"
                                + " waiting: {$exists: false}}, update: "
                                + stored.commands().created(stored.commands().nextRevision(), ", locked: true")
                                + ", upsert: true}")
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void lockThatWasSeenFreeIsAcquiredByItsFlag() {
        ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.FREE)))
                .sends("flag-update/acquire-released", """
                {findAndModify: 'locks',
                 query: {_id: '$job', format: 'flag-update/3', locked: false, waiting: {$exists: false}},
                 update: {
                  $set: {
                   owner: 'me/00000000-0000-0000-0000-000000000001',
                   holder: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'},
                   leaseMs: NumberLong(10000),
                   locked: true},
                  $inc: {fence: NumberLong(1), rev: NumberLong(1)},
                  $currentDate: {acquiredAt: true, renewedAt: true},
                  $unset: {forcedAt: true}}}""");
    }
}
