package org.example;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import org.mongolocks.LockRequest;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.sync.LockClient;

public final class SyncApplication {
    public static void main(String[] args) throws InterruptedException {
        String name = SyncApplication.class.getModule().isNamed() ? "module path" : "class path";
        try (EmbeddedMongo server = EmbeddedMongo.start();
                MongoClient mongo = MongoClients.create(server.connectionString());
                LockClient locks = LockClient.builder(mongo, "shop").build()) {
            LockRequest request = LockRequest.of("invoice-42", Duration.ofSeconds(30));
            locks.withLock(request, lock -> {
                System.out.println("sync, " + name + ": held with token " + lock.fencingToken());
            });
        }
    }
}
