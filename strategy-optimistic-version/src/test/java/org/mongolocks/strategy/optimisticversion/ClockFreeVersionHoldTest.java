package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.lease;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;

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

class ClockFreeVersionHoldTest {
    private static final String NAME_OF_STRATEGY = "optimistic-version-clock-free";
    private static final String LOOK = "{find: 'locks', filter: {_id: '$job'}}";

    private final ClockFreeVersionStrategy strategy = new ClockFreeVersionStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("optimistic-version-clock-free/1", "version");

    @Test
    void aRenewalNeedsTheOwnerAndTheTokenAndMovesTheVersion() {
        ProtocolScript.of(strategy.renew(lease(TOKEN)))
                .asks(NAME_OF_STRATEGY + "/renew", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: {$set: {leaseMs: NumberLong(10000), leaseId: NumberLong(11000000000)}, $inc: {version: NumberLong(1)}}}""")
                .gets(found(stored.heldBy(ME)))
                .endsWith(new Renewal.Renewed());
    }

    @Test
    void aLostLeaseIsExplainedByWhatIsThereNow() {
        ProtocolScript<Renewal> lost =
                ProtocolScript.of(strategy.renew(lease(TOKEN))).gets(none()).asks(NAME_OF_STRATEGY + "/why-lost", LOOK);

        lost.gets(found(stored.heldBy(OTHER))).endsWith(new Renewal.Lost(LossReason.TAKEN_OVER));
        lost.gets(found(stored.forcedFree())).endsWith(new Renewal.Lost(LossReason.FORCED));
        lost.gets(none()).endsWith(new Renewal.Lost(LossReason.EXPIRED));
    }

    @Test
    void aReleaseNeedsTheOwnerAndTheTokenAndLeavesATombstone() {
        ProtocolScript<Boolean> release = ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.of(TOKEN)))
                .asks(NAME_OF_STRATEGY + "/release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: {
                          $inc: {version: NumberLong(1)},
                          $currentDate: {releasedAt: true},
                          $unset: {owner: true, holder: true, leaseId: true}}}""");

        release.gets(found(stored.released())).endsWith(true);
        release.gets(none()).endsWith(false);
    }

    @Test
    void aReleaseWithoutATokenNeedsTheOwner() {
        ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.empty()))
                .asks(NAME_OF_STRATEGY + "/release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/1', owner: 'me/00000000-0000-0000-0000-000000000001'},
                         update: {
                          $inc: {version: NumberLong(1)},
                          $currentDate: {releasedAt: true},
                          $unset: {owner: true, holder: true, leaseId: true}}}""")
                .gets(found(stored.released()))
                .endsWith(true);
    }

    @Test
    void aLookTellsTheHolderButNoRemainingTime() {
        ProtocolScript<Optional<LockSnapshot>> look =
                ProtocolScript.of(strategy.inspect(NAME)).asks(NAME_OF_STRATEGY + "/inspect", LOOK);

        look.gets(found(stored.heldBy(OTHER))).endsWith(Optional.of(stored.read(stored.heldBy(OTHER))));
        look.gets(none()).endsWith(Optional.empty());
    }

    @Test
    void aForcedReleaseNeedsWhatTheOperatorSawAndMakesTheTokenLarger() {
        ProtocolScript<Boolean> force = ProtocolScript.of(strategy.forceRelease(stored.read(stored.heldBy(OTHER))))
                .asks(NAME_OF_STRATEGY + "/force-release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version-clock-free/1', version: NumberLong(5), fence: NumberLong(7), owner: 'other/00000000-0000-0000-0000-000000000002'},
                         update: {
                          $inc: {fence: NumberLong(1), version: NumberLong(1)},
                          $currentDate: {releasedAt: true, forcedAt: true},
                          $unset: {owner: true, holder: true, leaseId: true}}}""");

        force.gets(found(stored.forcedFree())).endsWith(true);
        force.gets(none()).endsWith(false);
    }

    /** Renewals have raised the version above the least token. */
    @Test
    void tokensBelowTheFloorAreRaisedWhateverTheirVersionsAre() {
        BsonDocument renewed = stored.heldBy(OTHER).append("version", new BsonInt64(140));

        ProtocolScript.of(strategy.raiseTokens(LockQuery.all(), 20))
                .asks(NAME_OF_STRATEGY + "/list")
                .gets(new Reply.FoundMany(List.of(renewed)))
                .asks(NAME_OF_STRATEGY + "/raise-tokens", """
                        {update: 'locks', updates: [
                         {query: {_id: '$job', format: 'optimistic-version-clock-free/1', fence: {$lt: NumberLong(20)}},
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
                .asks(NAME_OF_STRATEGY + "/list")
                .gets(new Reply.FoundMany(List.of(stored.heldBy(OTHER))))
                .endsWith(0L);
    }
}
