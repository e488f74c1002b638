package org.mongolocks.spring.integration;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.bson.Document;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.adapter.EmbeddedScene;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.LockClient;

/** A lock of the embedded server, and registries with clients of their own. */
final class RegistryScene extends EmbeddedScene {
    private static final String DATABASE = "registries";

    final String key = "key-" + UUID.randomUUID();

    RegistryScene() {
        super(DATABASE, new FindAndModifyCounterStrategy());
    }

    MongoLockRegistry registry() throws InterruptedException {
        return registry(client());
    }

    static MongoLockRegistry registry(LockClient client) {
        return new MongoLockRegistry(client, key -> LockRequest.of(key, TTL).fixedLease());
    }

    MongoLockRegistry keptAlive() throws InterruptedException {
        return new MongoLockRegistry(client(builder -> builder.defaultTtl(TTL)));
    }

    LockClient client(UnaryOperator<LockClientBuilder<LockClient>> options) throws InterruptedException {
        return client(options.apply(builder(connection())));
    }

    LockClient client(ProxyRoute route) throws InterruptedException {
        return client(builder(route.connection()).commandTimeout(TIMEOUT_BEHIND_A_PROXY));
    }

    /** Opens a client whose commands have as long as usual: each may take longer than the lease lasts. */
    LockClient client(ProxyRoute route, Duration skewMargin) throws InterruptedException {
        return client(builder(route.connection()).skewMargin(skewMargin));
    }

    boolean isHeld() throws InterruptedException {
        return stored(key).filter(LockSnapshot::isHeld).isPresent();
    }

    Duration left() throws InterruptedException {
        return stored(key).flatMap(LockSnapshot::remaining).orElseThrow();
    }

    Duration ttl() throws InterruptedException {
        return stored(key).orElseThrow().ttl();
    }

    /** Releases the lock by force, also if its holder renews it at the same time. */
    void forceRelease() throws InterruptedException {
        try (LockClient operator = builder(connection()).build()) {
            boolean released = false;
            while (!released) {
                released = operator.forceRelease(operator.inspect(key).orElseThrow());
            }
        }
    }

    void deleteDocument() {
        documents().deleteOne(new Document("_id", key));
    }

    /** Raises the newest token beyond the server's clock, which the tokens of a new document follow. */
    void raiseToken() {
        documents().updateOne(new Document("_id", key), Updates.set("fence", 1L << 50));
    }

    private MongoCollection<Document> documents() {
        return connection().sync().getDatabase(DATABASE).getCollection("locks.findandmodify-counter");
    }

    /** Ends all leases, as a long pause of all clients does. */
    void lapse() {
        server.elapse(TTL.multipliedBy(2));
    }
}
