package org.mongolocks.benchmarks.peer;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;
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
 * ShedLock on MongoDB, with the concerns that its constructor from a database sets. It makes one attempt and never
 * waits.
 */
public final class ShedLockRival implements Rival {
    static final Contender CONTENDER = Contender.of(
            "shedlock",
            Kind.PEER,
            "ShedLock 7.9.0 on MongoDB",
            new Properties(
                    "majority; journal as the server is configured",
                    "none",
                    "none: whoever releases frees it, extends by host name",
                    "own",
                    "none",
                    "no: who asks again finds the lock held"));

    private final CountedMongo mongo;
    private final MongoCollection<Document> collection;

    public ShedLockRival(Workbench bench) {
        this.mongo = new CountedMongo(bench);
        this.collection = mongo.collection("shedlock")
                .withWriteConcern(WriteConcern.MAJORITY)
                .withReadConcern(ReadConcern.MAJORITY);
    }

    @Override
    public String id() {
        return CONTENDER.id();
    }

    @Override
    public Party open() {
        return new Provider(new MongoLockProvider(collection));
    }

    @Override
    public Waiting waiting() {
        return Waiting.NONE;
    }

    @Override
    public OptionalLong commands() {
        return mongo.commands();
    }

    @Override
    public void close() {
        mongo.close();
    }

    private record Provider(LockProvider provider) implements Party {
        @Override
        public Optional<Grant> acquire(LockRequest request) {
            String name = request.name().value();
            return provider.lock(new LockConfiguration(Instant.now(), name, request.ttl(), Duration.ZERO))
                    .map(lock -> Grant.of(OptionalLong.empty(), lock::unlock));
        }

        @Override
        public void close() {
            // No resources to close.
        }
    }
}
