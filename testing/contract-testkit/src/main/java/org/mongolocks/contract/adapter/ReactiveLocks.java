package org.mongolocks.contract.adapter;

import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.mongolocks.ClientStatus;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.Lease;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLockSet;
import org.mongolocks.contract.setup.GuardedDocument;
import org.mongolocks.contract.setup.GuardedDocument.TransactionBody;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveHeldLocks;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The client on the reactive driver; an interrupt of the waiting thread cancels the subscription. */
public record ReactiveLocks(ReactiveLockClient client, MongoDatabase database) implements BlockingLocks {
    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return await(client.acquire(request)).map(lock -> new Held(lock, database));
    }

    @Override
    public BlockingLock acquireOrThrow(LockRequest request) throws InterruptedException {
        return new Held(await(client.acquireOrThrow(request)).orElseThrow(), database);
    }

    @Override
    public Optional<BlockingLockSet> acquireAll(MultiLockRequest request) throws InterruptedException {
        return await(client.acquireAll(request)).map(locks -> new HeldSet(locks, database));
    }

    @Override
    public Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
        return await(client.reentrant().acquire(owner, request)).map(lock -> new Held(lock, database));
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

    public static <T> Optional<T> await(Mono<T> mono) throws InterruptedException {
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
        public void onEndangered(Duration remaining, ExpiryWarningListener listener) {
            lock.onEndangered(remaining, listener);
        }

        @Override
        public boolean renew() throws InterruptedException {
            return await(lock.renew()).orElseThrow();
        }

        @Override
        public boolean renew(Duration ttl) throws InterruptedException {
            return await(lock.renew(ttl)).orElseThrow();
        }

        @Override
        public boolean release() {
            return lock.release().blockOptional().orElseThrow();
        }

        /** The work blocks, as on the other driver. */
        @Override
        public void inTransaction(TransactionBody body) throws Exception {
            try {
                await(lock.inTransaction(session -> work(session, body)));
            } catch (RuntimeException e) {
                throw Exceptions.unwrap(e) instanceof Exception cause ? cause : e;
            }
        }

        private Mono<Boolean> work(ClientSession session, TransactionBody body) {
            return Mono.fromCallable(() -> {
                        body.run(GuardedDocument.in(
                                database, session, lock.lease().name()));
                        return true;
                    })
                    .subscribeOn(Schedulers.boundedElastic());
        }
    }
}
