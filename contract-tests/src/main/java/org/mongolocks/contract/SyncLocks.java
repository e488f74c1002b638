package org.mongolocks.contract;

import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.Optional;
import org.mongolocks.EndangeredListener;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Is the client on the synchronous driver. */
record SyncLocks(LockClient client, MongoDatabase database) implements BlockingLocks {
    @Override
    public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
        return client.acquire(request).map(lock -> new Held(lock, database));
    }

    @Override
    public Optional<LockSnapshot> inspect(LockName name) throws InterruptedException {
        return client.inspect(name);
    }

    @Override
    public boolean forceRelease(LockSnapshot seen) throws InterruptedException {
        return client.forceRelease(seen);
    }

    @Override
    public void close() {
        client.close();
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
        public void onLost(LossListener listener) {
            lock.onLost(listener);
        }

        @Override
        public void onEndangered(Duration remaining, EndangeredListener listener) {
            lock.onEndangered(remaining, listener);
        }

        @Override
        public boolean renew() throws InterruptedException {
            return lock.renew();
        }

        @Override
        public boolean release() {
            return lock.release();
        }

        @Override
        public void inTransaction(GuardedBody body) throws Exception {
            lock.<Boolean, Exception>inTransaction(session -> {
                body.run(GuardedData.in(database, session, lock.lease().name()));
                return true;
            });
        }
    }
}
