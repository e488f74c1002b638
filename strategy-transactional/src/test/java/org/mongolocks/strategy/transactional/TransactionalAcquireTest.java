package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.acknowledged;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.protocol.Replies.seen;

import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockOutcome;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.LastKnownState;
import org.mongolocks.spi.Reply;

class TransactionalAcquireTest {
    private static final Reply COUNTED = found(BsonDocument.parse("{_id: '$job', n: NumberLong(8)}"));

    private final TransactionalStrategy strategy = new TransactionalStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("transactional/1", "rev");
    private final BsonDocument theirs = stored.heldBy(OTHER);
    private final ProtocolScript<LockOutcome> attempt = ProtocolScript.of(strategy.acquire(firstAttempt()));
    private final ProtocolScript<LockOutcome> poll = ProtocolScript.of(
            strategy.acquire(ProtocolFixture.nextAttempt(stored.read(theirs), Duration.ofSeconds(1))));

    @Test
    void aFreeLockIsCountedTakenAndCommitted() {
        attempt.asks("transactional/start", "{startTransaction: 1}")
                .gets(acknowledged())
                .asks("transactional/count", """
                        {findAndModify: 'fences',
                         query: {_id: '$job'},
                         update: {$inc: {n: NumberLong(1)}},
                         upsert: true}""")
                .gets(COUNTED)
                .asks("transactional/take-or-keep")
                .gets(found(stored.heldBy(ME)))
                .asks("transactional/commit", "{commitTransaction: 1}")
                .gets(acknowledged())
                .endsWith(acquired(TOKEN));
    }

    @Test
    void theCountIsTheTokenOfANewGrant() {
        attempt.gets(acknowledged()).gets(COUNTED).asks("transactional/take-or-keep", """
                {findAndModify: 'locks',
                 query: {_id: '$job', format: 'transactional/1'},
                 update: [
                  {$replaceWith: {$switch: {branches: [
                    {case: {$eq: ['$owner', {$literal: 'me/00000000-0000-0000-0000-000000000001'}]},
                     then: {$mergeObjects: ['$$ROOT', {
                       expiresAt: {$max: ['$expiresAt', {$add: ['$$NOW', NumberLong(10000)]}]},
                       leaseMs: NumberLong(10000),
                       rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}]}},
                    {case: {$or: [{$eq: [{$ifNull: ['$owner', null]}, null]}, {$lte: ['$expiresAt', '$$NOW']}]},
                     then: {$mergeObjects: ['$$ROOT', {
                       owner: {$literal: 'me/00000000-0000-0000-0000-000000000001'},
                       holder: {$literal: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'}},
                       fence: {$max: [NumberLong(8), {$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]}]},
                       acquiredAt: '$$NOW',
                       expiresAt: {$add: ['$$NOW', NumberLong(10000)]},
                       leaseMs: NumberLong(10000),
                       rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}]}}],
                   default: '$$ROOT'}}},
                  {$unset: ['releasedAt', 'forcedAt']}],
                 upsert: true,
                 fields: {
                  format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
                  rev: 1, now: '$$NOW'}}""");
    }

    /** The counters were restored from an older backup than the lock document. */
    @Test
    void aTokenThatIsLargerThanTheCountRaisesIt() {
        attempt.gets(acknowledged())
                .gets(found(new BsonDocument("n", new BsonInt64(TOKEN - 3))))
                .gets(found(stored.heldBy(ME)))
                .asks("transactional/raise-count", """
                        {update: 'fences', query: {_id: '$job'}, update: {$max: {n: NumberLong(7)}}, upsert: true}""")
                .gets(counted(1))
                .asks("transactional/commit")
                .gets(acknowledged())
                .endsWith(acquired(TOKEN));
    }

    @Test
    void aHeldLockLeavesNoTrace() {
        attempt.gets(acknowledged())
                .gets(COUNTED)
                .gets(seen(theirs))
                .asks("transactional/abort", "{abortTransaction: 1}")
                .gets(acknowledged())
                .endsWith(new LockOutcome.Contended(stored.lookedAt(theirs)));
    }

    @Test
    void whoWaitsLooksBeforeHeStartsATransaction() {
        poll.asks("transactional/look", """
                {find: 'locks', filter: {_id: '$job'}, projection: {
                  format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
                  rev: 1, now: '$$NOW'}}""");
    }

    @Test
    void whoSawTheLockHeldBeforeLooksFirstToo() {
        ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.HELD))).asks("transactional/look");
    }

    @Test
    void whoSawTheLockFreeBeforeStartsATransactionAtOnce() {
        ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.FREE))).asks("transactional/start");
    }

    @Test
    void whoWaitedAndWasToldOfTheReleaseStartsATransactionAtOnce() {
        ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.NOTIFIED_FREE)))
                .asks("transactional/start");
    }

    @Test
    void aLockThatIsStillHeldCostsNothingButTheLook() {
        poll.gets(seen(theirs)).endsWith(new LockOutcome.Contended(stored.lookedAt(theirs)));
    }

    @Test
    void aDocumentOfAnotherIsRefused() {
        Reply.Failed refusal = stored.refusalOf(stored.foreign());

        poll.gets(seen(stored.foreign())).failsWith(refusal);
        attempt.gets(acknowledged())
                .gets(COUNTED)
                .gets(failed(Fault.DUPLICATE_KEY))
                .asks("transactional/abort")
                .gets(acknowledged())
                .gets(seen(stored.foreign()))
                .failsWith(refusal);
    }

    @Test
    void aLockThatLooksFreeIsAskedForInATransaction() {
        poll.gets(none()).asks("transactional/start");
        poll.gets(seen(stored.forcedFree())).asks("transactional/start");
        poll.gets(seen(stored.expiredOf(OTHER))).asks("transactional/start");
    }

    @Test
    void myGrantWhoseCommitWasLostIsConfirmedByATransaction() {
        poll.gets(seen(stored.heldBy(ME)))
                .asks("transactional/start")
                .gets(acknowledged())
                .gets(COUNTED)
                .gets(found(stored.heldBy(ME)))
                .asks("transactional/commit")
                .gets(acknowledged())
                .endsWith(acquired(TOKEN));
    }
}
