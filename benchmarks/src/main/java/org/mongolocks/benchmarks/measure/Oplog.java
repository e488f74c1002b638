package org.mongolocks.benchmarks.measure;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Filters.regex;

import com.mongodb.client.MongoCollection;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bson.BsonTimestamp;
import org.bson.Document;

/** Reads what the server has written for its other members, as far as this run caused it. */
public final class Oplog {
    private final MongoCollection<Document> entries;
    private final Pattern ours;

    Oplog(MongoCollection<Document> entries, String prefix) {
        this.entries = entries;
        this.ours = Pattern.compile("^" + Pattern.quote(prefix));
    }

    /**
     * Tells where it ends.
     *
     * @return nothing if there is none
     * @throws com.mongodb.MongoException if it may not be read
     */
    public Optional<BsonTimestamp> end() {
        return Optional.ofNullable(
                        entries.find().sort(new Document("$natural", -1)).first())
                .map(entry -> entry.get("ts", BsonTimestamp.class));
    }

    /** Counts the entries after a time, those of a transaction as one. */
    public long countSince(BsonTimestamp time) {
        return entries.countDocuments(and(gt("ts", time), or(regex("ns", ours), regex("o.applyOps.ns", ours))));
    }
}
