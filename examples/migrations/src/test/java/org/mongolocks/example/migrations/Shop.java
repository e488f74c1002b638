package org.mongolocks.example.migrations;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.ArrayDeque;
import java.util.Deque;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.sync.LockClient;

/** The database "shop" on an embedded server. */
public abstract class Shop {
    private static EmbeddedMongo server;
    protected static MongoClient mongo;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @BeforeAll
    static void start() {
        server = EmbeddedMongo.start();
        mongo = MongoClients.create(server.connectionString());
    }

    @AfterAll
    static void stop() {
        mongo.close();
        server.close();
    }

    @AfterEach
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        mongo.getDatabase("shop").drop();
    }

    /** Adds something to close after the test, before all that was opened earlier. */
    protected final <T extends AutoCloseable> T opened(T closeable) {
        opened.push(closeable);
        return closeable;
    }

    protected final LockClient lockClient() throws InterruptedException {
        return opened(LockClient.builder(mongo, "shop")
                .strategy("findandmodify-counter")
                .build());
    }

    protected static MongoCollection<Document> collection(String name) {
        return mongo.getDatabase("shop").getCollection(name);
    }
}
