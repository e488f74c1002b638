package org.mongolocks.blocking;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.mongolocks.ClientStatus;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
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
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.HeldLocks;
import org.mongolocks.sync.LockClient;

/** A connection on {@code mongodb-driver-sync}. */
public record SyncConnection(MongoClient mongo) implements DriverConnection {
    @Override
    public BlockingLocks build(String database, Consumer<LockClientBuilder<?>> setup) throws InterruptedException {
        LockClient.Builder builder = LockClient.builder(mongo, database);
        setup.accept(builder);
        return new Locks(builder.build(), mongo.getDatabase(database));
    }

    @Override
    public void ping() {
        mongo.getDatabase("admin").runCommand(PING);
    }

    @Override
    public void close() {
        mongo.close();
    }

    private record Locks(LockClient client, MongoDatabase database) implements BlockingLocks {
        @Override
        public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
            return held(client.acquire(request));
        }

        @Override
        public Optional<BlockingLock> tryAcquire(LockRequest request) throws InterruptedException {
            return held(client.tryAcquire(request));
        }

        @Override
        public BlockingLock acquireOrThrow(LockRequest request) throws InterruptedException {
            return new Held(client.acquireOrThrow(request), database);
        }

        @Override
        public Optional<BlockingLockSet> acquireAll(MultiLockRequest request) throws InterruptedException {
            return client.acquireAll(request).map(locks -> new HeldSet(locks, database));
        }

        @Override
        public Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
            return held(client.reentrant().acquire(owner, request));
        }

        @Override
        public Optional<Lock> asLock(LockRequest request) {
            return Optional.of(client.asLock(request));
        }

        @Override
        public Optional<LockSnapshot> inspect(LockName name) throws InterruptedException {
            return client.inspect(name);
        }

        @Override
        public LockPage list(LockQuery query) throws InterruptedException {
            return client.list(query);
        }

        @Override
        public boolean forceRelease(LockSnapshot seen) throws InterruptedException {
            return client.forceRelease(seen);
        }

        @Override
        public ClientStatus status() {
            return client.status();
        }

        @Override
        public void close() {
            client.close();
        }

        /** Without a lambda that would have to be allocated in each call. */
        private Optional<BlockingLock> held(Optional<HeldLock> lock) {
            return lock.isPresent() ? Optional.of(new Held(lock.get(), database)) : Optional.empty();
        }
    }

    private record HeldSet(HeldLocks locks, MongoDatabase database) implements BlockingLockSet {
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
            return locks.release();
        }
    }

    private record Held(HeldLock lock, MongoDatabase database) implements BlockingLock {
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
            return lock.renew();
        }

        @Override
        public boolean renew(Duration ttl) throws InterruptedException {
            return lock.renew(ttl);
        }

        @Override
        public boolean release() {
            return lock.release();
        }

        @Override
        public void inTransaction(TransactionWork work) throws Exception {
            lock.<Boolean, Exception>inTransaction(session -> {
                work.run((collection, document) ->
                        database.getCollection(collection).insertOne(session, document));
                return true;
            });
        }
    }
}
