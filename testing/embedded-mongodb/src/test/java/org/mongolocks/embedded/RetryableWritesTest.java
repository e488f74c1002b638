package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.n;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.TestEngine;

/** A write with a number is executed once, however often it is sent. */
class RetryableWritesTest {
    private final TestEngine engine = TestEngine.create();

    @BeforeEach
    void aDocument() {
        engine.run("{insert: 'c', documents: [{_id: 1, x: 0}]}");
    }

    @Test
    void retriedDeletionReturnsTheDeletedDocument() {
        String remove = "{findAndModify: 'c', query: {_id: 1}, remove: true, lsid: 'A', txnNumber: {$numberLong: '1'}}";

        assertThat(reply(engine.run(remove))).isEqualTo(reply(engine.run(remove)));
        assertThat(n(engine.run("{count: 'c'}"))).isZero();
    }

    @Test
    void ofABatchOnlyTheStatementsThatFailedAreDoneAgain() {
        assertThat(n(engine.run(batch("{_id: 10}, {_id: 1}, {_id: 11}")))).isEqualTo(1);

        assertThat(n(engine.run(batch("{_id: 10}, {_id: 2}, {_id: 11}")))).isEqualTo(3);

        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("1", "10", "2", "11");
    }

    @Test
    void anotherCommandUnderTheSameNumberIsNotMistakenForTheFirst() {
        engine.run("{findAndModify: 'c', query: {_id: 1}, update: {$inc: {x: 1}}, new: true,"
                + " lsid: 'A', txnNumber: {$numberLong: '1'}}");

        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 1}, remove: true,"
                        + " lsid: 'A', txnNumber: {$numberLong: '1'}}")))
                .isEqualTo(40_610);
    }

    @Test
    void retryOfAnEndedSessionIsRecognizedForSomeMinutes() {
        engine.run(batch("{_id: 10}"));
        engine.run("{endSessions: [{id: {$binary: {base64: '%s', subType: '04'}}}]}".formatted(base64("A")));

        assertThat(writeErrorCode(engine.run(batch("{_id: 10}")))).isZero();

        engine.run("{endSessions: [{id: {$binary: {base64: '%s', subType: '04'}}}]}".formatted(base64("A")));
        engine.advance(Duration.ofMinutes(5));
        assertThat(writeErrorCode(engine.run(batch("{_id: 10}")))).isEqualTo(11_000);
    }

    @Test
    void unusedSessionExpiresAfterHalfAnHour() {
        engine.run(batch("{_id: 10}"));
        engine.advance(Duration.ofMinutes(29));
        assertThat(writeErrorCode(engine.run(batch("{_id: 10}")))).isZero();

        engine.advance(Duration.ofMinutes(30));

        assertThat(writeErrorCode(engine.run(batch("{_id: 10}")))).isEqualTo(11_000);
    }

    private static String batch(String documents) {
        return "{insert: 'c', documents: [" + documents + "], lsid: 'A', txnNumber: {$numberLong: '1'}}";
    }

    private static BsonDocument reply(BsonDocument reply) {
        BsonDocument plain = reply.clone();
        plain.remove("$clusterTime");
        plain.remove("operationTime");
        plain.remove("electionId");
        plain.remove("opTime");
        return plain;
    }

    private static String base64(String session) {
        UUID id = TestEngine.sessionId(session);
        return Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(16)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array());
    }
}
