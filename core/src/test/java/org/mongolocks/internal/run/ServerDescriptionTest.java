package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.internal.run.ServerDescription.Kind;

class ServerDescriptionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{maxWireVersion: 21} | STANDALONE",
                "{maxWireVersion: 21, setName: 'rs0'} | MEMBER",
                "{maxWireVersion: 21, msg: 'isdbgrid'} | ROUTER"
            })
    void kindIsWhatTheReplyShows(String hello, Kind kind) {
        assertThat(ServerDescription.of(BsonDocument.parse(hello)).kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({"8, true", "9, false", "21, false"})
    void serverWithoutUpdatePipelinesIsOld(int wireVersion, boolean isOld) {
        ServerDescription server = ServerDescription.of(BsonDocument.parse("{maxWireVersion: " + wireVersion + "}"));

        assertThat(server.isOld()).isEqualTo(isOld);
    }

    @Test
    void serverThatIsNotKnownIsNeitherOldNorDirect() {
        assertThat(ServerDescription.UNKNOWN.isOld()).isFalse();
        assertThat(ServerDescription.UNKNOWN.isDirect()).isFalse();
        assertThat(ServerDescription.UNKNOWN.isRouter()).isFalse();
    }
}
