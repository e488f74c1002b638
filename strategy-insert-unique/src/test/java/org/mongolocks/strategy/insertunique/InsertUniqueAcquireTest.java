package org.mongolocks.strategy.insertunique;

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
import org.mongolocks.spi.LastKnownState;
import org.mongolocks.spi.Reply;

class InsertUniqueAcquireTest {
    private static final String CREATE = "insert-unique/create";
    private static final String LOOK = "insert-unique/look";
    private static final String TAKE_OR_KEEP = "insert-unique/take-or-keep";

    private final InsertUniqueStrategy strategy = new InsertUniqueStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("insert-unique/1", "rev");
    private final ProtocolScript<LockOutcome> attempt = ProtocolScript.of(strategy.acquire(firstAttempt()));
    private final ProtocolScript<LockOutcome> inTheWay = attempt.gets(failed(Fault.DUPLICATE_KEY));

    @Test
    void anUnusedNameIsTakenByOneCommandThatCanBeAskedAgain() {
        attempt.asks(CREATE, """
                {findAndModify: 'locks',
                 query: {_id: '$job', format: 'insert-unique/1', owner: 'me/00000000-0000-0000-0000-000000000001'},
                 update: [
                  {$set: {
                    expiresAt: {$max: ['$expiresAt', {$add: ['$$NOW', NumberLong(10000)]}]},
                    leaseMs: NumberLong(10000),
                    rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]},
                    holder: {$literal: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'}},
                    fence: {$ifNull: ['$fence', {$toLong: '$$NOW'}]},
                    acquiredAt: {$ifNull: ['$acquiredAt', '$$NOW']}}},
                  {$unset: ['releasedAt', 'forcedAt']},
                  {$set: {purgeAt: {$add: ['$expiresAt', NumberLong(86400000)]}}}],
                 upsert: true}""").gets(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
    }

    @Test
    void aDocumentInTheWayIsKeptTakenOrLeft() {
        inTheWay.asks(TAKE_OR_KEEP, """
                {findAndModify: 'locks',
                 query: {_id: '$job', format: 'insert-unique/1'},
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
                       fence: {$max: [
                           {$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]},
                           {$toLong: '$$NOW'}]},
                       acquiredAt: '$$NOW',
                       expiresAt: {$add: ['$$NOW', NumberLong(10000)]},
                       leaseMs: NumberLong(10000),
                       rev: {$add: [{$ifNull: ['$rev', NumberLong(0)]}, NumberLong(1)]}}]}}],
                   default: '$$ROOT'}}},
                  {$unset: ['releasedAt', 'forcedAt']},
                  {$set: {purgeAt: {$add: ['$expiresAt', NumberLong(86400000)]}}}],
                 fields: {
                  format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, expiresAt: 1, leaseMs: 1, forcedAt: 1,
                  rev: 1, now: '$$NOW'}}""");
    }

    @Test
    void myNameInTheReplyIsAGrantWithItsToken() {
        inTheWay.gets(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
    }

    @Test
    void anotherNameInTheReplyIsContention() {
        BsonDocument theirs = stored.heldBy(OTHER);

        inTheWay.gets(seen(theirs)).endsWith(new LockOutcome.Contended(stored.lookedAt(theirs)));
        inTheWay.gets(found(theirs)).endsWith(new LockOutcome.Contended(stored.read(theirs)));
    }

    @Test
    void aDocumentThatHasGoneSinceIsCreatedOnce() {
        ProtocolScript<LockOutcome> again = inTheWay.gets(none())
                .asks("insert-unique/look-again")
                .gets(none())
                .asks(CREATE);

        again.gets(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
        again.gets(failed(Fault.DUPLICATE_KEY))
                .asks(TAKE_OR_KEEP)
                .gets(none())
                .gets(none())
                .endsWith(new LockOutcome.Contended(LockSnapshot.unused(NAME)));
    }

    @Test
    void aDocumentOfAnotherIsRefused() {
        ProtocolScript<LockOutcome> look = inTheWay.gets(none());

        look.gets(seen(stored.foreign())).failsWith(stored.refusalOf(stored.foreign()));
        look.gets(seen(stored.unmarked())).failsWith(stored.refusalOf(stored.unmarked()));
    }

    @Test
    void anAttemptAfterAContendedOneLooksFirst() {
        LockSnapshot before = stored.read(stored.heldBy(OTHER));
        ProtocolScript<LockOutcome> poll = ProtocolScript.of(
                        strategy.acquire(ProtocolFixture.nextAttempt(before, Duration.ofSeconds(1))))
                .asks(LOOK);

        poll.gets(seen(stored.heldBy(OTHER)))
                .endsWith(new LockOutcome.Contended(stored.lookedAt(stored.heldBy(OTHER))));
        poll.gets(seen(stored.foreign())).failsWith(stored.refusalOf(stored.foreign()));
    }

    @Test
    void aNameThatThisClientSawHeldIsCreatedOnlyIfItsDocumentHasGone() {
        ProtocolScript<LockOutcome> known = ProtocolScript.of(strategy.acquire(firstAttempt(LastKnownState.HELD)))
                .asks(LOOK);

        known.gets(none()).asks(CREATE);
        known.gets(seen(stored.released())).asks(TAKE_OR_KEEP);
        known.gets(seen(stored.expiredOf(OTHER))).asks(TAKE_OR_KEEP);
        known.gets(seen(stored.heldBy(ME)))
                .asks(TAKE_OR_KEEP)
                .gets(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }

    @ParameterizedTest
    @EnumSource(names = {"FREE", "NOTIFIED_FREE"})
    void aNameThatThisClientSawReleasedHasADocumentAlready(LastKnownState lastSeen) {
        ProtocolScript<LockOutcome> known =
                ProtocolScript.of(strategy.acquire(firstAttempt(lastSeen))).asks(TAKE_OR_KEEP);

        known.gets(found(stored.heldBy(ME))).endsWith(acquired(TOKEN));
        known.gets(none()).gets(none()).asks(CREATE);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DUPLICATE_KEY")
    void everyOtherFaultOfTheFirstCommandEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        attempt.gets(failure).failsWith(failure);
    }

    @ParameterizedTest
    @EnumSource
    void everyFaultOfTheSecondCommandEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        inTheWay.gets(failure).failsWith(failure);
    }
}
