package org.mongolocks.benchmarks.measure;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Filters.regex;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bson.BsonTimestamp;
import org.bson.Document;

/** Reads what the server has written for its other members, as far as this run caused it. */
public final class Oplog {
    private static final Document PING = new Document("ping", 1);

    private final MongoCollection<Document> entries;
    private final MongoDatabase admin;
    private final Pattern ours;

    Oplog(MongoClient mongo, String prefix) {
        this.entries = mongo.getDatabase("local").getCollection("oplog.rs");
        this.admin = mongo.getDatabase("admin");
        this.ours = Pattern.compile("^" + Pattern.quote(prefix));
    }

    /**
     * Tells where it ends.
     *
     * @return nothing if there is none
     * @throws com.mongodb.MongoException if it may not be read
     */
    public Optional<BsonTimestamp> end() {
        return Optional.ofNullable(entries.find().first())
                .map(entry -> admin.runCommand(PING).get("operationTime", BsonTimestamp.class));
    }

    /** Counts the entries after a time, those of a transaction as one. */
    public long countSince(BsonTimestamp time) {
        return entries.countDocuments(and(gt("ts", time), or(regex("ns", ours), regex("o.applyOps.ns", ours))));
    }
}
