package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.n;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** A server that passes for a router: sharded collections, and which writes to them can be sent to one shard. */
class RouterTest {
    private static final int SHARD_KEY_NOT_FOUND = 61;

    private final TestEngine engine =
            TestEngine.create(builder -> builder.router().sharded("test.c", "tenant"));

    @Test
    void clientsFindOutHowACollectionIsSharded() {
        BsonDocument shown = batch(config("collections")).get(0);

        assertThat(shown.getString("_id").getValue()).isEqualTo("test.c");
        assertThat(shown.getDocument("key")).isEqualTo(BsonDocument.parse("{tenant: 1}"));
        assertThat(shown.get("unique")).isEqualTo(BsonBoolean.FALSE);
        assertThat(shown.get("dropped")).isEqualTo(BsonBoolean.FALSE);
        assertThat(shown.get("uuid"))
                .isEqualTo(batch(engine.run("{listCollections: 1}"))
                        .get(0)
                        .getDocument("info")
                        .get("uuid"));
        assertThat(batch(config("shards"))).hasSize(1);
        assertThat(batch(config("mongos"))).hasSize(1);
        assertThat(engine.run("{isMaster: 1}").getString("msg").getValue()).isEqualTo("isdbgrid");
        assertThat(engine.run("{isMaster: 1}").containsKey("setName")).isFalse();
    }

    @Test
    void aStreamMayOpenLateAndHasWhatHappenedMeanwhile() {
        Duration delay = Duration.ofSeconds(10);
        TestEngine late =
                TestEngine.create(builder -> builder.version("9.0").router().streamOpeningDelay(delay));
        late.run("{insert: 'c', documents: [{_id: 0}]}");

        Answer stream = late.submit("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        Answer limited = late.submit("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}, maxTimeMS: 1000}");
        assertThat(code(late.submitOn("other", "{insert: 'c', documents: [{_id: 1}]}")
                        .reply()))
                .isZero();
        late.advance(delay.minusMillis(1));
        assertThat(code(limited.reply())).isEqualTo(50);
        assertThat(stream.isPending()).isTrue();
        late.advance(Duration.ofMillis(1));

        BsonDocument opened = stream.reply();
        List<BsonDocument> events = new ArrayList<>(batch(opened));
        events.addAll(batch(late.more(opened).reply()));
        assertThat(events)
                .extracting(event -> event.getDocument("documentKey").get("_id"))
                .containsExactly(new BsonInt32(1));
    }

    @Test
    void onlyARouterOpensStreamsAndDeliversEventsLate() {
        assertThatThrownBy(() -> TestEngine.create(builder -> builder.streamOpeningDelay(Duration.ofMillis(1))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("only a router opens change streams late");
        assertThatThrownBy(() -> TestEngine.create(builder -> builder.eventInterval(Duration.ofMillis(1))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("only a router delivers events late");
        assertThatThrownBy(() -> MongoEngine.builder().streamOpeningDelay(Duration.ofSeconds(61)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("streamOpeningDelay must be between PT0S and PT1M");
    }

    @Test
    void eventsMayComeLateAndTogether() {
        Duration interval = Duration.ofSeconds(10);
        TestEngine late = TestEngine.create(builder -> builder.router().eventInterval(interval));
        BsonDocument opened = late.run("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        late.run("{insert: 'c', documents: [{_id: 1}]}");
        late.advance(interval.dividedBy(2));
        late.run("{insert: 'c', documents: [{_id: 2}]}");

        Answer early = late.more(opened);
        late.advance(Duration.ofSeconds(2));
        assertThat(batch(early.reply())).isEmpty();
        Answer next = late.more(opened);
        late.advance(interval.dividedBy(2));

        assertThat(batch(next.reply()))
                .extracting(event -> event.getDocument("documentKey").get("_id"))
                .containsExactly(new BsonInt32(1), new BsonInt32(2));
    }

    private BsonDocument config(String collection) {
        return engine.submit("main", "config", BsonDocument.parse("{find: '" + collection + "'}"))
                .reply();
    }

    @Test
    void aCollectionIsShardedByTheCommandAsWell() {
        assertThat(code(engine.admin("{enableSharding: 'test'}"))).isZero();
        assertThat(code(engine.admin("{shardCollection: 'test.d', key: {a: 1, b: 1}, unique: true}")))
                .isZero();
        assertThat(code(engine.admin("{shardCollection: 'test.d', key: {b: 1}}")))
                .isEqualTo(23);
        assertThat(code(engine.admin("{shardCollection: 'test.e', key: {a: 'hashed'}}")))
                .isEqualTo(238);

        assertThat(batch(engine.run("{listIndexes: 'd'}")).get(1).getDocument("key"))
                .isEqualTo(BsonDocument.parse("{a: 1, b: 1}"));
        assertThat(batch(config("collections"))).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{update: 'c', updates: [{q: {x: 1}, u: {$set: {y: 1}}}]} | 72",
                "{update: 'c', updates: [{q: {_id: 1, x: 1}, u: {$set: {y: 1}}}]} | 72",
                "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {y: 1}}}]} | 0",
                "{update: 'c', updates: [{q: {tenant: 'a', x: 1}, u: {$set: {y: 1}}}]} | 0",
                "{update: 'c', updates: [{q: {x: 1}, u: {$set: {y: 1}}, multi: true}]} | 0",
                "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {y: 1}}, upsert: true}]} | 61",
                "{update: 'c', updates: [{q: {tenant: {$gt: 'a'}}, u: {$set: {y: 1}}, upsert: true}]} | 61",
                "{update: 'c', updates: [{q: {_id: 1, tenant: 'a'}, u: {$set: {y: 1}}, upsert: true}]} | 0",
                "{delete: 'c', deletes: [{q: {x: 1}, limit: 1}]} | 61",
                "{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]} | 0",
                "{delete: 'c', deletes: [{q: {tenant: 'a'}, limit: 1}]} | 0",
                "{delete: 'c', deletes: [{q: {x: 1}, limit: 0}]} | 0",
            })
    void aWriteOfOneDocumentNeedsTheShardKey(String command, int code) {
        engine.run("{insert: 'c', documents: [{_id: 1, tenant: 'a', x: 1}]}");

        BsonDocument reply = engine.run(command);

        assertThat(writeErrorCode(reply)).as(reply.toJson()).isEqualTo(code);
        assertThat(n(reply)).isEqualTo(code == 0 ? 1 : 0);
    }

    @Test
    void aFindAndModifyNeedsTheShardKeyEvenWithTheId() {
        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 1}, update: {$inc: {n: 1}}, upsert: true}")))
                .isEqualTo(SHARD_KEY_NOT_FOUND);
        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 1}, remove: true}")))
                .isEqualTo(SHARD_KEY_NOT_FOUND);
        assertThat(code(engine.run(
                        "{findAndModify: 'c', query: {_id: 1, tenant: 'a'}, update: {$inc: {n: 1}}, upsert: true}")))
                .isZero();
    }

    @Test
    void anIdMayBeThereOnceForEachValueOfTheShardKey() {
        engine.run("{insert: 'c', documents: [{_id: 1, tenant: 'a'}, {_id: 1, tenant: 'b'}]}");

        assertThat(ids(engine.run("{find: 'c', filter: {_id: 1}}"))).containsExactly("1", "1");
        assertThat(writeErrorCode(engine.run("{insert: 'c', documents: [{_id: 1, tenant: 'b'}]}")))
                .isEqualTo(11_000);
        TestTransaction transaction = new TestTransaction(engine, "A", 1);
        assertThat(n(transaction.run("{insert: 'c', documents: [{_id: 1, tenant: 'c'}]}")))
                .isEqualTo(1);
        assertThat(code(transaction.commit())).isZero();
        assertThat(n(engine.run("{delete: 'c', deletes: [{q: {_id: 1, tenant: 'a'}, limit: 1}]}")))
                .isEqualTo(1);
        assertThat(ids(engine.run("{find: 'c', filter: {_id: 1}}"))).hasSize(2);
    }

    @Test
    void aUniqueIndexBeginsWithTheShardKey() {
        assertThat(code(engine.run("{createIndexes: 'c', indexes: [{key: {u: 1}, name: 'u', unique: true}]}")))
                .isEqualTo(67);
        assertThat(code(engine.run(
                        "{createIndexes: 'c', indexes: [{key: {tenant: 1, u: 1}, name: 'u', unique: true}]}")))
                .isZero();
    }

    @Test
    void aChangeOfTheShardKeyIsRetryableOrATransaction() {
        engine.run("{insert: 'c', documents: [{_id: 1, tenant: 'a'}]}");
        String change = "{update: 'c', updates: [{q: {_id: 1, tenant: 'a'}, u: {$set: {tenant: 'b'}}}]";

        assertThat(writeErrorCode(engine.run(change + "}"))).isEqualTo(20);
        assertThat(writeErrorCode(engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {tenant: 'b'}}}]}")))
                .isEqualTo(31_025);
        assertThat(n(engine.run(change + ", lsid: 'A', txnNumber: NumberLong(1)}")))
                .isEqualTo(1);
    }

    @Test
    void aDroppedCollectionIsMarked() {
        engine.run("{drop: 'c'}");

        assertThat(batch(config("collections")).get(0).get("dropped")).isEqualTo(BsonBoolean.TRUE);
        assertThat(n(engine.run("{insert: 'c', documents: [{_id: 1}]}"))).isEqualTo(1);
        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 1}, remove: true}")))
                .isZero();
    }

    @Test
    void driverRecognizesARouter() {
        try (EmbeddedMongo server =
                        EmbeddedMongo.builder().router().sharded("test.c", "k").start();
                MongoClient client = MongoClients.create(server.connectionString())) {
            client.getDatabase("test").getCollection("c").insertOne(new Document("_id", 1).append("k", 2));

            assertThat(client.getClusterDescription().getType()).isEqualTo(ClusterType.SHARDED);
            assertThat(client.getDatabase("config")
                            .getCollection("collections")
                            .find(new Document("_id", "test.c"))
                            .first())
                    .containsEntry("key", new Document("k", 1));
        }
    }

    @Test
    void onlyARouterHasShardedCollections() {
        assertThat(code(TestEngine.create().admin("{shardCollection: 'test.c', key: {a: 1}}")))
                .isEqualTo(59);
        assertThatThrownBy(() -> MongoEngine.builder().sharded("test.c", "a").build())
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> EmbeddedMongo.builder().router().standalone().start())
                .isInstanceOf(IllegalStateException.class);
    }
}
