package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mongolocks.embedded.support.Replies.code;

import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.TestEngine;

/** What differs by version and is neither recorded nor a subject of its own. */
class VersionsTest {
    @ParameterizedTest
    @CsvSource({"4.4, 9", "5.0, 13", "7.0, 21", "8.0, 25", "9.0, 29"})
    void theServerSaysWhichItIs(String version, int wireVersion) {
        TestEngine engine = TestEngine.create(builder -> builder.version(version));

        for (String handshake : new String[] {"{hello: 1, helloOk: true}", "{isMaster: 1, helloOk: true}"}) {
            assertThat(engine.run(handshake))
                    .containsEntry("maxWireVersion", new BsonInt32(wireVersion))
                    .containsEntry("minWireVersion", new BsonInt32(0));
        }
        assertThat(engine.run("{buildInfo: 1}")).containsEntry("version", new BsonString(version + ".0"));
        assertThat(engine.admin("{serverStatus: 1}")).containsEntry("version", new BsonString(version + ".0"));
        assertThat(engine.admin("{getParameter: 1, featureCompatibilityVersion: 1}")
                        .getDocument("featureCompatibilityVersion"))
                .isEqualTo(new BsonDocument("version", new BsonString(version)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.2", "6.0", "5", "5.0.1", "latest", ""})
    void othersAreRefusedWithThoseThatThereAre(String version) {
        assertThatThrownBy(() -> EmbeddedMongo.builder().version(version))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("version must be one of 4.4, 5.0, 7.0, 8.0, 9.0, was " + version);
    }

    @Test
    void aServerWithoutPipelinesIsNoNewerThanItsVersion() {
        assertThat(TestEngine.create(builder -> builder.version("5.0").withoutUpdatePipelines(13))
                        .run("{hello: 1}"))
                .containsEntry("maxWireVersion", new BsonInt32(13));
        assertThatThrownBy(() -> TestEngine.create(builder -> builder.withoutUpdatePipelines(13)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("version 4.4", "9", "13");
    }

    @ParameterizedTest
    @CsvSource({
        "10107, NotMaster, NotWritablePrimary, NotWritablePrimary",
        "13435, NotMasterNoSlaveOk, NotPrimaryNoSecondaryOk, NotPrimaryNoSecondaryOk",
        "13436, NotMasterOrSecondary, NotPrimaryOrSecondary, NotPrimaryOrSecondary",
        "323, Location323, APIStrictError, APIStrictError",
        "462, Location462, Location462, IngressRequestRateLimitExceeded",
        "91, ShutdownInProgress, ShutdownInProgress, ShutdownInProgress",
    })
    void errorsHaveTheNamesOfTheirTime(int code, String in4, String in5, String in8) {
        assertThat(nameOf(code, "4.4")).isEqualTo(in4);
        assertThat(nameOf(code, "5.0")).isEqualTo(in5);
        assertThat(nameOf(code, "8.0")).isEqualTo(in8);
    }

    private static String nameOf(int code, String version) {
        TestEngine engine = TestEngine.create(builder -> builder.version(version));
        engine.admin("{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {failCommands: ['find'], errorCode: "
                + code + "}}");
        BsonDocument reply = engine.run("{find: 'c'}");
        assertThat(code(reply)).isEqualTo(code);
        return reply.getString("codeName").getValue();
    }
}
