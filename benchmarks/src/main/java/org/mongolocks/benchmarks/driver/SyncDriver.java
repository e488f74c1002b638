package org.mongolocks.benchmarks.driver;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.SyncConnection;
import org.mongolocks.spi.LockStrategy;

/** The synchronous driver. */
final class SyncDriver implements DriverAdapter {
    private final MongoClient mongo;
    private final String database;

    SyncDriver(MongoClientSettings settings, String database) {
        this.mongo = MongoClients.create(settings);
        this.database = database;
    }

    @Override
    public Client client() {
        return Client.SYNC;
    }

    @Override
    public BlockingLocks locks(LockStrategy strategy, String collection) throws InterruptedException {
        return new SyncConnection(mongo)
                .build(database, builder -> DriverAdapter.configure(builder, strategy, collection));
    }

    @Override
    public RawCommands raw(WriteConcern concern, String collection) {
        return new RawCommands(
                new SyncCollection(mongo, mongo.getDatabase(database).getCollection(collection), concern));
    }

    @Override
    public RawChangeStream feed(String collection, List<? extends Bson> pipeline) {
        MongoCollection<Document> durable = mongo.getDatabase(database)
                .getCollection(collection)
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(Baseline.DURABLE);
        return new SyncRawChangeStream(durable, pipeline);
    }

    @Override
    public void close() {
        mongo.close();
    }
}
