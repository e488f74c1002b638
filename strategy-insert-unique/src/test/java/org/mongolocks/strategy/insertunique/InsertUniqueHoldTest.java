package org.mongolocks.strategy.insertunique;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.lease;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.protocol.Replies.seen;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.Renewal;

class InsertUniqueHoldTest {
    private final InsertUniqueStrategy strategy = new InsertUniqueStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("insert-unique/1", "rev");

    @Test
    void aRenewalNeedsTheOwnerAndTheTokenAndNeverMovesTheEndBack() {
        ProtocolScript.of(strategy.renew(lease(TOKEN)))
                .asks("insert-unique/renew", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'insert-unique/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: [
                          {$set: {
                            expiresAt: {$max: ['$expiresAt', {$add: ['$$NOW', NumberLong(10000)]}]},
                            leaseMs: NumberLong(10000),
                            rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['releasedAt', 'forcedAt']},
                          {$set: {purgeAt: {$add: ['$expiresAt', NumberLong(86400000)]}}}]}""")
                .gets(found(stored.heldBy(ME)))
                .endsWith(new Renewal.Renewed());
    }

    @Test
    void aLostLeaseIsExplainedByWhatIsThereNow() {
        ProtocolScript<Renewal> lost =
                ProtocolScript.of(strategy.renew(lease(TOKEN))).gets(none()).asks("insert-unique/why-lost", """
                        {find: 'locks', filter: {_id: '$job'}, projection: {
                          format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
                          rev: 1, now: '$$NOW'}}""");

        lost.gets(seen(stored.heldBy(OTHER))).endsWith(new Renewal.Lost(LossReason.TAKEN_OVER));
        lost.gets(seen(stored.forcedFree())).endsWith(new Renewal.Lost(LossReason.FORCED));
        lost.gets(none()).endsWith(new Renewal.Lost(LossReason.EXPIRED));
    }

    @Test
    void aReleaseNeedsTheOwnerAndTheTokenAndLeavesATombstone() {
        ProtocolScript<Boolean> release = ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.of(TOKEN)))
                .asks("insert-unique/release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'insert-unique/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: [
                          {$set: {
                            expiresAt: '$$NOW', releasedAt: '$$NOW',
                            rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['owner', 'holder']},
                          {$set: {purgeAt: {$add: ['$expiresAt', NumberLong(86400000)]}}}]}""");

        release.gets(found(stored.released())).endsWith(true);
        release.gets(none()).endsWith(false);
    }

    @Test
    void aReleaseWithoutATokenNeedsTheOwner() {
        ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.empty()))
                .asks("insert-unique/release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'insert-unique/1', owner: 'me/00000000-0000-0000-0000-000000000001'},
                         update: [
                          {$set: {
                            expiresAt: '$$NOW', releasedAt: '$$NOW',
                            rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['owner', 'holder']},
                          {$set: {purgeAt: {$add: ['$expiresAt', NumberLong(86400000)]}}}]}""")
                .gets(found(stored.released()))
                .endsWith(true);
    }

    @Test
    void aLookTellsTheHolderAndTheRemainingTime() {
        ProtocolScript<Optional<LockSnapshot>> look =
                ProtocolScript.of(strategy.inspect(NAME)).asks("insert-unique/inspect", """
                        {find: 'locks', filter: {_id: '$job'}, projection: {
                          format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
                          rev: 1, now: '$$NOW'}}""");

        look.gets(seen(stored.heldBy(OTHER))).endsWith(Optional.of(stored.lookedAt(stored.heldBy(OTHER))));
        look.gets(none()).endsWith(Optional.empty());
    }

    @Test
    void aForcedReleaseNeedsWhatTheOperatorSawAndMakesTheTokenLarger() {
        LockSnapshot held = stored.lookedAt(stored.heldBy(OTHER));
        ProtocolScript<Boolean> force =
                ProtocolScript.of(strategy.forceRelease(held)).asks("insert-unique/force-release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'insert-unique/1', rev: NumberLong(5), fence: NumberLong(7), owner: 'other/00000000-0000-0000-0000-000000000002'},
                         update: [
                          {$set: {
                            fence: {$max: [
                              {$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]},
                              {$toLong: '$$NOW'}]},
                            forcedAt: '$$NOW', expiresAt: '$$NOW', releasedAt: '$$NOW',
                            rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['owner', 'holder']},
                          {$set: {purgeAt: {$add: ['$expiresAt', NumberLong(86400000)]}}}]}""");

        force.gets(found(stored.forcedFree())).endsWith(true);
        force.gets(none()).endsWith(false);
    }
}
