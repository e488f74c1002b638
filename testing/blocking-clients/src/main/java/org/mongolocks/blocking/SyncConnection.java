package org.mongolocks.blocking;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.mongolocks.ClientStatus;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockInterruptedException;
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
        LockClientBuilder<LockClient> builder =
                LockClient.builder(mongo, database).drainTimeout(Duration.ZERO);
        setup.accept(builder);
        return new Locks(interruptible(builder::build), mongo.getDatabase(database));
    }

    @Override
    public DriverCollection collection(String database, String name, WriteConcern concern) {
        return new SyncCollection(
                mongo,
                mongo.getDatabase(database)
                        .getCollection(name)
                        .withWriteConcern(concern)
                        .withReadConcern(ReadConcern.LOCAL)
                        .withReadPreference(ReadPreference.primary()));
    }

    @Override
    public void ping() {
        mongo.getDatabase("admin").runCommand(PING);
    }

    @Override
    public void close() {
        mongo.close();
    }

    @FunctionalInterface
    private interface CommandCall<R, E extends Exception> {
        R run() throws E;
    }

    /** The methods of the client that do not wait for locks declare no interrupt. */
    private static <R, E extends Exception> R interruptible(CommandCall<R, E> call) throws E, InterruptedException {
        try {
            return call.run();
        } catch (LockInterruptedException e) {
            Thread.interrupted();
            InterruptedException interrupted = new InterruptedException(e.getMessage());
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private record Locks(LockClient client, MongoDatabase database) implements BlockingLocks {
        @Override
        public Optional<BlockingLock> tryAcquire(LockRequest request) throws InterruptedException {
            return held(client.tryAcquire(request));
        }

        @Override
        public BlockingLock acquire(LockRequest request) throws InterruptedException {
            return new Held(client.acquire(request), database);
        }

        @Override
        public Optional<BlockingLockSet> tryAcquireAll(MultiLockRequest request) throws InterruptedException {
            return client.tryAcquireAll(request).map(locks -> new HeldSet(locks, database));
        }

        @Override
        public Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
            return held(client.reentrant(owner).tryAcquire(request));
        }

        @Override
        public Optional<Lock> asLock(LockRequest request) {
            return Optional.of(client.asLock(request));
        }

        @Override
        public Optional<LockSnapshot> inspect(LockName name) throws InterruptedException {
            return interruptible(() -> client.inspect(name));
        }

        @Override
        public LockPage list(LockQuery query) throws InterruptedException {
            return interruptible(() -> client.list(query));
        }

        @Override
        public boolean forceRelease(LockSnapshot seen) throws InterruptedException {
            return interruptible(() -> client.forceRelease(seen));
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
        public void onEndangered(Duration remaining, LockEndangeredListener listener) {
            lock.onEndangered(remaining, listener);
        }

        @Override
        public boolean renew() throws InterruptedException {
            return interruptible(lock::renew);
        }

        @Override
        public boolean renew(Duration ttl) throws InterruptedException {
            return interruptible(() -> lock.renew(ttl));
        }

        @Override
        public boolean release() {
            return lock.release();
        }

        @Override
        public void inTransaction(TransactionWork work) throws Exception {
            Boolean unused = interruptible(() -> lock.<Boolean, Exception>inTransaction(session -> {
                work.run((collection, document) ->
                        database.getCollection(collection).insertOne(session, document));
                return true;
            }));
        }
    }
}
