package org.mongolocks.example.invoices;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Indexes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.HeldLock;

/** The invoices in the database. Thread-safe. */
final class Invoices {
    private static final String OPEN = "open";
    private static final int MAX_AMOUNT = 500;

    private final MongoCollection<Document> collection;

    Invoices(MongoDatabase database) {
        this.collection = database.getCollection("invoices");
        collection.createIndex(Indexes.ascending("state"));
    }

    /**
     * An invoice as the page shows it.
     *
     * @param id the number of the invoice, which is part of the name of its lock
     * @param amount the amount
     * @param state open or billed
     * @param billedBy the instance that billed it, or an empty text
     * @param charges how often it was billed: never more than once
     * @param token the fencing token of the last holder of its lock that began to bill it; 0 if none has
     */
    record Invoice(String id, int amount, String state, String billedBy, int charges, long token) {
        static Invoice of(Document stored) {
            return new Invoice(
                    stored.getObjectId("_id").toHexString(),
                    stored.getInteger("amount"),
                    stored.getString("state"),
                    stored.get("billedBy", ""),
                    stored.getInteger("charges"),
                    stored.get("fence", 0L));
        }
    }

    void add(int count) {
        collection.insertMany(IntStream.range(0, count)
                .mapToObj(index -> new Document("_id", new ObjectId())
                        .append("amount", 1 + ThreadLocalRandom.current().nextInt(MAX_AMOUNT))
                        .append("state", OPEN)
                        .append("charges", 0))
                .toList());
    }

    List<Invoice> all() {
        return collection.find().sort(new Document("_id", -1)).map(Invoice::of).into(new ArrayList<>());
    }

    /** Returns any open invoice, so that instances seldom want the same one. */
    Optional<String> anyOpen() {
        List<ObjectId> open = collection
                .find(eq("state", OPEN))
                .map(invoice -> invoice.getObjectId("_id"))
                .into(new ArrayList<>());
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of(open.get(ThreadLocalRandom.current().nextInt(open.size()))
                        .toHexString());
    }

    /** Returns the invoices for a holder of a lock: they refuse the writes of an earlier holder. */
    Fenced fencedBy(HeldLock lock) {
        return new Fenced(FencedCollection.of(collection, lock));
    }

    /**
     * The invoices, as one holder of a lock uses them.
     *
     * @param collection the collection, with the token of the lock
     */
    record Fenced(FencedCollection<Document> collection) {
        /** Returns whether an invoice is still open, and stores the token in it. */
        boolean begin(String id) {
            return collection
                    .touch(eq("_id", new ObjectId(id)))
                    .filter(invoice -> invoice.getString("state").equals(OPEN))
                    .isPresent();
        }

        /** Bills an invoice, in one write. */
        void bill(String id, String instance) {
            boolean written = collection.update(
                    eq("_id", new ObjectId(id)),
                    combine(set("state", "billed"), set("billedBy", instance), inc("charges", 1)));
            if (!written) {
                throw new IllegalStateException("Invoice " + id + " was deleted while it was billed");
            }
        }
    }
}
