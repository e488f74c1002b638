package org.mongolocks.peers;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.mongock.driver.api.lock.LockCheckException;
import io.mongock.driver.api.lock.LockManager;
import io.mongock.driver.core.lock.LockManagerDefault;
import io.mongock.driver.mongodb.sync.v4.repository.MongoSync4LockRepository;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lock of mongock, by its lock manager with the background thread that renews it. A manager acquires one lock with a fixed
 * name, once: each acquisition has a manager, and each name a collection. Before each step the holder ensures that it has the
 * lock, as mongock's proxies do before each use of the database.
 */
final class Mongock {
    private Mongock() {}

    static PeerLocks open(PeerPlace place) {
        MongoClient mongo = MongoClients.create(place.uri());
        return new Managers(mongo, mongo.getDatabase(place.database()), place, new ConcurrentHashMap<>());
    }

    private record Managers(
            MongoClient mongo, MongoDatabase database, PeerPlace place, Map<String, MongoSync4LockRepository> locks)
            implements PeerLocks {
        @Override
        public Optional<PeerLock> acquire(String lock, Duration waitAtMost) {
            LockManager manager = LockManagerDefault.builder()
                    .setLockRepository(locks.computeIfAbsent(lock, this::repository))
                    .setLockAcquiredForMillis(place.ttl().toMillis())
                    .setLockQuitTryingAfterMillis(waitAtMost.toMillis() + 1)
                    .build();
            try {
                manager.acquireLockDefault();
                return Optional.of(new Ensured(manager));
            } catch (LockCheckException e) {
                return Optional.empty();
            }
        }

        private MongoSync4LockRepository repository(String lock) {
            MongoSync4LockRepository repository =
                    new MongoSync4LockRepository(database.getCollection(place.collection() + "-" + lock));
            repository.initialize();
            return repository;
        }

        @Override
        public void close() {
            mongo.close();
        }
    }

    private record Ensured(LockManager manager) implements PeerLocks.PeerLock {
        @Override
        public boolean isHeld() {
            try {
                manager.ensureLockDefault();
                return true;
            } catch (LockCheckException e) {
                return false;
            }
        }

        @Override
        public boolean release() {
            manager.releaseLockDefault();
            return true;
        }
    }
}
