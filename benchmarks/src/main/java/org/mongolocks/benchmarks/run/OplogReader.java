package org.mongolocks.benchmarks.run;

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

/** The oplog of the server, restricted to the entries of this run. */
public final class OplogReader {
    private static final Document PING = new Document("ping", 1);

    private final MongoCollection<Document> entries;
    private final MongoDatabase admin;
    private final Pattern ours;

    OplogReader(MongoClient mongo, String prefix) {
        this.entries = mongo.getDatabase("local").getCollection("oplog.rs");
        this.admin = mongo.getDatabase("admin");
        this.ours = Pattern.compile("^" + Pattern.quote(prefix));
    }

    /**
     * Returns the time of its end.
     *
     * @return empty if the server has no oplog
     * @throws com.mongodb.MongoException if reading is not permitted
     */
    public Optional<BsonTimestamp> end() {
        return Optional.ofNullable(entries.find().first())
                .map(entry -> admin.runCommand(PING).get("operationTime", BsonTimestamp.class));
    }

    /** Returns the number of entries after a time. A transaction counts as one entry. */
    public long countSince(BsonTimestamp time) {
        return entries.countDocuments(and(gt("ts", time), or(regex("ns", ours), regex("o.applyOps.ns", ours))));
    }
}
