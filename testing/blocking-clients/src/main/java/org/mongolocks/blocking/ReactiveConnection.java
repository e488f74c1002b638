package org.mongolocks.blocking;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientStatus;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;
import org.mongolocks.blocking.BlockingLocks.TransactionWork;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveHeldLocks;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A connection on {@code mongodb-driver-reactivestreams}. An interrupt of a waiting thread cancels its subscription. */
public record ReactiveConnection(MongoClient mongo) implements DriverConnection {
    @Override
    public BlockingLocks build(String database, Consumer<LockClientBuilder<?>> setup) throws InterruptedException {
        LockClientBuilder<Mono<ReactiveLockClient>> builder =
                ReactiveLockClient.builder(mongo, database).drainTimeout(Duration.ZERO);
        setup.accept(builder);
        return new Locks(await(builder.build()).orElseThrow(), mongo.getDatabase(database));
    }

    @Override
    public DriverCollection collection(String database, String name, WriteConcern concern) {
        return new ReactiveCollection(
                mongo,
                mongo.getDatabase(database)
                        .getCollection(name)
                        .withWriteConcern(concern)
                        .withReadConcern(ReadConcern.LOCAL)
                        .withReadPreference(ReadPreference.primary()));
    }

    @Override
    public void ping() throws InterruptedException {
        await(Mono.from(mongo.getDatabase("admin").runCommand(PING)));
    }

    @Override
    public void close() {
        mongo.close();
    }

    /** Waits for the result of a publisher. */
    public static <T> Optional<T> await(Mono<T> mono) throws InterruptedException {
        return Optional.ofNullable(valueOf(mono));
    }

    private static <T> @Nullable T valueOf(Mono<T> mono) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        try {
            return mono.block();
        } catch (RuntimeException e) {
            if (Exceptions.unwrap(e) instanceof InterruptedException interrupted) {
                Thread.interrupted();
                throw interrupted;
            }
            throw e;
        }
    }

    /** The lock client. */
    private record Locks(ReactiveLockClient client, MongoDatabase database) implements BlockingLocks {
        @Override
        public Optional<BlockingLock> tryAcquire(LockRequest request) throws InterruptedException {
            return held(client.tryAcquire(request));
        }

        @Override
        public BlockingLock acquire(LockRequest request) throws InterruptedException {
            return held(client.acquire(request)).orElseThrow();
        }

        @Override
        public Optional<BlockingLockSet> tryAcquireAll(MultiLockRequest request) throws InterruptedException {
            return await(client.tryAcquireAll(request)).map(locks -> new HeldSet(locks, database));
        }

        @Override
        public Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
            return held(client.reentrant(owner).tryAcquire(request));
        }

        @Override
        public Optional<LockSnapshot> inspect(LockName name) throws InterruptedException {
            return await(client.inspect(name));
        }

        @Override
        public LockPage list(LockQuery query) throws InterruptedException {
            return await(client.list(query)).orElseThrow();
        }

        @Override
        public boolean forceRelease(LockSnapshot seen) throws InterruptedException {
            return await(client.forceRelease(seen)).orElseThrow();
        }

        @Override
        public ClientStatus status() {
            return client.status();
        }

        @Override
        public void close() {
            client.close();
        }

        /** Without an operator, which would be allocated in each call. */
        private Optional<BlockingLock> held(Mono<ReactiveHeldLock> acquisition) throws InterruptedException {
            ReactiveHeldLock lock = valueOf(acquisition);
            return lock == null ? Optional.empty() : Optional.of(new Held(lock, database));
        }
    }

    private record HeldSet(ReactiveHeldLocks locks, MongoDatabase database) implements BlockingLockSet {
        @Override
        public BlockingLock get(LockName name) {
            return new Held(locks.get(name), database);
        }

        @Override
        public List<BlockingLock> all() {
            return locks.all().stream()
                    .<BlockingLock>map(lock -> new Held(lock, database))
                    .toList();
        }

        @Override
        public boolean isHeld() {
            return locks.isHeld();
        }

        @Override
        public void onLost(LockLostListener listener) {
            locks.onLost(listener);
        }

        @Override
        public boolean release() {
            return locks.release().blockOptional().orElseThrow();
        }
    }

    private record Held(ReactiveHeldLock lock, MongoDatabase database) implements BlockingLock {
        @Override
        public Lease lease() {
            return lock.lease();
        }

        @Override
        public boolean isHeld() {
            return lock.isHeld();
        }

        @Override
        public Duration remaining() {
            return lock.remaining();
        }

        @Override
        public Optional<LossReason> loss() {
            return lock.loss();
        }

        @Override
        public void onLost(LockLostListener listener) {
            lock.onLost(listener);
        }

        @Override
        public void onEndangered(Duration remaining, LockEndangeredListener listener) {
            lock.onEndangered(remaining, listener);
        }

        @Override
        public boolean renew() throws InterruptedException {
            return Objects.requireNonNull(valueOf(lock.renew()));
        }

        @Override
        public boolean renew(Duration ttl) throws InterruptedException {
            return Objects.requireNonNull(valueOf(lock.renew(ttl)));
        }

        @Override
        public boolean release() {
            return Objects.requireNonNull(lock.release().block());
        }

        @Override
        public void inTransaction(TransactionWork work) throws Exception {
            try {
                await(lock.inTransaction(session -> blocking(session, work)));
            } catch (RuntimeException e) {
                throw Exceptions.unwrap(e) instanceof Exception cause ? cause : e;
            }
        }

        private Mono<Boolean> blocking(ClientSession session, TransactionWork work) {
            return Mono.fromCallable(() -> {
                        work.run((collection, document) -> Mono.from(
                                        database.getCollection(collection).insertOne(session, document))
                                .block());
                        return true;
                    })
                    .subscribeOn(Schedulers.boundedElastic());
        }
    }
}
