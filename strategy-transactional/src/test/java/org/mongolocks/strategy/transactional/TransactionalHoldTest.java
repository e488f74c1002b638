package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.Replies.acknowledged;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;

import java.util.List;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockQuery;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

class TransactionalHoldTest {
    private static final Reply COUNTED = found(BsonDocument.parse("{_id: '$job', n: NumberLong(8)}"));

    private final TransactionalStrategy strategy = new TransactionalStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("transactional/3", "rev");
    private final ProtocolScript<Boolean> compensation =
            ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.empty()));
    private final ProtocolScript<Boolean> force =
            ProtocolScript.of(strategy.forceRelease(stored.readWithTime(stored.heldBy(OTHER))));

    @Test
    void releaseDeletesTheDocumentOfItsOwnerAndToken() {
        ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.of(TOKEN)))
                .sends("transactional/release", """
                    {delete: 'locks',
                     query: {_id: '$job', format: 'transactional/3', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7), waiting: {$exists: false}}}\
                    """)
                .receives(counted(1))
                .endsWith(true);
    }

    @Test
    void releaseKeepsADocumentWithWaiters() {
        ProtocolScript<Boolean> released = ProtocolScript.of(strategy.release(NAME, ME, OptionalLong.of(TOKEN)))
                .receives(counted(0))
                .sends("transactional/release", """
                    {update: 'locks',
                     query: {_id: '$job', format: 'transactional/3', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                     update: {
                      $inc: {rev: NumberLong(1)},
                      $currentDate: {releasedAt: true},
                      $unset: {owner: true, holder: true},
                      $rename: {next: 'turn'}}}\
                    """);

        released.receives(counted(1)).endsWith(true);
        released.receives(counted(0)).endsWith(false);
    }

    @Test
    void releaseWithoutTokenDeletesInATransactionThatEndsTheOneBefore() {
        compensation
                .sends("transactional/start")
                .receives(acknowledged())
                .sends("transactional/release", """
                    {delete: 'locks', query: {_id: '$job', format: 'transactional/3', owner: 'me/00000000-0000-0000-0000-000000000001', waiting: {$exists: false}}}\
                    """)
                .receives(counted(1))
                .sends("transactional/commit")
                .receives(acknowledged())
                .endsWith(true);
    }

    @Test
    void releaseThatMatchedNothingIsRepeatedWithoutATransaction() {
        ProtocolScript<Boolean> again = compensation
                .receives(acknowledged())
                .receives(counted(0))
                .receives(counted(0))
                .sends("transactional/commit")
                .receives(failed(Fault.UNKNOWN_COMMIT))
                .sends("transactional/commit")
                .receives(acknowledged())
                .sends("transactional/release");

        again.receives(counted(1)).endsWith(true);
        again.receives(counted(0))
                .sends("transactional/release")
                .receives(counted(1))
                .endsWith(true);
        again.receives(counted(0)).receives(counted(0)).endsWith(false);
    }

    @ParameterizedTest
    @EnumSource
    void faultInTheTransactionAbortsAndEndsTheRelease(Fault fault) {
        Reply.Failed failure = failed(fault);

        compensation.receives(failure).failsWith(failure);
        compensation
                .receives(acknowledged())
                .receives(failure)
                .sends("transactional/abort")
                .receives(acknowledged())
                .failsWith(failure);
    }

    @Test
    void forceReleaseIncrementsTheCounterAndLeavesATombstone() {
        ProtocolScript<Boolean> freeing =
                force.sends("transactional/count").receives(COUNTED).sends("transactional/force-release", """
                    {update: 'locks',
                     query: {_id: '$job', format: 'transactional/3', rev: NumberLong(5), fence: NumberLong(7), owner: 'other/00000000-0000-0000-0000-000000000002'},
                     update: {
                      $max: {fence: NumberLong(8)},
                      $inc: {rev: NumberLong(1)},
                      $currentDate: {releasedAt: true, forcedAt: true, renewedAt: true},
                      $unset: {owner: true, holder: true},
                      $rename: {next: 'turn'}}}\
                    """);

        freeing.receives(counted(1)).endsWith(true);
        freeing.receives(counted(0)).endsWith(false);
    }

    @Test
    void countersAndLockDocumentsAreRaised() {
        ProtocolScript<Long> raising = ProtocolScript.of(
                        strategy.raiseTokens(LockQuery.all().prefix("$job").limit(2), 20))
                .sends("transactional/list-counts", """
                    {find: 'fences', filter: {_id: {$gte: '$job', $lt: '$joc'}, format: 'transactional/3', n: {$lt: NumberLong(20)}}, sort: {_id: 1}, limit: 2}\
                    """)
                .receives(new Reply.FoundMany(List.of(counter("$job", 3), counter("$job-2", 4))))
                .sends("transactional/raise-counts", """
                    {update: 'fences', updates: [
                     {query: {_id: '$job', format: 'transactional/3', n: {$lt: NumberLong(20)}}, update: {$max: {n: NumberLong(20)}, $currentDate: {renewedAt: true}}},
                     {query: {_id: '$job-2', format: 'transactional/3', n: {$lt: NumberLong(20)}}, update: {$max: {n: NumberLong(20)}, $currentDate: {renewedAt: true}}}]}\
                    """)
                .receives(counted(2))
                .sends("transactional/list-counts")
                .receives(new Reply.FoundMany(List.of()))
                .sends("transactional/list");

        raising.receives(new Reply.FoundMany(List.of())).endsWith(2L);
        raising.receives(new Reply.FoundMany(List.of(stored.heldBy(OTHER))))
                .sends("transactional/raise-tokens")
                .receives(counted(1))
                .endsWith(3L);
    }

    @Test
    void queryForHoldersRaisesOnlyLockDocuments() {
        ProtocolScript.of(strategy.raiseTokens(LockQuery.all().heldOnly(), 20)).sends("transactional/list");
        ProtocolScript.of(strategy.raiseTokens(LockQuery.all().instance("worker"), 20))
                .sends("transactional/list");
    }

    private static BsonDocument counter(String name, long count) {
        return new BsonDocument("_id", new BsonString(name)).append("n", new BsonInt64(count));
    }

    @ParameterizedTest
    @EnumSource
    void faultEndsAForcedRelease(Fault fault) {
        Reply.Failed failure = failed(fault);

        ProtocolScript<Boolean> counted = force.receives(failure);
        (fault == Fault.DUPLICATE_KEY ? counted.receives(none()) : counted).failsWith(failure);
        force.receives(COUNTED).receives(failure).failsWith(failure);
    }
}
