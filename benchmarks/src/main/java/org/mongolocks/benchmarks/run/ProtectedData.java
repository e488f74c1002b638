package org.mongolocks.benchmarks.run;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * The data that a lock protects, which detects violations of mutual exclusion: a document that is read, changed and
 * written back without an atomic operation. Two concurrent accesses are either seen in this JVM or lose an update.
 */
public final class ProtectedData {
    private static final String VISITS = "visits";
    private static final String TOKEN = "token";

    private final MongoCollection<Document> collection;
    private final Bson document;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong visits = new AtomicLong();
    private final AtomicLong notAlone = new AtomicLong();
    private final AtomicLong unorderedTokens = new AtomicLong();

    public ProtectedData(MongoCollection<Document> collection, String id) {
        this.collection = collection
                .withWriteConcern(WriteConcern.MAJORITY)
                .withReadConcern(ReadConcern.LOCAL)
                .withReadPreference(ReadPreference.primary());
        this.document = eq("_id", id);
        this.collection.insertOne(new Document("_id", id).append(VISITS, 0L).append(TOKEN, 0L));
    }

    /** Accesses the data under a grant of the lock. */
    public void visit(long token) {
        visit(OptionalLong.of(token));
    }

    /**
     * Accesses the data under a grant of a lock that may have no fencing token. Without a token, the order is not
     * checked.
     */
    public void visit(OptionalLong token) {
        boolean alone = inside.incrementAndGet() == 1;
        try {
            change(token);
        } finally {
            alone &= inside.decrementAndGet() == 0;
        }
        visits.incrementAndGet();
        if (!alone) {
            notAlone.incrementAndGet();
        }
    }

    /** Returns the violations so far. Must not be called during an access. */
    public Violations violations() {
        long lostUpdates = Math.max(0, visits.get() - stored().getLong(VISITS));
        return new Violations(notAlone.get(), unorderedTokens.get(), lostUpdates);
    }

    private void change(OptionalLong token) {
        Document before = stored();
        long newest = before.getLong(TOKEN);
        if (token.isPresent() && token.getAsLong() <= newest) {
            unorderedTokens.incrementAndGet();
        }
        collection.updateOne(
                document, combine(set(VISITS, before.getLong(VISITS) + 1), set(TOKEN, token.orElse(newest))));
    }

    private Document stored() {
        return Objects.requireNonNull(collection.find(document).first(), "The protected document is missing");
    }

    /**
     * The number of violations of mutual exclusion.
     *
     * @param notAlone accesses that overlapped with another access
     * @param unorderedTokens accesses with a fencing token that was not greater than the previous one
     * @param lostUpdates accesses whose update was lost
     */
    public record Violations(long notAlone, long unorderedTokens, long lostUpdates) {
        /** No violations. */
        public static final Violations NONE = new Violations(0, 0, 0);

        /** Returns the number of all violations; one incident may count in several ways. */
        public long total() {
            return notAlone + unorderedTokens + lostUpdates;
        }

        public Violations plus(Violations others) {
            return new Violations(
                    notAlone + others.notAlone,
                    unorderedTokens + others.unorderedTokens,
                    lostUpdates + others.lostUpdates);
        }
    }
}
