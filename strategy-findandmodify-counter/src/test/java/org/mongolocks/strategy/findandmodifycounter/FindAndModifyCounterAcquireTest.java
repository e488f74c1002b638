package org.mongolocks.strategy.findandmodifycounter;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.protocol.Replies.seen;

import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Reply;

class FindAndModifyCounterAcquireTest {
    private static final String TAKE_OR_KEEP = "findandmodify-counter/take-or-keep";

    private final LockDocumentFixtures stored = new LockDocumentFixtures("findandmodify-counter/1", "rev");
    private final ProtocolScript<LockOutcome> attempt =
            ProtocolScript.of(new FindAndModifyCounterStrategy().acquire(firstAttempt()));

    @Test
    void oneCommandKeepsTakesOrLeavesTheLock() {
        attempt.asks(TAKE_OR_KEEP, """
                {findAndModify: 'locks',
                 query: {_id: '$job', format: 'findandmodify-counter/1'},
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
                       fence: {$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]},
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

    @Test
    void myNameInTheReplyIsAGrantWithItsToken() {
        attempt.gets(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
    }

    @Test
    void anotherNameInTheReplyIsContention() {
        BsonDocument theirs = stored.heldBy(OTHER);

        attempt.gets(seen(theirs)).endsWith(new LockOutcome.Contended(stored.lookedAt(theirs)));
        attempt.gets(found(theirs)).endsWith(new LockOutcome.Contended(stored.read(theirs)));
    }

    @Test
    void anAttemptAfterAContendedOneLooksFirst() {
        LockSnapshot before = stored.read(stored.heldBy(OTHER));
        ProtocolScript<LockOutcome> poll = ProtocolScript.of(new FindAndModifyCounterStrategy()
                        .acquire(ProtocolFixture.nextAttempt(before, Duration.ofSeconds(1))))
                .asks("findandmodify-counter/look");

        poll.gets(seen(stored.heldBy(OTHER)))
                .endsWith(new LockOutcome.Contended(stored.lookedAt(stored.heldBy(OTHER))));
        poll.gets(seen(stored.released())).asks(TAKE_OR_KEEP);
        poll.gets(seen(stored.expiredOf(OTHER))).asks(TAKE_OR_KEEP);
        poll.gets(none()).asks(TAKE_OR_KEEP).gets(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
    }

    @Test
    void whoLosesTheRaceToCreateTheDocumentAsksForIt() {
        ProtocolScript<LockOutcome> second =
                attempt.gets(failed(Fault.DUPLICATE_KEY)).asks(TAKE_OR_KEEP);
        Reply.Failed failure = failed(Fault.AMBIGUOUS);

        second.gets(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
        second.gets(failure).failsWith(failure);
    }

    @Test
    void aDocumentThatHasGoneSinceIsCreatedOnce() {
        ProtocolScript<LockOutcome> gone =
                attempt.gets(failed(Fault.DUPLICATE_KEY)).gets(none());

        gone.asks("findandmodify-counter/look-again")
                .gets(none())
                .asks(TAKE_OR_KEEP)
                .gets(failed(Fault.DUPLICATE_KEY))
                .gets(none())
                .gets(none())
                .endsWith(new LockOutcome.Contended(LockSnapshot.unused(NAME)));
    }

    @Test
    void aDocumentOfAnotherIsRefused() {
        ProtocolScript<LockOutcome> look =
                attempt.gets(failed(Fault.DUPLICATE_KEY)).gets(none());

        look.gets(seen(stored.foreign())).failsWith(stored.refusalOf(stored.foreign()));
        look.gets(seen(stored.unmarked())).failsWith(stored.refusalOf(stored.unmarked()));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DUPLICATE_KEY")
    void everyOtherFaultEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        attempt.gets(failure).failsWith(failure);
    }
}
