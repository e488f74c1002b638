package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mongolocks.embedded.support.Replies.batch;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterType;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;

/** A server that passes for a router. */
class RouterTest {
    @Test
    void onlyARouterDeliversEventsLate() {
        assertThatThrownBy(() -> TestEngine.create(builder -> builder.eventInterval(Duration.ofMillis(1))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("only a router delivers events late");
        assertThatThrownBy(() -> MongoEngine.builder().eventInterval(Duration.ofSeconds(61)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("eventInterval must be between PT0S and PT1M");
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

    @Test
    void driverRecognizesARouter() {
        try (EmbeddedMongo server = EmbeddedMongo.builder().router().start();
                MongoClient client = MongoClients.create(server.connectionString())) {
            client.getDatabase("test").getCollection("c").insertOne(new Document("_id", 1));

            assertThat(client.getClusterDescription().getType()).isEqualTo(ClusterType.SHARDED);
        }
    }

    @Test
    void aRouterIsNotStandalone() {
        assertThatThrownBy(() -> EmbeddedMongo.builder().router().standalone().start())
                .isInstanceOf(IllegalStateException.class);
    }
}
