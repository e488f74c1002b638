package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.lease;
import static org.mongolocks.protocol.Replies.acknowledged;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.protocol.Replies.seen;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockQuery;
import org.mongolocks.LossReason;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Reply;

class TransactionalHoldTest {
    private static final Reply COUNTED = found(BsonDocument.parse("{_id: '$job', n: NumberLong(8)}"));

    private final TransactionalStrategy strategy = new TransactionalStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("transactional/1", "rev");
    private final ProtocolScript<Boolean> takingBack =
            ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.empty()));
    private final ProtocolScript<Boolean> force =
            ProtocolScript.of(strategy.forceRelease(stored.lookedAt(stored.heldBy(OTHER))));

    @Test
    void aRenewalIsOneWriteOutsideATransaction() {
        ProtocolScript.of(strategy.renew(lease(TOKEN)))
                .asks("transactional/renew", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'transactional/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: [
                          {$set: {
                            expiresAt: {$max: ['$expiresAt', {$add: ['$$NOW', NumberLong(10000)]}]},
                            leaseMs: NumberLong(10000),
                            rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['releasedAt', 'forcedAt']}]}""")
                .gets(found(stored.heldBy(ME)))
                .endsWith(new Renewal.Renewed());
    }

    @Test
    void aLostLeaseIsExplainedByWhatIsThereNow() {
        ProtocolScript<Renewal> lost =
                ProtocolScript.of(strategy.renew(lease(TOKEN))).gets(none()).asks("transactional/why-lost");

        lost.gets(seen(stored.heldBy(OTHER))).endsWith(new Renewal.Lost(LossReason.TAKEN_OVER));
        lost.gets(seen(stored.forcedFree())).endsWith(new Renewal.Lost(LossReason.FORCED));
        lost.gets(none()).endsWith(new Renewal.Lost(LossReason.EXPIRED));
    }

    @Test
    void aReleaseDeletesTheDocumentOfItsOwnerAndToken() {
        ProtocolScript<Boolean> release = ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.of(TOKEN)))
                .asks("transactional/release", """
                        {delete: 'locks',
                         query: {_id: '$job', format: 'transactional/1', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)}}""");

        release.gets(counted(1)).endsWith(true);
        release.gets(counted(0)).endsWith(false);
    }

    @Test
    void aReleaseWithoutATokenDeletesTheDocumentOfItsOwnerInATransactionThatEndsTheOneBefore() {
        takingBack
                .asks("transactional/start")
                .gets(acknowledged())
                .asks("transactional/release", """
                        {delete: 'locks', query: {_id: '$job', format: 'transactional/1', owner: 'me/00000000-0000-0000-0000-000000000001'}}""")
                .gets(counted(1))
                .asks("transactional/commit")
                .gets(acknowledged())
                .endsWith(true);
    }

    @Test
    void aTransactionThatFoundNothingToReleaseIsFollowedByTheSameWithoutOne() {
        ProtocolScript<Boolean> again = takingBack
                .gets(acknowledged())
                .gets(counted(0))
                .asks("transactional/commit")
                .gets(failed(Fault.UNKNOWN_COMMIT))
                .asks("transactional/commit")
                .gets(acknowledged())
                .asks("transactional/release");

        again.gets(counted(0)).endsWith(false);
        again.gets(counted(1)).endsWith(true);
    }

    @ParameterizedTest
    @EnumSource
    void aFaultInsideIsAbortedAndEndsTheReleaseWithoutAToken(Fault fault) {
        Reply.Failed failure = failed(fault);

        takingBack.gets(failure).failsWith(failure);
        takingBack
                .gets(acknowledged())
                .gets(failure)
                .asks("transactional/abort")
                .gets(acknowledged())
                .failsWith(failure);
    }

    @Test
    void aLookTellsTheHolderAndTheRemainingTime() {
        ProtocolScript.of(strategy.inspect(NAME))
                .asks("transactional/inspect")
                .gets(seen(stored.heldBy(OTHER)))
                .endsWith(Optional.of(stored.lookedAt(stored.heldBy(OTHER))));
    }

    @Test
    void aForcedReleaseCountsUpAndLeavesATombstoneWithThatToken() {
        ProtocolScript<Boolean> freeing =
                force.asks("transactional/count").gets(COUNTED).asks("transactional/force-release", """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'transactional/1', rev: NumberLong(5), fence: NumberLong(7), owner: 'other/00000000-0000-0000-0000-000000000002'},
                         update: [
                          {$set: {
                            fence: {$max: [NumberLong(8), {$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]}]},
                            forcedAt: '$$NOW', expiresAt: '$$NOW', releasedAt: '$$NOW',
                            rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}},
                          {$unset: ['owner', 'holder']}]}""");

        freeing.gets(found(stored.forcedFree())).endsWith(true);
        freeing.gets(none()).endsWith(false);
    }

    @Test
    void countersAndLockDocumentsAreRaised() {
        ProtocolScript<Long> raising = ProtocolScript.of(
                        strategy.raiseTokens(LockQuery.all().prefix("$job").limit(2), 20))
                .asks("transactional/list-counts", """
                        {find: 'fences', filter: {_id: {$gte: '$job', $lt: '$joc'}, n: {$lt: NumberLong(20)}}, sort: {_id: 1}, limit: 2}""")
                .gets(new Reply.FoundMany(List.of(counter("$job", 3), counter("$job-2", 4))))
                .asks("transactional/raise-counts", """
                        {update: 'fences', updates: [
                         {query: {_id: '$job', n: {$lt: NumberLong(20)}}, update: {$max: {n: NumberLong(20)}}},
                         {query: {_id: '$job-2', n: {$lt: NumberLong(20)}}, update: {$max: {n: NumberLong(20)}}}]}""")
                .gets(counted(2))
                .asks("transactional/list-counts")
                .gets(new Reply.FoundMany(List.of()))
                .asks("transactional/list");

        raising.gets(new Reply.FoundMany(List.of())).endsWith(2L);
        raising.gets(new Reply.FoundMany(List.of(stored.heldBy(OTHER))))
                .asks("transactional/raise-tokens")
                .gets(counted(1))
                .endsWith(3L);
    }

    @Test
    void aQueryForHoldersRaisesLockDocumentsAlone() {
        ProtocolScript.of(strategy.raiseTokens(LockQuery.all().heldOnly(), 20)).asks("transactional/list");
        ProtocolScript.of(strategy.raiseTokens(LockQuery.all().instance("worker"), 20))
                .asks("transactional/list");
    }

    private static BsonDocument counter(String name, long count) {
        return new BsonDocument("_id", new BsonString(name)).append("n", new BsonInt64(count));
    }

    @ParameterizedTest
    @EnumSource
    void everyFaultEndsAForcedRelease(Fault fault) {
        Reply.Failed failure = failed(fault);

        force.gets(failure).failsWith(failure);
        force.gets(COUNTED).gets(failure).failsWith(failure);
    }
}
