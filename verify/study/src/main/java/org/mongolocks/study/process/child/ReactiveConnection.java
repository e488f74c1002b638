package org.mongolocks.study.process.child;

import com.mongodb.reactivestreams.client.MongoClient;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.Document;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * A connection on {@code mongodb-driver-reactivestreams}. An interrupt of a waiting thread cancels its subscription.
 *
 * @param mongo the driver
 */
record ReactiveConnection(MongoClient mongo) implements ChildConnection {
    @Override
    public void ping() throws InterruptedException {
        await(Mono.from(mongo.getDatabase("admin").runCommand(new Document("ping", 1))));
    }

    @Override
    public Locks build(String database, Consumer<LockClientBuilder<?>> setup) throws InterruptedException {
        ReactiveLockClient.Builder builder = ReactiveLockClient.builder(mongo, database);
        setup.accept(builder);
        return new ReactiveLocks(await(builder.build()).orElseThrow());
    }

    @Override
    public void close() {
        mongo.close();
    }

    private static <T> Optional<T> await(Mono<T> mono) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        try {
            return mono.blockOptional();
        } catch (RuntimeException e) {
            if (Exceptions.unwrap(e) instanceof InterruptedException interrupted) {
                Thread.interrupted();
                throw interrupted;
            }
            throw e;
        }
    }

    private record ReactiveLocks(ReactiveLockClient client) implements Locks {
        @Override
        public Optional<Lock> acquire(LockRequest request) throws InterruptedException {
            return await(client.acquire(request)).map(Held::new);
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record Held(ReactiveHeldLock lock) implements Lock {
        @Override
        public Lease lease() {
            return lock.lease();
        }

        @Override
        public boolean isHeld() {
            return lock.isHeld();
        }

        @Override
        public void onLost(LockLostListener listener) {
            lock.onLost(listener);
        }

        @Override
        public boolean release() {
            return lock.release().blockOptional().orElseThrow();
        }
    }
}
