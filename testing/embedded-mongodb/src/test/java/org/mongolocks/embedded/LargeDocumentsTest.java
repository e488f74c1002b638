package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A document may have 16 MB, whatever the command that holds it has beside. */
class LargeDocumentsTest {
    private static final int MAX = 16 * 1024 * 1024;
    // { _id: int, t: string }
    private static final int FRAME = 4 + 9 + 3 + 5 + 1;

    private final EmbeddedMongo server = EmbeddedMongo.start();
    private final MongoClient client = MongoClients.create(server.connectionString());
    private final MongoCollection<Document> collection =
            client.getDatabase("test").getCollection("c");

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static Document document(int id, int size) {
        return new Document("_id", id).append("t", "x".repeat(size - FRAME));
    }

    @Test
    void theLargestDocumentIsInsertedAndReplaced() {
        collection.insertOne(document(1, MAX));
        collection.insertOne(new Document("_id", 2));
        collection.replaceOne(Filters.eq(2), document(2, MAX));
        collection.findOneAndReplace(Filters.eq(1), document(1, MAX - 1));
        client.getDatabase("test")
                .runCommand(new Document("insert", "c").append("documents", List.of(document(3, MAX))));

        assertThat(collection.find(Filters.eq(2)).first()).isEqualTo(document(2, MAX));
        assertThat(collection.countDocuments()).isEqualTo(3);
    }

    @Test
    void aByteMoreIsRefused() {
        Document command = new Document("insert", "c").append("documents", List.of(document(1, MAX + 1)));

        assertThat(client.getDatabase("test").runCommand(command).getList("writeErrors", Document.class))
                .extracting(error -> error.getInteger("code"))
                .containsExactly(2);
        collection.insertOne(document(1, MAX));
        assertThatThrownBy(() -> collection.updateOne(Filters.eq(1), Updates.set("u", 1)))
                .asInstanceOf(InstanceOfAssertFactories.type(MongoWriteException.class))
                .extracting(MongoWriteException::getCode)
                .isEqualTo(10_334);
    }
}
