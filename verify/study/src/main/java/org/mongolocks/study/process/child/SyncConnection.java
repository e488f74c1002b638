package org.mongolocks.study.process.child;

import com.mongodb.client.MongoClient;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.Document;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * A connection on {@code mongodb-driver-sync}.
 *
 * @param mongo the driver
 */
record SyncConnection(MongoClient mongo) implements ChildConnection {
    @Override
    public void ping() {
        mongo.getDatabase("admin").runCommand(new Document("ping", 1));
    }

    @Override
    public Locks build(String database, Consumer<LockClientBuilder<?>> setup) throws InterruptedException {
        LockClient.Builder builder = LockClient.builder(mongo, database);
        setup.accept(builder);
        return new SyncLocks(builder.build());
    }

    @Override
    public void close() {
        mongo.close();
    }

    private record SyncLocks(LockClient client) implements Locks {
        @Override
        public Optional<Lock> acquire(LockRequest request) throws InterruptedException {
            return client.acquire(request).map(Held::new);
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record Held(HeldLock lock) implements Lock {
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
            return lock.release();
        }
    }
}
