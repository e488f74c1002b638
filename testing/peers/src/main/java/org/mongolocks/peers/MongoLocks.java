package org.mongolocks.peers;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import java.util.Optional;
import org.mongolocks.LockRequest;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** This library, with the strategy for most users, so that it runs like the others. */
final class MongoLocks {
    private MongoLocks() {}

    static PeerLocks open(PeerPlace place) {
        MongoClient mongo = MongoClients.create(place.uri());
        LockClient client = LockClient.builder(mongo, place.database())
                .strategy(new FindAndModifyCounterStrategy())
                .collection(place.collection())
                .build();
        return new Locks(client, mongo, place.ttl());
    }

    private record Locks(LockClient client, MongoClient mongo, Duration ttl) implements PeerLocks {
        @Override
        public Optional<PeerLock> acquire(String lock, Duration waitAtMost) throws InterruptedException {
            return client.tryAcquire(LockRequest.of(lock, ttl).waitAtMost(waitAtMost))
                    .map(Locked::new);
        }

        @Override
        public void close() {
            client.close();
            mongo.close();
        }
    }

    private record Locked(HeldLock lock) implements PeerLocks.PeerLock {
        @Override
        public boolean isHeld() {
            return lock.isHeld();
        }

        @Override
        public long token() {
            return lock.fencingToken();
        }

        @Override
        public boolean release() {
            return lock.release();
        }
    }
}
