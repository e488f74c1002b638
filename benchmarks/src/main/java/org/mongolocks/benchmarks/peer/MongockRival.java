package org.mongolocks.benchmarks.peer;

import com.mongodb.client.MongoCollection;
import io.mongock.driver.api.lock.LockCheckException;
import io.mongock.driver.api.lock.LockManager;
import io.mongock.driver.core.lock.LockManagerDefault;
import io.mongock.driver.core.lock.LockRepository;
import io.mongock.driver.mongodb.sync.v4.repository.MongoSync4LockRepository;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.Document;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Contender.Properties;
import org.mongolocks.benchmarks.rival.CountedMongo;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;
import org.mongolocks.benchmarks.rival.Waiting;

/**
 * The lock of mongock, through its lock manager. A manager acquires one lock with a fixed name, once. Each acquisition
 * therefore has its own manager, without the renewal daemon, on a repository that changes the name of the lock. A
 * request that does not wait uses the repository directly, because a manager always sleeps before it fails.
 */
public final class MongockRival implements Rival {
    static final Contender CONTENDER = Contender.of(
            "mongock",
            Kind.PEER,
            "mongock 5.5.1's lock",
            new Properties(
                    "majority and journal",
                    "none",
                    "owner",
                    "own",
                    "asks again, here each half second (a second by default)",
                    "yes: the owner asks again"));

    /** The shortest polling interval that mongock allows. */
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final CountedMongo mongo;
    private final MongoCollection<Document> collection;

    public MongockRival(Workbench bench) {
        this.mongo = new CountedMongo(bench);
        this.collection = mongo.collection("mongock");
    }

    @Override
    public String id() {
        return CONTENDER.id();
    }

    @Override
    public Party open() {
        MongoSync4LockRepository repository = new MongoSync4LockRepository(collection);
        repository.initialize();
        return new Managers(repository);
    }

    @Override
    public Waiting waiting() {
        return Waiting.polling(PERIOD);
    }

    @Override
    public OptionalLong commands() {
        return mongo.commands();
    }

    @Override
    public void close() {
        mongo.close();
    }

    private record Managers(LockRepository repository) implements Party {
        @Override
        public Optional<Grant> acquire(LockRequest request) {
            NamedLock named = new NamedLock(repository, request.name().value());
            return request.waitAtMost().isZero()
                    ? named.tryOnce(request.ttl()).map(MongockRival::locked)
                    : wait(named, request);
        }

        private static Optional<Grant> wait(NamedLock named, LockRequest request) {
            LockManager manager = LockManagerDefault.builder()
                    .setLockRepository(named)
                    .setLockAcquiredForMillis(request.ttl().toMillis())
                    .setLockQuitTryingAfterMillis(request.waitAtMost().toMillis() + 1)
                    .setLockTryFrequencyMillis(PERIOD.toMillis())
                    .disableBackGround()
                    .build();
            try {
                manager.acquireLockDefault();
                return Optional.of(locked(manager::releaseLockDefault));
            } catch (LockCheckException e) {
                return Optional.empty();
            }
        }

        @Override
        public void close() {
            // No resources to close.
        }
    }

    private static Grant locked(Runnable end) {
        return Grant.of(OptionalLong.empty(), end);
    }
}
