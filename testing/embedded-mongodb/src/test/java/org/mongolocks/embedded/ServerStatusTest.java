package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.TestEngine;

/** What serverStatus and replies tell of the server. */
class ServerStatusTest {
    private final TestEngine engine = TestEngine.create();

    @Test
    void sessionsAreCounted() {
        engine.run("{find: 'c', lsid: 'A'}");
        engine.run("{find: 'c', lsid: 'B'}");

        assertThat(status("logicalSessionRecordCache")
                        .getInt32("activeSessionsCount")
                        .getValue())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{insert: 'c', documents: [{_id: 2}]}",
                "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {x: 1}}}]}",
                "{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}",
            })
    void repliesToWritesHaveTheirOpTime(String write) {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");

        BsonDocument reply = engine.run(write);

        assertThat(reply.getDocument("opTime").get("ts")).isEqualTo(reply.get("operationTime"));
        assertThat(reply.get("electionId"))
                .isEqualTo(engine.run("{isMaster: 1}").get("electionId"));
        BsonDocument standalone =
                TestEngine.create(MongoEngine.Builder::standalone).run(write);
        assertThat(standalone.containsKey("opTime") || standalone.containsKey("electionId"))
                .isFalse();
    }

    private BsonDocument status(String section) {
        return engine.run("{serverStatus: 1}").getDocument(section);
    }
}
