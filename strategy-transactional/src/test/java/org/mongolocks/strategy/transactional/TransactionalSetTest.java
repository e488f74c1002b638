package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.Replies.acknowledged;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.seen;
import static org.mongolocks.protocol.Scene.ME;
import static org.mongolocks.protocol.Scene.NAME;
import static org.mongolocks.protocol.Scene.OTHER;
import static org.mongolocks.protocol.Scene.OTHER_NAME;
import static org.mongolocks.protocol.StoredLocks.TOKEN;

import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.mongolocks.Owner;
import org.mongolocks.protocol.Scene;
import org.mongolocks.protocol.Script;
import org.mongolocks.protocol.StoredLocks;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SetOutcome;
import org.mongolocks.spi.Snapshots;

class TransactionalSetTest {
    private static final Reply COUNTED = found(BsonDocument.parse("{_id: '$job', n: NumberLong(8)}"));

    private static final String LOOK_AT_SECOND = """
            {find: 'locks', filter: {_id: '$job-2'}, projection: {
              format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
              rev: 1, now: '$$NOW'}}""";

    private final TransactionalStrategy strategy = new TransactionalStrategy();
    private final StoredLocks stored = new StoredLocks("transactional/1", "rev");
    private final Script<SetOutcome> second = Script.of(
                    strategy.acquireAll(Scene.firstAttempts()).orElseThrow())
            .asks("transactional/start")
            .gets(acknowledged())
            .asks("transactional/count")
            .gets(COUNTED)
            .asks("transactional/take-or-keep")
            .gets(found(stored.heldBy(ME)));
    private final Script<SetOutcome> taking = second.gets(COUNTED);

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
                .endsWith(new SetOutcome.Acquired(List.of(Scene.lease(NAME, TOKEN), Scene.lease(OTHER_NAME, 8))));
    }

    @Test
    void oneThatIsHeldLeavesNoTraceOfTheOthers() {
        BsonDocument theirs = second(OTHER, 9);

        taking.gets(found(theirs))
                .asks("transactional/abort")
                .gets(acknowledged())
                .endsWith(new SetOutcome.Contended(Snapshots.read(OTHER_NAME, theirs, "rev")));
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
                .endsWith(new SetOutcome.Contended(Snapshots.read(OTHER_NAME, theirs, "rev")));
    }

    @Test
    void whoWaitsLooksAtTheLockInTheWayBeforeHeStartsATransaction() {
        BsonDocument theirs = second(OTHER, 9);
        Script<SetOutcome> poll =
                Script.of(strategy.acquireAll(waitingForSecond(theirs)).orElseThrow());

        poll.asks("transactional/look", LOOK_AT_SECOND)
                .gets(found(theirs))
                .endsWith(new SetOutcome.Contended(Snapshots.read(OTHER_NAME, theirs, "rev")));
        poll.gets(seen(stored.forcedFree())).asks("transactional/start");
    }

    private List<AcquireContext> waitingForSecond(BsonDocument theirs) {
        AcquireContext first = Scene.firstAttempt();
        AcquireContext seen = Scene.nextAttempt(Snapshots.read(OTHER_NAME, theirs, "rev"), Duration.ofSeconds(1));
        return List.of(
                first,
                new AcquireContext(OTHER_NAME, ME, Scene.TTL, first.startedNanos(), seen.previous(), first.holder()));
    }

    private BsonDocument second(Owner owner, long token) {
        return stored.heldBy(owner)
                .append("_id", new BsonString(OTHER_NAME.value()))
                .append("fence", new BsonInt64(token));
    }
}
