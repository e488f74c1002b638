package org.mongolocks.strategy.optimisticversion;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.Replies.counted;

import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockQuery;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Reply;

class RaiseTokensTest {
    static Stream<LockStrategy> strategies() {
        return Stream.of(new OptimisticVersionStrategy(), new ClockFreeVersionStrategy());
    }

    /** Renewals have raised the version above the least token. */
    @ParameterizedTest
    @MethodSource("strategies")
    void smallTokensAreRaisedIndependentlyOfTheirVersions(LockStrategy strategy) {
        BsonDocument renewed = heldByOther(strategy).append("version", new BsonInt64(140));

        ProtocolScript.of(strategy.raiseTokens(LockQuery.all(), 20))
                .sends(strategy.name() + "/list")
                .receives(new Reply.FoundMany(List.of(renewed)))
                .sends(strategy.name() + "/raise-tokens", """
                        {update: 'locks', updates: [
                         {query: {_id: '$job', format: '%s/3', fence: {$lt: NumberLong(20)}},
                          update: {
                           $max: {fence: NumberLong(20), version: NumberLong(20)},
                           $currentDate: {releasedAt: true, forcedAt: true, renewedAt: true},
                           $unset: {owner: true, holder: true%s},
                           $rename: {next: 'turn'}}}]}""".formatted(
                                strategy.name(), strategy instanceof ClockFreeVersionStrategy ? ", leaseId: true" : ""))
                .receives(counted(1))
                .endsWith(1L);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void largeTokensAreNotChanged(LockStrategy strategy) {
        ProtocolScript.of(strategy.raiseTokens(LockQuery.all(), TOKEN))
                .sends(strategy.name() + "/list")
                .receives(new Reply.FoundMany(List.of(heldByOther(strategy))))
                .endsWith(0L);
    }

    private static BsonDocument heldByOther(LockStrategy strategy) {
        return new LockDocumentFixtures(strategy.name() + "/3", "version").heldBy(OTHER);
    }
}
