package org.mongolocks.study.process.soak;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.sync.LockClient;

/**
 * Finds what clients that have ended left on the server: locks with a live lease, and live tickets of fair waiters.
 *
 * @param mongo a connection
 * @param place the locks
 * @param technique their strategy
 * @param calm the time in which no client was killed; the tickets of clients that were may last longer
 */
record LeftLocks(MongoClient mongo, ChildConfig.Place place, Technique technique, Duration calm) {
    /** Returns a sentence for each. */
    List<String> find() throws InterruptedException {
        List<String> left = new ArrayList<>();
        try (LockClient locks = LockClient.builder(mongo, place.database())
                .strategy(technique.strategies().apply(InstantSource.system()))
                .collection(place.collection())
                .build()) {
            Optional<LockQuery> query = Optional.of(LockQuery.all());
            while (query.isPresent()) {
                LockPage page = locks.list(query.get());
                page.locks().stream()
                        .filter(LeftLocks::isHeld)
                        .map(lock -> technique.name() + ": " + lock.name() + " is still held")
                        .forEach(left::add);
                query = page.next().map(name -> LockQuery.all().after(name));
            }
        }
        tickets().forEach(name -> left.add(technique.name() + ": a ticket is left in the queue of " + name));
        return left;
    }

    private static boolean isHeld(LockSnapshot lock) {
        return lock.holder().isPresent()
                && lock.remaining().map(left -> !left.isZero()).orElse(true);
    }

    private boolean isLeft(Document ticket, Instant now) {
        Instant until = ticket.getDate("until").toInstant();
        Instant renewed = until.minusMillis(ticket.getLong("ttlMs"));
        return until.isAfter(now) && renewed.isAfter(now.minus(calm));
    }

    private List<String> tickets() {
        Instant now = mongo.getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .getDate("localTime")
                .toInstant();
        List<String> names = new ArrayList<>();
        mongo.getDatabase(place.database())
                .getCollection(place.collection() + "." + LockSchema.QUEUE)
                .find()
                .forEach(queue -> {
                    if (queue.getList("tickets", Document.class, List.of()).stream()
                            .anyMatch(ticket -> isLeft(ticket, now))) {
                        names.add(queue.getString("_id"));
                    }
                });
        return names;
    }
}
