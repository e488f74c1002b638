package org.mongolocks.benchmarks.lock;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.OptionalLong;
import org.bson.Document;
import org.mongolocks.benchmarks.run.CommandCounter;
import org.mongolocks.benchmarks.run.RunEnvironment;

/** A client of the synchronous driver for one lock under test, whose commands are counted. */
public final class CountingMongoClient implements AutoCloseable {
    private final CommandCounter counter = new CommandCounter();
    private final RunEnvironment bench;
    private final MongoClient mongo;

    public CountingMongoClient(RunEnvironment bench) {
        this.bench = bench;
        this.mongo =
                MongoClients.create(bench.settings().addCommandListener(counter).build());
    }

    /** Returns a collection of this run. */
    public MongoCollection<Document> collection(String name) {
        return mongo.getDatabase(RunEnvironment.DATABASE).getCollection(bench.name(name));
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
