package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bson.Document;
import org.mongolocks.embedded.EmbeddedMongo;

/**
 * Three instances of an application that bill the same invoices: each invoice once. One of them is the leader, which
 * reports the progress.
 *
 * <p>It runs on the server that {@code MONGODB_URI} names, in a database that it drops first, or on an embedded one.
 */
public final class BillingExample {
    static final String DATABASE = "mongo_locks_example";
    static final int INVOICES = 24;
    private static final List<String> INSTANCES = List.of("north", "south", "west");

    private BillingExample() {}

    /**
     * Runs the example.
     *
     * @param args none
     * @throws Exception if the server cannot be used
     */
    public static void main(String[] args) throws Exception {
        Optional<String> uri = Optional.ofNullable(System.getenv("MONGODB_URI"));
        if (uri.isPresent()) {
            run(uri.get());
            return;
        }
        try (EmbeddedMongo server = EmbeddedMongo.start()) {
            run(server.connectionString());
        }
    }

    private static void run(String uri) throws InterruptedException {
        try (MongoClient mongo = MongoClients.create(uri)) {
            MongoDatabase database = mongo.getDatabase(DATABASE);
            database.drop();
            database.getCollection(BillingInstance.INVOICES)
                    .insertMany(IntStream.rangeClosed(1, INVOICES)
                            .mapToObj(BillingExample::invoice)
                            .toList());
            billAll(mongo);
            print(database);
        }
    }

    private static Document invoice(int number) {
        return new Document("_id", number).append("state", "open").append("amount", number * 10);
    }

    private static void billAll(MongoClient mongo) throws InterruptedException {
        List<BillingInstance> instances = new ArrayList<>();
        try {
            for (String name : INSTANCES) {
                instances.add(BillingInstance.start(name, mongo));
            }
            for (BillingInstance instance : instances) {
                instance.awaitEnd();
            }
        } finally {
            instances.forEach(BillingInstance::close);
        }
    }

    private static void print(MongoDatabase database) {
        for (String name : INSTANCES) {
            long billed = database.getCollection(BillingInstance.INVOICES).countDocuments(eq("billedBy", name));
            System.out.println(name + " billed " + billed + " invoices");
        }
        long charges = database.getCollection(BillingInstance.CHARGES).countDocuments();
        System.out.println(INVOICES + " invoices, " + charges + " charges");
        Document report = database.getCollection(BillingInstance.REPORTS).find().first();
        System.out.println("The leader's last report: " + report);
    }
}
