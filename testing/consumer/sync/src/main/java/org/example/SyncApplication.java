package org.example;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.sync.LockClient;

public final class SyncApplication {
    public static void main(String[] args) throws InterruptedException {
        String name = SyncApplication.class.getModule().isNamed() ? "module path" : "class path";
        try (EmbeddedMongo server = EmbeddedMongo.start();
                MongoClient mongo = MongoClients.create(server.connectionString());
                LockClient locks = LockClient.create(mongo, "shop")) {
            locks.withLock("invoice-42", lock -> {
                System.out.println("sync, " + name + ": held with token " + lock.fencingToken());
            });
        }
    }
}
