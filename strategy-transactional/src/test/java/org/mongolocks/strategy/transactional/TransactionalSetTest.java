package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.OTHER_NAME;
import static org.mongolocks.protocol.Replies.acknowledged;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.seen;

import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.mongolocks.Owner;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MultiLockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SnapshotReader;

class TransactionalSetTest {
    private static final Reply COUNTED = found(BsonDocument.parse("{_id: '$job', n: NumberLong(8)}"));

    private static final String LOOK_AT_SECOND = """
            {find: 'locks', filter: {_id: '$job-2'}, projection: {
              format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
              rev: 1, now: '$$NOW'}}""";

    private final TransactionalStrategy strategy = new TransactionalStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("transactional/1", "rev");
    private final ProtocolScript<MultiLockOutcome> second = ProtocolScript.of(
                    strategy.acquireAll(ProtocolFixture.firstAttempts()).orElseThrow())
            .asks("transactional/start")
            .gets(acknowledged())
            .asks("transactional/count")
            .gets(COUNTED)
            .asks("transactional/take-or-keep")
            .gets(found(stored.heldBy(ME)));
    private final ProtocolScript<MultiLockOutcome> taking = second.gets(COUNTED);

    @Test
    void theSecondLockIsCountedAndTakenInTheSameTransaction() {
        second.asks("transactional/count", """
                {findAndModify: 'fences',
                 query: {_id: '$job-2'},
                 update: {$inc: {n: NumberLong(1)}},
                 upsert: true}""").gets(COUNTED).asks("transactional/take-or-keep");
    }

    @Test
    void oneCommitGrantsAllEachWithItsToken() {
        taking.gets(found(second(ME, 8)))
                .asks("transactional/commit")
                .gets(failed(Fault.UNKNOWN_COMMIT))
                .asks("transactional/commit")
                .gets(acknowledged())
                .endsWith(new MultiLockOutcome.Acquired(
                        List.of(ProtocolFixture.lease(NAME, TOKEN), ProtocolFixture.lease(OTHER_NAME, 8))));
    }

    @Test
    void oneThatIsHeldLeavesNoTraceOfTheOthers() {
        BsonDocument theirs = second(OTHER, 9);

        taking.gets(found(theirs))
                .asks("transactional/abort")
                .gets(acknowledged())
                .endsWith(new MultiLockOutcome.Contended(SnapshotReader.read(OTHER_NAME, theirs, "rev")));
    }

    @Test
    void aConflictInTheMiddleTakesAllBack() {
        Reply.Failed conflict = failed(Fault.WRITE_CONFLICT);

        second.gets(conflict).asks("transactional/abort").gets(acknowledged()).failsWith(conflict);
        taking.gets(conflict).asks("transactional/abort").gets(acknowledged()).failsWith(conflict);
    }

    @Test
    void aDuplicateKeyHasTheLockLookedAtThatHasIt() {
        BsonDocument theirs = second(OTHER, 9);

        taking.gets(failed(Fault.DUPLICATE_KEY))
                .asks("transactional/abort")
                .gets(acknowledged())
                .asks("transactional/look-at-winner", LOOK_AT_SECOND)
                .gets(found(theirs))
                .endsWith(new MultiLockOutcome.Contended(SnapshotReader.read(OTHER_NAME, theirs, "rev")));
    }

    @Test
    void whoWaitsLooksAtTheLockInTheWayBeforeHeStartsATransaction() {
        BsonDocument theirs = second(OTHER, 9);
        ProtocolScript<MultiLockOutcome> poll =
                ProtocolScript.of(strategy.acquireAll(waitingForSecond(theirs)).orElseThrow());

        poll.asks("transactional/look", LOOK_AT_SECOND)
                .gets(found(theirs))
                .endsWith(new MultiLockOutcome.Contended(SnapshotReader.read(OTHER_NAME, theirs, "rev")));
        poll.gets(seen(stored.forcedFree())).asks("transactional/start");
    }

    private List<AcquireContext> waitingForSecond(BsonDocument theirs) {
        AcquireContext first = ProtocolFixture.firstAttempt();
        AcquireContext seen =
                ProtocolFixture.nextAttempt(SnapshotReader.read(OTHER_NAME, theirs, "rev"), Duration.ofSeconds(1));
        return List.of(
                first,
                new AcquireContext(
                        OTHER_NAME, ME, ProtocolFixture.TTL, first.startedNanos(), seen.previous(), first.holder()));
    }

    private BsonDocument second(Owner owner, long token) {
        return stored.heldBy(owner)
                .append("_id", new BsonString(OTHER_NAME.value()))
                .append("fence", new BsonInt64(token));
    }
}
