package org.mongolocks.benchmarks.lock;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.Document;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment.CommandCounter;

/** The lock of another library on MongoDB, on a client of its own whose commands are counted. */
abstract class MongoLibraryLock implements LockImplementation {
    private final CommandCounter counter = new CommandCounter();
    private final String id;
    private final MongoClient mongo;
    private final MongoCollection<Document> collection;

    MongoLibraryLock(RunEnvironment environment, String id) {
        this.id = id;
        this.mongo = MongoClients.create(
                environment.settings().addCommandListener(counter).build());
        this.collection = mongo.getDatabase(RunEnvironment.DATABASE).getCollection(environment.name(id));
    }

    /** Returns a collection of this run, for the locks. */
    MongoCollection<Document> collection() {
        return collection;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public OptionalLong commands() {
        return OptionalLong.of(counter.count());
    }

    @Override
    public Optional<Baseline> baseline() {
        return Optional.of(Baseline.TWO_FIND_AND_MODIFY);
    }

    @Override
    public void close() {
        mongo.close();
    }
}
