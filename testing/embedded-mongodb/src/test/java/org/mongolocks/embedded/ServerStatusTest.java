package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
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

    private BsonDocument status(String section) {
        return engine.run("{serverStatus: 1}").getDocument(section);
    }
}
