package org.mongolocks.benchmarks.workload;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Driver;
import org.mongolocks.benchmarks.lock.AcquiredLock;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment.CommandCounter;
import org.mongolocks.blocking.DriverCollection;
import org.mongolocks.blocking.DriverCollection.Events;
import org.mongolocks.internal.wait.ReleaseEvents;

/**
 * The baseline of a hand-off: no hand-off of equal durability that is notified by MongoDB can be faster. It consists of
 * a write that removes the owner, the event of that write, and one {@code findAndModify} that sets the next owner. The
 * server filters events with the same pipeline as for the lock clients. It works only for two participants that
 * alternate: the token of a grant determines the release to wait for.
 */
public final class HandOffBaseline implements LockImplementation {
    public static final String ID = "floor-hand-off";

    public static final LockUnderTest CONTENDER = LockUnderTest.of(
            ID,
            Kind.BASELINE,
            "release write, change-stream event, findAndModify",
            Properties.ofBaseline("majority and journal"));

    private static final String OWNER = "owner";
    private static final String FENCE = "fence";

    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private final CommandCounter commands = new CommandCounter();
    private final String collection;
    private final Driver driver;

    public HandOffBaseline(RunEnvironment environment, Client client) {
        this.collection = environment.name(ID);
        this.driver = environment.driver(client, commands);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public Client client() {
        return driver.client();
    }

    @Override
    public BenchmarkParticipant open() {
        return new FeedParticipant(driver.collection(collection));
    }

    @Override
    public WaitMode waiting() {
        return WaitMode.NOTIFIED;
    }

    @Override
    public OptionalLong commands() {
        return OptionalLong.of(commands.count());
    }

    @Override
    public void close() {
        driver.close();
    }

    private final class FeedParticipant implements BenchmarkParticipant {
        private final DriverCollection documents;
        private final Events releases;
        private long last;

        FeedParticipant(DriverCollection documents) {
            this.documents = documents;
            this.releases = documents.watch(ReleaseEvents.pipeline());
        }

        /** The releases alternate between the two participants, so each waits for the release that follows its own. */
        @Override
        public Optional<AcquiredLock> acquire(LockRequest request) {
            String name = request.name().value();
            Bson take = combine(set(OWNER, UUID.randomUUID().toString()), inc(FENCE, 1L));
            Document taken = begun.add(name)
                    ? documents.change(eq("_id", name), take)
                    : releases.changeAfter(last + 1, name, take);
            last = taken.getLong(FENCE);
            return Optional.of(
                    AcquiredLock.of(OptionalLong.of(last), () -> documents.change(eq("_id", name), unset(OWNER))));
        }

        @Override
        public void close() {
            releases.close();
        }
    }
}
