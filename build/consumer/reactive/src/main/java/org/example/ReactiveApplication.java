package org.example;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import java.time.Duration;
import org.mongolocks.LockRequest;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.publisher.Mono;

public final class ReactiveApplication {
    public static void main(String[] args) {
        LockRequest request = LockRequest.of("invoice-42", Duration.ofSeconds(30));
        try (EmbeddedMongo server = EmbeddedMongo.start();
                MongoClient mongo = MongoClients.create(server.connectionString())) {
            boolean isBilled = Mono.usingWhen(
                            ReactiveLockClient.builder(mongo, "shop").build(),
                            locks -> locks.tryWithLock(request, lock -> Mono.fromRunnable(() -> System.out.println(
                                    "reactive: held with token " + lock.fencingToken()))),
                            ReactiveLockClient::closeLater)
                    .block();
            if (!isBilled) {
                throw new IllegalStateException("another client holds the lock");
            }
        }
    }
}
