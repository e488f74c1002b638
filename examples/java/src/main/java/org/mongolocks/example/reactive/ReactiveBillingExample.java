package org.mongolocks.example.reactive;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bson.Document;
import org.mongolocks.LockRequest;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.reactive.ReactiveFencedCollection;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Three instances of an application that bill the same invoices without blocking a thread: each invoice once.
 *
 * <p>It runs on the server that {@code MONGODB_URI} names, in a database that it drops first, or on an embedded one.
 */
public final class ReactiveBillingExample {
    static final int INVOICES = 24;
    private static final String DATABASE = "mongo_locks_example";
    private static final List<String> INSTANCES = List.of("north", "south", "west");
    /** How soon another instance can go on after a crash. Keep-alive renews the lease, however long the work takes. */
    private static final Duration TTL = Duration.ofSeconds(10);

    private static final int AT_A_TIME = 4;

    private final MongoCollection<Document> invoices;
    private final MongoCollection<Document> charges;

    private ReactiveBillingExample(MongoDatabase database) {
        this.invoices = database.getCollection("invoices");
        this.charges = database.getCollection("charges");
    }

    /**
     * Runs the example.
     *
     * @param args none
     */
    public static void main(String[] args) {
        Optional<String> uri = Optional.ofNullable(System.getenv("MONGODB_URI"));
        if (uri.isPresent()) {
            run(uri.get());
            return;
        }
        try (EmbeddedMongo server = EmbeddedMongo.start()) {
            run(server.connectionString());
        }
    }

    /** Only the thread of the program blocks. */
    private static void run(String uri) {
        try (MongoClient mongo = MongoClients.create(uri)) {
            MongoDatabase database = mongo.getDatabase(DATABASE);
            ReactiveBillingExample example = new ReactiveBillingExample(database);
            Mono.from(database.drop())
                    .then(example.insertInvoices())
                    .thenMany(Flux.fromIterable(INSTANCES))
                    .flatMap(name -> example.runInstance(name, mongo))
                    .doOnNext(System.out::println)
                    .then(example.summary())
                    .doOnNext(System.out::println)
                    .block();
        }
    }

    private Mono<Void> insertInvoices() {
        List<Document> all = IntStream.rangeClosed(1, INVOICES)
                .mapToObj(number ->
                        new Document("_id", number).append("state", "open").append("amount", number * 10))
                .toList();
        return Mono.defer(() -> Mono.from(invoices.insertMany(all))).then();
    }

    /** Bills with a lock client of its own, as another process would, and closes it at the end or on an error. */
    private Mono<String> runInstance(String name, MongoClient mongo) {
        return Mono.usingWhen(
                ReactiveLockClient.builder(mongo, DATABASE)
                        .strategy("findandmodify-counter")
                        .instance(name)
                        .build(),
                locks -> billAll(name, locks),
                ReactiveLockClient::closeLater);
    }

    /** Each instance has an order of its own, so that instances seldom want the same invoice. */
    private Mono<String> billAll(String name, ReactiveLockClient locks) {
        List<Integer> numbers =
                new ArrayList<>(IntStream.rangeClosed(1, INVOICES).boxed().toList());
        Collections.shuffle(numbers);
        return Flux.fromIterable(numbers)
                .flatMap(number -> billOnce(number, name, locks), AT_A_TIME)
                .filter(billed -> billed)
                .count()
                .map(count -> name + " billed " + count + " invoices");
    }

    /** Emits whether this instance billed the invoice: not if another one does so now, or did so before. */
    private Mono<Boolean> billOnce(int number, String name, ReactiveLockClient locks) {
        LockRequest request = LockRequest.of("invoice-" + number, TTL);
        return locks.tryCallWithLock(request, lock -> bill(number, name, lock)).defaultIfEmpty(false);
    }

    /**
     * From the touch on, the invoice refuses writes of an instance that has lost the lock without detecting it. A loss
     * that is detected cancels this.
     */
    private Mono<Boolean> bill(int number, String name, ReactiveHeldLock lock) {
        ReactiveFencedCollection<Document> fenced = ReactiveFencedCollection.of(invoices, lock);
        return fenced.touch(eq("_id", number))
                .filter(invoice -> invoice.getString("state").equals("open"))
                .flatMap(invoice -> charge(invoice)
                        .then(fenced.update(
                                eq("_id", number), combine(set("state", "billed"), set("billedBy", name)))));
    }

    /** A payment outside of the database needs the number of the invoice as its key: a repetition is harmless then. */
    private Mono<Void> charge(Document invoice) {
        Document charge = new Document("invoice", invoice.getInteger("_id")).append("amount", invoice.get("amount"));
        return Mono.defer(() -> Mono.from(charges.insertOne(charge))).then();
    }

    private Mono<String> summary() {
        return Mono.defer(() -> Mono.from(charges.countDocuments()))
                .map(count -> INVOICES + " invoices, " + count + " charges");
    }
}
