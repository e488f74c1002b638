package org.mongolocks.benchmarks.lock;

import io.mongock.driver.api.lock.LockCheckException;
import io.mongock.driver.api.lock.LockManager;
import io.mongock.driver.core.lock.LockManagerDefault;
import io.mongock.driver.core.lock.LockRepository;
import io.mongock.driver.mongodb.sync.v4.repository.MongoSync4LockRepository;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.run.RunEnvironment;

/**
 * The lock of mongock, through its lock manager. A manager acquires one lock with a fixed name, once. Each acquisition
 * therefore has its own manager, without the renewal daemon, on a repository that changes the name of the lock. A
 * request that does not wait uses the repository directly, because a manager always sleeps before it fails.
 */
public final class MongockLock extends MongoLibraryLock {
    static final LockUnderTest CONTENDER = LockUnderTest.of(
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

    public MongockLock(RunEnvironment environment) {
        super(environment, CONTENDER.id());
    }

    @Override
    public BenchmarkParticipant open() {
        MongoSync4LockRepository repository = new MongoSync4LockRepository(collection());
        repository.initialize();
        return new Managers(repository);
    }

    @Override
    public WaitMode waiting() {
        return WaitMode.polling(PERIOD);
    }

    private record Managers(LockRepository repository) implements BenchmarkParticipant {
        @Override
        public Optional<AcquiredLock> acquire(LockRequest request) {
            NamedMongockLock named =
                    new NamedMongockLock(repository, request.name().value());
            return request.waitAtMost().isZero()
                    ? named.tryOnce(request.ttl()).map(MongockLock::locked)
                    : wait(named, request);
        }

        private static Optional<AcquiredLock> wait(NamedMongockLock named, LockRequest request) {
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

    private static AcquiredLock locked(Runnable end) {
        return AcquiredLock.of(OptionalLong.empty(), end);
    }
}
