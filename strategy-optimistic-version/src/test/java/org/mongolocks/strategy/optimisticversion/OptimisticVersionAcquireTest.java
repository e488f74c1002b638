package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.attemptOfWaiter;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.foundWithTime;
import static org.mongolocks.protocol.Replies.none;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockSnapshot;
import org.mongolocks.protocol.LeaseCommands;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Turn;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

class OptimisticVersionAcquireTest {
    private static final String READ = "optimistic-version/read";
    private static final String COMPARE_AND_SET = "optimistic-version/compare-and-set";
    private static final String EXTEND = "optimistic-version/extend";

    private final LockDocumentFixtures stored = new LockDocumentFixtures("optimistic-version/3", "version");
    private final ProtocolScript<LockOutcome> attempt =
            ProtocolScript.of(new OptimisticVersionStrategy().acquire(firstAttempt()));
    private final ProtocolScript<LockOutcome> expired = attempt.receives(foundWithTime(stored.expiredOf(OTHER)));

    @Test
    void readIncludesServerTime() {
        attempt.sends(
                READ,
                "{find: 'locks', filter: {_id: '$job'}, projection: "
                        + stored.commands().projection() + "}");
    }

    @Test
    void unusedLockIsCreatedWithTheServersTimeAsVersionAndToken() {
        attempt.receives(none())
                .sends(
                        COMPARE_AND_SET,
                        "{findAndModify: 'locks', query: {_id: '$job', format: 'optimistic-version/3',"
                                + " version: NumberLong(0)}, update: "
                                + stored.commands().created("version: " + LeaseCommands.nextToken(), "")
                                + ", upsert: true}")
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void expiredLockIsTakenOverAtTheVersionThatWasRead() {
        expired.sends(COMPARE_AND_SET, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/3', version: NumberLong(5), owner: '%s',
                                 renewedAt: %s, waiting: {$exists: false}},
                         update: {
                          $set: {
                           owner: 'me/00000000-0000-0000-0000-000000000001',
                           holder: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'},
                           leaseMs: NumberLong(10000),
                           fence: NumberLong(6)},
                          $inc: {version: NumberLong(1)},
                          $currentDate: {acquiredAt: true, renewedAt: true},
                          $unset: {forcedAt: true}}}""".formatted(OTHER.stored(), date(stored.expiredOf(OTHER))))
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    private static String date(BsonDocument lock) {
        return "{$date: '" + Instant.ofEpochMilli(lock.getDateTime("renewedAt").getValue()) + "'}";
    }

    @Test
    void foreignDocumentIsRefused() {
        attempt.receives(foundWithTime(stored.foreign())).failsWith(stored.refusalOf(stored.foreign()));
        attempt.receives(foundWithTime(stored.unmarked())).failsWith(stored.refusalOf(stored.unmarked()));
    }

    /** A deposed primary may show a lock as free that its successor has granted at the same version. */
    @Test
    void releasedLockIsAcquiredOnlyWithoutOwnerAtThatVersion() {
        attempt.receives(foundWithTime(stored.released())).sends(COMPARE_AND_SET, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/3', version: NumberLong(5), owner: null, waiting: {$exists: false}},
                         update: {
                          $set: {
                           owner: 'me/00000000-0000-0000-0000-000000000001',
                           holder: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'},
                           leaseMs: NumberLong(10000),
                           fence: NumberLong(6)},
                          $inc: {version: NumberLong(1)},
                          $currentDate: {acquiredAt: true, renewedAt: true},
                          $unset: {forcedAt: true}}}""");
    }

    @Test
    void releasedLockIsAcquired() {
        attempt.receives(foundWithTime(stored.released()))
                .sends(COMPARE_AND_SET)
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void lockThatIsAwaitedIsGrantedInTurn() {
        ProtocolScript<LockOutcome> waiting =
                ProtocolScript.of(new OptimisticVersionStrategy().acquire(attemptOfWaiter(Entry.ADD)));

        waiting.sends(
                        "optimistic-version/register",
                        "{findAndModify: 'locks', query: {_id: '$job'}, update: "
                                + stored.commands().registered() + ", fields: "
                                + stored.commands().projectionOfWaiter() + "}")
                .receives(foundWithTime(awaitedFor(Duration.ofSeconds(1))))
                .sends(
                        COMPARE_AND_SET,
                        "{findAndModify: 'locks', query: {_id: '$job', format: 'optimistic-version/3',"
                                + " version: NumberLong(5), owner: null}, update: "
                                + stored.commands().grantedInTurn("NumberLong(6)", "") + ", fields: "
                                + stored.commands().projectionOfWaiter() + "}");
        waiting.receives(foundWithTime(awaitedFor(Duration.ofMillis(249))))
                .endsWith(new LockOutcome.Contended(
                        stored.readWithTime(awaitedFor(Duration.ofMillis(249))),
                        Optional.of(new Turn(1, Duration.ofMillis(1), Duration.ofMillis(249)))));
    }

    private BsonDocument awaitedFor(Duration time) {
        Instant since = LockDocumentFixtures.SERVER_TIME.minus(time);
        return stored.awaited().append("releasedAt", new BsonDateTime(since.toEpochMilli()));
    }

    @Test
    void heldLockCostsOneRead() {
        BsonDocument theirs = stored.heldBy(OTHER);

        attempt.receives(foundWithTime(theirs)).endsWith(new LockOutcome.Contended(stored.readWithTime(theirs)));
    }

    @Test
    void holderWithoutExpiryIsNotExpired() {
        BsonDocument theirs = stored.heldBy(OTHER);
        theirs.remove("renewedAt");

        attempt.receives(foundWithTime(theirs)).endsWith(new LockOutcome.Contended(stored.readWithTime(theirs)));
    }

    @Test
    void ownGrantAfterLostReplyIsConfirmedByWrite() {
        attempt.receives(foundWithTime(stored.heldBy(ME)))
                .sends(EXTEND, """
                        {findAndModify: 'locks',
                         query: {_id: '$job', format: 'optimistic-version/3', owner: 'me/00000000-0000-0000-0000-000000000001', fence: NumberLong(7)},
                         update: [
                          {$set: {
                            renewedAt: {$max: ['$renewedAt', '$$NOW']},
                            leaseMs: {$max: [NumberLong(10000), '$leaseMs']},
                            version: {$add: [{$ifNull: ['$version', NumberLong(0)]}, NumberLong(1)]}}}]}""")
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @Test
    void lostOwnGrantIsReadAgain() {
        attempt.receives(foundWithTime(stored.expiredOf(ME)))
                .sends(EXTEND)
                .receives(none())
                .sends(READ)
                .receives(foundWithTime(stored.heldBy(OTHER)))
                .endsWith(new LockOutcome.Contended(stored.readWithTime(stored.heldBy(OTHER))));
    }

    @Test
    void lostRaceStartsAgainWithRead() {
        expired.receives(none()).sends(READ).receives(none()).sends(COMPARE_AND_SET);
        attempt.receives(none()).receives(failed(Fault.DUPLICATE_KEY)).sends(READ);
    }

    @Test
    void thirdLostRaceIsContention() {
        ProtocolScript<LockOutcome> third = attempt.receives(none())
                .receives(failed(Fault.DUPLICATE_KEY))
                .receives(foundWithTime(stored.expiredOf(OTHER)))
                .receives(none())
                .sends(READ);
        LockSnapshot newest = stored.readWithTime(stored.released());

        third.receives(foundWithTime(stored.released())).receives(none()).endsWith(new LockOutcome.Contended(newest));
        third.receives(none())
                .receives(failed(Fault.DUPLICATE_KEY))
                .endsWith(new LockOutcome.Contended(LockSnapshot.unused(NAME)));
    }

    @ParameterizedTest
    @EnumSource
    void faultOfReadEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        attempt.receives(failure).failsWith(failure);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DUPLICATE_KEY")
    void uninterpretedFaultOfWriteEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        expired.receives(failure).failsWith(failure);
        attempt.receives(foundWithTime(stored.heldBy(ME))).receives(failure).failsWith(failure);
    }
}
