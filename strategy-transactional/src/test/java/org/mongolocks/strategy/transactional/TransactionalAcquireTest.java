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
import static org.mongolocks.protocol.Replies.foundWithTime;
import static org.mongolocks.protocol.Replies.none;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.LockStrategy.Turn;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

class TransactionalAcquireTest {
    private static final Reply COUNTED = found(BsonDocument.parse("{_id: '$job', n: NumberLong(8)}"));

    private final TransactionalStrategy strategy = new TransactionalStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("transactional/3", "rev");
    private final BsonDocument theirs = stored.heldBy(OTHER);
    private final ProtocolScript<LockOutcome> attempt = ProtocolScript.of(strategy.acquire(firstAttempt()));
    private final ProtocolScript<LockOutcome> poll = ProtocolScript.of(
            strategy.acquire(ProtocolFixture.nextAttempt(stored.read(theirs), Duration.ofSeconds(1))));

    private final ProtocolScript<LockOutcome> registering =
            ProtocolScript.of(strategy.acquire(ProtocolFixture.attemptOfWaiter(Entry.ADD)));

    @Test
    void freeLockIsAcquiredByOneTransaction() {
        attempt.sends("transactional/start", "{startTransaction: 1}")
                .receives(acknowledged())
                .sends("transactional/count", """
                    {findAndModify: 'fences',
                     query: {_id: '$job', format: 'transactional/3'},
                     update: [{$set: {n: {$max: [{$add: [{$ifNull: ['$n', NumberLong(0)]}, NumberLong(1)]}, {$toLong: '$$NOW'}]}, renewedAt: '$$NOW'}}],
                     upsert: true}\
                    """)
                .receives(COUNTED)
                .sends("transactional/acquire-or-extend")
                .receives(found(stored.heldBy(ME)))
                .sends("transactional/commit", "{commitTransaction: 1}")
                .receives(acknowledged())
                .endsWith(acquired(TOKEN));
    }

    @Test
    void counterIsTheTokenOfANewGrant() {
        attempt.receives(acknowledged())
                .receives(COUNTED)
                .sends(
                        "transactional/acquire-or-extend",
                        "{findAndModify: 'locks', query: {_id: '$job', format: 'transactional/3'}, update: "
                                + stored.commands().acquireOrExtend("""
                                        {$max: [NumberLong(8),
                                          {$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]}]}""", "")
                                + ", upsert: true, fields: " + stored.commands().projection() + "}");
    }

    /** The counters were restored from an older backup than the lock document. */
    @Test
    void tokenLargerThanTheCounterRaisesIt() {
        attempt.receives(acknowledged())
                .receives(found(new BsonDocument("n", new BsonInt64(TOKEN - 3))))
                .receives(found(stored.heldBy(ME)))
                .sends("transactional/raise-count", """
                    {update: 'fences', query: {_id: '$job', format: 'transactional/3'}, update: {$max: {n: NumberLong(7)}, $currentDate: {renewedAt: true}}, upsert: true}\
                    """)
                .receives(counted(1))
                .sends("transactional/commit")
                .receives(acknowledged())
                .endsWith(acquired(TOKEN));
    }

    @Test
    void heldLockAbortsTheTransaction() {
        attempt.receives(acknowledged())
                .receives(COUNTED)
                .receives(foundWithTime(theirs))
                .sends("transactional/abort", "{abortTransaction: 1}")
                .receives(acknowledged())
                .endsWith(new LockOutcome.Contended(stored.readWithTime(theirs)));
    }

    @Test
    void waiterReadsBeforeItStartsATransaction() {
        poll.sends(
                "transactional/read",
                "{find: 'locks', filter: {_id: '$job'}, projection: "
                        + stored.commands().projection() + "}");
    }

    @Test
    void lockThatWasSeenHeldIsReadFirst() {
        ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.HELD))).sends("transactional/read");
    }

    @Test
    void lockThatWasSeenFreeStartsATransactionAtOnce() {
        ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.FREE))).sends("transactional/start");
    }

    @Test
    void notifiedWaiterStartsATransactionAtOnce() {
        ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.BECAME_FREE)))
                .sends("transactional/start");
    }

    @Test
    void waiterIsRegisteredWithoutATransaction() {
        BsonArray waiters = new BsonArray(List.of(new BsonInt64(3), new BsonInt64(ProtocolFixture.WAITER)));
        BsonDocument waiting = theirs.clone().append("waiting", waiters).append("next", waiters);

        registering
                .sends(
                        "transactional/register",
                        "{findAndModify: 'locks', query: {_id: '$job', format: 'transactional/3'}, update: "
                                + stored.commands().created() + ", upsert: true, fields: "
                                + stored.commands().projectionOfWaiter() + "}")
                .receives(foundWithTime(waiting))
                .endsWith(new LockOutcome.Contended(
                        stored.readWithTime(waiting), Optional.of(Turn.ofHeld(1, LockDocumentFixtures.REMAINING))));
    }

    @Test
    void lockThatIsFreeInTheTurnOfTheWaiterIsAcquired() {
        registering
                .receives(failed(Fault.DUPLICATE_KEY))
                .sends("transactional/register")
                .receives(none())
                .sends("transactional/start");
        registering
                .receives(foundWithTime(stored.awaited()
                        .append("releasedAt", new BsonDateTime(LockDocumentFixtures.SERVER_TIME.toEpochMilli() - 250))))
                .sends("transactional/start");
    }

    @Test
    void waiterForSeveralLocksIsRegisteredForTheOneThatWasHeld() {
        ProtocolScript.of(strategy.acquireAll(List.of(firstAttempt(), ProtocolFixture.attemptOfWaiter(Entry.ADD)))
                        .orElseThrow())
                .sends("transactional/register")
                .receives(foundWithTime(theirs))
                .endsWith(new MultiLockOutcome.Contended(stored.readWithTime(theirs)));
    }

    @Test
    void lockThatIsStillHeldCostsOneRead() {
        poll.receives(foundWithTime(theirs)).endsWith(new LockOutcome.Contended(stored.readWithTime(theirs)));
    }

    @Test
    void foreignDocumentIsRefused() {
        Reply.Failed refusal = stored.refusalOf(stored.foreign());

        poll.receives(foundWithTime(stored.foreign())).failsWith(refusal);
        attempt.receives(acknowledged())
                .receives(COUNTED)
                .receives(failed(Fault.DUPLICATE_KEY))
                .sends("transactional/abort")
                .receives(acknowledged())
                .receives(foundWithTime(stored.foreign()))
                .failsWith(refusal);
    }

    @Test
    void lockThatIsReadFreeIsAcquiredInATransaction() {
        poll.receives(none()).sends("transactional/start");
        poll.receives(foundWithTime(stored.forceReleased())).sends("transactional/start");
        poll.receives(foundWithTime(stored.expiredOf(OTHER))).sends("transactional/start");
    }

    @Test
    void ownGrantAfterLostCommitIsConfirmedByATransaction() {
        poll.receives(foundWithTime(stored.heldBy(ME)))
                .sends("transactional/start")
                .receives(acknowledged())
                .receives(COUNTED)
                .receives(found(stored.heldBy(ME)))
                .sends("transactional/commit")
                .receives(acknowledged())
                .endsWith(acquired(TOKEN));
    }
}
