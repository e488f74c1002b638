package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.embedded.support.RawClient;
import org.mongolocks.embedded.support.TestEngine;

/** How servers begin and end. */
@Timeout(30)
class ServerLifeTest {
    private static final BsonDocument PING = BsonDocument.parse("{ping: 1, $db: 'admin'}");
    private static final String OPEN = ", lsid: {id: {$uuid: '00000000-0000-4000-8000-000000000001'}},"
            + " txnNumber: NumberLong(1), autocommit: false, startTransaction: true";

    @Test
    void twentyServersRunSideBySideAndLeaveNoThread() throws IOException {
        List<EmbeddedMongo> servers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            servers.add(EmbeddedMongo.start());
        }
        for (EmbeddedMongo server : servers) {
            try (RawClient client = new RawClient(server.port())) {
                assertThat(client.run(PING)).isNotNull();
            }
        }

        assertThat(servers.stream().map(EmbeddedMongo::port)).doesNotHaveDuplicates();
        servers.forEach(EmbeddedMongo::close);
        assertThat(threads()).isEmpty();
    }

    @Test
    void closingTwiceIsHarmless() {
        EmbeddedMongo server = EmbeddedMongo.start();

        server.close();
        server.close();

        assertThat(threads()).isEmpty();
    }

    @Test
    void closingEndsCommandsThatWait() throws IOException {
        MovableClock still = MovableClock.startingAt(TestEngine.START);
        EmbeddedMongo server = EmbeddedMongo.builder().clock(still).start();
        try (RawClient holder = new RawClient(server.port());
                RawClient waiting = new RawClient(server.port())) {
            holder.run(insert(OPEN));
            waiting.send(insert(""));
            assertThat(holder.run(PING)).isNotNull();

            server.close();

            assertThat(threads()).isEmpty();
            BsonDocument last = waiting.receive();
            assertThat(last == null || last.getInt32("code").getValue() == 11_600)
                    .isTrue();
        }
    }

    private static BsonDocument insert(String options) {
        return BsonDocument.parse("{insert: 'c', documents: [{_id: 1}], $db: 'test'" + options + "}");
    }

    @Test
    void aPortIsFreeAgainWhenItsServerIsClosed() {
        EmbeddedMongo first = EmbeddedMongo.start();
        assertThatThrownBy(() -> EmbeddedMongo.builder().port(first.port()).start())
                .hasMessageContaining(String.valueOf(first.port()));
        first.close();

        EmbeddedMongo.builder().port(first.port()).start().close();
    }

    @Test
    void aStandaloneServerHasNoTransactions() {
        try (EmbeddedMongo server = EmbeddedMongo.builder().standalone().start();
                MongoClient client = MongoClients.create(server.connectionString());
                ClientSession session = client.startSession()) {
            MongoCollection<Document> collection = client.getDatabase("test").getCollection("c");
            collection.insertOne(new Document("_id", 1));
            session.startTransaction();

            assertThatThrownBy(() -> collection.find(session).first())
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            error -> assertThat(error.getCode()).isEqualTo(20))
                    .hasMessageContaining("Transaction numbers are only allowed on a replica set member or mongos");
        }
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("embedded-mongo"))
                .toList();
    }
}
