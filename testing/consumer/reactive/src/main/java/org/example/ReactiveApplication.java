package org.example;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.publisher.Mono;

public final class ReactiveApplication {
    public static void main(String[] args) {
        try (EmbeddedMongo server = EmbeddedMongo.start();
                MongoClient mongo = MongoClients.create(server.connectionString())) {
            boolean isBilled = Mono.usingWhen(
                            ReactiveLockClient.create(mongo, "shop"),
                            locks -> locks.tryWithLock("invoice-42", lock -> Mono.fromRunnable(() -> System.out.println(
                                    "reactive: held with token " + lock.fencingToken()))),
                            ReactiveLockClient::closeLater)
                    .block();
            if (!isBilled) {
                throw new IllegalStateException("another client holds the lock");
            }
        }
    }
}
