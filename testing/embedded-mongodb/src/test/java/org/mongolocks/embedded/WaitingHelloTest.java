package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;

import java.time.Duration;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;

/** hello and isMaster with the version of the topology that the client knows: answered when that changes, or when its time is over. */
@ParameterizedClass
@CsvSource({"hello, isWritablePrimary", "isMaster, ismaster"})
class WaitingHelloTest {
    private static final Duration WAIT = Duration.ofSeconds(10);

    @Parameter(0)
    private String name;

    @Parameter(1)
    private String isPrimary;

    private final TestEngine engine = TestEngine.create();

    @Test
    @Tag("finds:embedded-hello")
    void replyNamesThePrimaryByTheFieldOfItsCommand() {
        BsonDocument reply = engine.run("{" + name + ": 1}");

        assertThat(reply.getBoolean(isPrimary).getValue()).isTrue();
        assertThat(reply.keySet().stream().filter(Set.of("isWritablePrimary", "ismaster")::contains))
                .containsExactly(isPrimary);
    }

    @Test
    void replyCarriesTheVersionOfTheTopology() {
        BsonDocument version = version(engine);

        assertThat(version.keySet()).containsExactly("processId", "counter");
        assertThat(version.isObjectId("processId")).isTrue();
        assertThat(version.isInt64("counter")).isTrue();
        assertThat(version(engine)).isEqualTo(version);
    }

    @Test
    void standaloneServerHasAVersionThatStaysAtZero() {
        TestEngine standalone = TestEngine.create(MongoEngine.Builder::standalone);

        assertThat(version(standalone).getInt64("counter").getValue()).isZero();
        Answer waiting = hello(standalone, version(standalone));
        standalone.advance(WAIT.minusMillis(1));
        assertThat(waiting.isPending()).isTrue();
        standalone.advance(Duration.ofMillis(1));
        assertThat(waiting.reply().getBoolean(isPrimary).getValue()).isTrue();
    }

    @Test
    void helloWithTheCurrentVersionIsAnsweredAtItsTimeout() {
        Answer waiting = hello(engine, version(engine));

        engine.advance(WAIT.minusMillis(1));
        assertThat(waiting.isPending()).isTrue();
        assertThat(engine.engine().nextDue()).isPresent();
        engine.advance(Duration.ofMillis(1));

        assertThat(waiting.reply().getDocument("topologyVersion")).isEqualTo(version(engine));
    }

    @Test
    void versionOfAnotherProcessIsAnsweredAtOnce() {
        BsonDocument other = version(TestEngine.create(builder -> builder.seed(7)));

        assertThat(hello(engine, other).reply().getDocument("topologyVersion")).isEqualTo(version(engine));
    }

    @Test
    void olderVersionIsAnsweredAtOnce() {
        BsonDocument version = version(engine);
        BsonDocument older = changed(version, version.getInt64("counter").getValue() - 1);

        assertThat(hello(engine, older).reply().getDocument("topologyVersion")).isEqualTo(version);
    }

    @Test
    void closedConnectionHasNoWaitingHello() {
        Answer waiting = hello(engine, version(engine));

        engine.disconnect("main");
        engine.advance(WAIT);

        assertThat(waiting.isPending()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{HELLO: 1, maxAwaitTimeMS: 5} | 31368",
                "{HELLO: 1, topologyVersion: {processId: ObjectId(), counter: NumberLong(1)}} | 31368",
                "{HELLO: 1, topologyVersion: 1, maxAwaitTimeMS: 5} | 14",
            })
    void waitOfTheWrongFormIsRefused(String command, int code) {
        assertThat(code(engine.run(
                        command.replace("HELLO", name).replace("ObjectId()", "{$oid: '5f0000000000000000000000'}"))))
                .isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({
        "10107, true",
        "13435, true",
        "13436, true",
        "11602, true",
        "189, true",
        "91, false",
        "11600, false",
        "112, false",
        "64, false"
    })
    void errorsOfAStateChangeHaveTheTopologyVersion(int code, boolean isCarried) {
        failOnce("errorCode: " + code);
        BsonDocument failed = engine.run("{insert: 'c', documents: [{}]}");
        failOnce("writeConcernError: {code: " + code + ", errmsg: 'x'}");
        BsonDocument uncertain = engine.run("{insert: 'c', documents: [{}]}");

        BsonValue expected = isCarried ? version(engine) : null;
        assertThat(code(failed)).isEqualTo(code);
        assertThat(failed.get("topologyVersion")).isEqualTo(expected);
        assertThat(uncertain.get("topologyVersion")).isEqualTo(expected);
    }

    private void failOnce(String data) {
        assertThat(code(engine.admin(failPoint(data)))).isZero();
    }

    private static String failPoint(String data) {
        return "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['insert'], " + data + "}}";
    }

    private BsonDocument version(TestEngine engine) {
        return engine.run("{" + name + ": 1}").getDocument("topologyVersion");
    }

    private static BsonDocument changed(BsonDocument version, long counter) {
        return version.clone().append("counter", new BsonInt64(counter));
    }

    private Answer hello(TestEngine engine, BsonDocument version) {
        BsonDocument command = new BsonDocument(name, new BsonInt32(1))
                .append("topologyVersion", version)
                .append("maxAwaitTimeMS", new BsonInt64(WAIT.toMillis()))
                .append("comment", new BsonString("waits"));
        return engine.submit("main", "admin", command);
    }
}
