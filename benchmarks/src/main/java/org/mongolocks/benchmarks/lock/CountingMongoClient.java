package org.mongolocks.benchmarks.lock;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.OptionalLong;
import org.bson.Document;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment.CommandCounter;

/** A client of the synchronous driver for one lock under test, whose commands are counted. */
public final class CountingMongoClient implements AutoCloseable {
    private final CommandCounter counter = new CommandCounter();
    private final RunEnvironment environment;
    private final MongoClient mongo;

    public CountingMongoClient(RunEnvironment environment) {
        this.environment = environment;
        this.mongo = MongoClients.create(
                environment.settings().addCommandListener(counter).build());
    }

    /** Returns a collection of this run. */
    public MongoCollection<Document> collection(String name) {
        return mongo.getDatabase(RunEnvironment.DATABASE).getCollection(environment.name(name));
    }

    /** Returns the number of commands so far. */
    public OptionalLong commands() {
        return OptionalLong.of(counter.count());
    }

    @Override
    public void close() {
        mongo.close();
    }
}
