package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.lease;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.protocol.Replies.seen;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Reply;

class OptimisticVersionHoldTest {
    private final OptimisticVersionStrategy strategy = new OptimisticVersionStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("optimistic-version/1", "version");

    @Test
    void aRenewalNeedsTheOwnerAndTheTokenAndNeverMovesTheEndBack() {
        ProtocolScript.of(strategy.renew(lease(TOKEN)))
                .asks("optimistic-version/renew", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: [
                          {$set: {
                            expiresAt: {$max: ['$expiresAt', {$add: ['$$NOW', NumberLong(10000)]}]},
                            leaseMs: NumberLong(10000),
                            version: {$add: [{$ifNull: ['$version', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['releasedAt', 'forcedAt']}]}""")
                .gets(found(stored.heldBy(ME)))
                .endsWith(new Renewal.Renewed());
    }

    @Test
    void aLostLeaseIsExplainedByWhatIsThereNow() {
        ProtocolScript<Renewal> lost =
                ProtocolScript.of(strategy.renew(lease(TOKEN))).gets(none()).asks("optimistic-version/why-lost", """
                        {find: 'locks', filter: {_id: '$job'}, projection: {
                          format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
                          version: 1, now: '$$NOW'}}""");

        lost.gets(seen(stored.heldBy(OTHER))).endsWith(new Renewal.Lost(LossReason.TAKEN_OVER));
        lost.gets(seen(stored.forcedFree())).endsWith(new Renewal.Lost(LossReason.FORCED));
        lost.gets(none()).endsWith(new Renewal.Lost(LossReason.EXPIRED));
    }

    @Test
    void aReleaseNeedsTheOwnerAndTheTokenAndLeavesATombstone() {
        ProtocolScript<Boolean> release = ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.of(TOKEN)))
                .asks("optimistic-version/release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: [
                          {$set: {
                            expiresAt: '$$NOW', releasedAt: '$$NOW',
                            version: {$add: [{$ifNull: ['$version', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['owner', 'holder']}]}""");

        release.gets(found(stored.released())).endsWith(true);
        release.gets(none()).endsWith(false);
    }

    @Test
    void aReleaseWithoutATokenNeedsTheOwner() {
        ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.empty()))
                .asks("optimistic-version/release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/1', owner: 'me/00000000-0000-0000-0000-000000000001'},
                         update: [
                          {$set: {
                            expiresAt: '$$NOW', releasedAt: '$$NOW',
                            version: {$add: [{$ifNull: ['$version', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['owner', 'holder']}]}""")
                .gets(found(stored.released()))
                .endsWith(true);
    }

    @Test
    void aLookTellsTheHolderAndTheRemainingTime() {
        ProtocolScript<Optional<LockSnapshot>> look =
                ProtocolScript.of(strategy.inspect(NAME)).asks("optimistic-version/inspect", """
                        {find: 'locks', filter: {_id: '$job'}, projection: {
                          format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
                          version: 1, now: '$$NOW'}}""");

        look.gets(seen(stored.heldBy(OTHER))).endsWith(Optional.of(stored.lookedAt(stored.heldBy(OTHER))));
        look.gets(none()).endsWith(Optional.empty());
    }

    @Test
    void aForcedReleaseNeedsWhatTheOperatorSawAndMakesTheTokenLarger() {
        LockSnapshot held = stored.lookedAt(stored.heldBy(OTHER));
        ProtocolScript<Boolean> force =
                ProtocolScript.of(strategy.forceRelease(held)).asks("optimistic-version/force-release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/1', version: NumberLong(5), fence: NumberLong(7), owner: 'other/00000000-0000-0000-0000-000000000002'},
                         update: [
                          {$set: {
                            fence: {$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]},
                            forcedAt: '$$NOW', expiresAt: '$$NOW', releasedAt: '$$NOW',
                            version: {$add: [{$ifNull: ['$version', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['owner', 'holder']}]}""");

        force.gets(found(stored.forcedFree())).endsWith(true);
        force.gets(none()).endsWith(false);
    }

    /** Renewals have raised the version above the least token. */
    @Test
    void tokensBelowTheFloorAreRaisedWhateverTheirVersionsAre() {
        BsonDocument renewed = stored.heldBy(OTHER).append("version", new BsonInt64(140));

        ProtocolScript.of(strategy.raiseTokens(LockQuery.all(), 20))
                .asks("optimistic-version/list")
                .gets(new Reply.FoundMany(List.of(renewed)))
                .asks("optimistic-version/raise-tokens", """
                        {update: 'locks', updates: [
                         {query: {_id: '$job', format: 'optimistic-version/1', fence: {$lt: NumberLong(20)}},
                          update: {
                           $set: {fence: NumberLong(20)},
                           $inc: {version: NumberLong(20)},
                           $currentDate: {releasedAt: true, forcedAt: true},
                           $unset: {owner: true, holder: true, leaseId: true, expiresAt: true}}}]}""")
                .gets(counted(1))
                .endsWith(1L);
    }

    @Test
    void tokensThatAreNotBelowTheFloorStay() {
        ProtocolScript.of(strategy.raiseTokens(LockQuery.all(), TOKEN))
                .asks("optimistic-version/list")
                .gets(new Reply.FoundMany(List.of(stored.heldBy(OTHER))))
                .endsWith(0L);
    }
}
