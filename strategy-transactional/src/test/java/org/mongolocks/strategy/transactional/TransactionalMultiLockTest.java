package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.OTHER_NAME;
import static org.mongolocks.protocol.Replies.acknowledged;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.foundWithTime;
import static org.mongolocks.protocol.Replies.none;

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
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.lease.LeaseReader;

class TransactionalMultiLockTest {
    private static final Reply COUNTED = found(BsonDocument.parse("{_id: '$job', n: NumberLong(8)}"));

    private final TransactionalStrategy strategy = new TransactionalStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("transactional/3", "rev");
    private final String readSecond = "{find: 'locks', filter: {_id: '$job-2'}, projection: "
            + stored.commands().projection() + "}";
    private final ProtocolScript<MultiLockOutcome> second = ProtocolScript.of(
                    strategy.acquireAll(ProtocolFixture.firstAttempts()).orElseThrow())
            .sends("transactional/start")
            .receives(acknowledged())
            .sends("transactional/count")
            .receives(COUNTED)
            .sends("transactional/acquire-or-extend")
            .receives(found(stored.heldBy(ME)));
    private final ProtocolScript<MultiLockOutcome> taking = second.receives(COUNTED);

    @Test
    void secondLockIsAcquiredInTheSameTransaction() {
        second.sends("transactional/count", """
                {findAndModify: 'fences',
                 query: {_id: '$job-2', format: 'transactional/3'},
                 update: [{$set: {n: {$max: [{$add: [{$ifNull: ['$n', NumberLong(0)]}, NumberLong(1)]}, {$toLong: '$$NOW'}]}, renewedAt: '$$NOW'}}],
                 upsert: true}""").receives(COUNTED).sends("transactional/acquire-or-extend");
    }

    @Test
    void oneCommitGrantsAllLocksEachWithItsToken() {
        taking.receives(found(second(ME, 8)))
                .sends("transactional/commit")
                .receives(failed(Fault.UNKNOWN_COMMIT))
                .sends("transactional/commit")
                .receives(acknowledged())
                .endsWith(new MultiLockOutcome.Acquired(
                        List.of(ProtocolFixture.lease(NAME, TOKEN), ProtocolFixture.lease(OTHER_NAME, 8))));
    }

    @Test
    void heldLockAbortsTheGrantsOfTheOthers() {
        BsonDocument theirs = second(OTHER, 9);

        taking.receives(found(theirs))
                .sends("transactional/abort")
                .receives(acknowledged())
                .endsWith(new MultiLockOutcome.Contended(LeaseReader.snapshot(OTHER_NAME, theirs, "rev")));
    }

    @Test
    void writeConflictAbortsAllGrants() {
        Reply.Failed conflict = failed(Fault.WRITE_CONFLICT);

        second.receives(conflict)
                .sends("transactional/abort")
                .receives(acknowledged())
                .failsWith(conflict);
        taking.receives(conflict)
                .sends("transactional/abort")
                .receives(acknowledged())
                .failsWith(conflict);
    }

    @Test
    void duplicateKeyAbortsAndReadsThatLock() {
        BsonDocument theirs = second(OTHER, 9);

        taking.receives(failed(Fault.DUPLICATE_KEY))
                .sends("transactional/abort")
                .receives(acknowledged())
                .sends("transactional/read-count", "{find: 'fences', filter: {_id: '$job-2'}}")
                .receives(none())
                .sends("transactional/read-holder", readSecond)
                .receives(found(theirs))
                .endsWith(new MultiLockOutcome.Contended(LeaseReader.snapshot(OTHER_NAME, theirs, "rev")));
    }

    @Test
    void waiterReadsTheHeldLockBeforeItStartsATransaction() {
        BsonDocument theirs = second(OTHER, 9);
        ProtocolScript<MultiLockOutcome> poll =
                ProtocolScript.of(strategy.acquireAll(waitingForSecond(theirs)).orElseThrow());

        poll.sends("transactional/read", readSecond)
                .receives(found(theirs))
                .endsWith(new MultiLockOutcome.Contended(LeaseReader.snapshot(OTHER_NAME, theirs, "rev")));
        poll.receives(foundWithTime(stored.forceReleased())).sends("transactional/start");
    }

    private List<AcquireContext> waitingForSecond(BsonDocument theirs) {
        AcquireContext first = ProtocolFixture.firstAttempt();
        AcquireContext seen =
                ProtocolFixture.nextAttempt(LeaseReader.snapshot(OTHER_NAME, theirs, "rev"), Duration.ofSeconds(1));
        return List.of(
                first,
                AcquireContext.of(OTHER_NAME, ME, ProtocolFixture.TTL, first.startedNanos())
                        .previous(seen.previous())
                        .lastSeen(seen.lastSeen())
                        .holderInfo(first.holderInfo()));
    }

    private BsonDocument second(Owner owner, long token) {
        return stored.heldBy(owner)
                .append("_id", new BsonString(OTHER_NAME.value()))
                .append("fence", new BsonInt64(token));
    }
}
