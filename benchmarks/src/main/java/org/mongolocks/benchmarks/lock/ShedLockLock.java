package org.mongolocks.benchmarks.lock;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.run.RunEnvironment;

/**
 * ShedLock on MongoDB, with the concerns that its constructor from a database sets. It makes one attempt and never
 * waits.
 */
public final class ShedLockLock extends MongoLibraryLock {
    public static final String ID = "shedlock";

    public static final LockUnderTest CONTENDER = LockUnderTest.of(
            ID,
            Kind.PEER,
            "ShedLock 7.9.0 on MongoDB",
            new Properties(
                    "majority; journal as the server is configured",
                    "none",
                    "none: any client can release it, extends by host name",
                    "own",
                    "none",
                    "no: who asks again finds the lock held"));

    public ShedLockLock(RunEnvironment environment) {
        super(environment, ID);
    }

    @Override
    public BenchmarkParticipant open() {
        return new Provider(new MongoLockProvider(
                collection().withWriteConcern(WriteConcern.MAJORITY).withReadConcern(ReadConcern.MAJORITY)));
    }

    @Override
    public WaitMode waiting() {
        return WaitMode.NONE;
    }

    private record Provider(LockProvider provider) implements BenchmarkParticipant {
        @Override
        public Optional<AcquiredLock> acquire(LockRequest request) {
            String name = request.name().value();
            return provider.lock(new LockConfiguration(Instant.now(), name, request.ttl(), Duration.ZERO))
                    .map(lock -> AcquiredLock.of(OptionalLong.empty(), lock::unlock));
        }

        @Override
        public void close() {
            // No resources to close.
        }
    }
}
