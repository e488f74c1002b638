package org.mongolocks.peers;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;

/**
 * ShedLock on MongoDB, with the concerns of its constructor from a database. It makes one attempt and never waits, and has no
 * means to ask whether a lock is still held. Its KeepAliveLockProvider renews locks.
 */
final class ShedLock {
    /** The shortest lease that can be kept alive. */
    static final Duration SHORTEST_KEPT_ALIVE = Duration.ofSeconds(30);

    private ShedLock() {}

    static PeerLocks open(PeerPlace place, boolean isKeptAlive) {
        MongoClient mongo = MongoClients.create(place.uri());
        MongoLockProvider provider = new MongoLockProvider(mongo.getDatabase(place.database())
                .getCollection(place.collection())
                .withWriteConcern(WriteConcern.MAJORITY)
                .withReadConcern(ReadConcern.MAJORITY));
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        return new Provider(
                isKeptAlive ? new KeepAliveLockProvider(provider, scheduler) : provider, place.ttl(), scheduler, mongo);
    }

    private record Provider(LockProvider provider, Duration ttl, ScheduledExecutorService scheduler, MongoClient mongo)
            implements PeerLocks {
        @Override
        public Optional<PeerLock> acquire(String lock, Duration waitAtMost) {
            return provider.lock(new LockConfiguration(ClockProvider.now(), lock, ttl, Duration.ZERO))
                    .map(Locked::new);
        }

        @Override
        public void close() {
            scheduler.shutdownNow();
            mongo.close();
        }
    }

    private record Locked(SimpleLock lock) implements PeerLocks.PeerLock {
        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public boolean release() {
            lock.unlock();
            return true;
        }
    }
}
