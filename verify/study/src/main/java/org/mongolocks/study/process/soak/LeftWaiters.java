package org.mongolocks.study.process.soak;

import com.mongodb.client.MongoClient;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.sync.LockClient;

/**
 * Finds waiters that are left in lists after all clients have ended and each lock has been granted to a client that waited
 * behind them: that grant has passed over the waiters of killed clients.
 *
 * @param mongo a connection
 * @param place the locks
 * @param technique their strategy
 */
record LeftWaiters(MongoClient mongo, ChildConfig.Place place, Technique technique) {
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
                        .filter(lock -> lock.waiters() > 0)
                        .map(lock -> technique.name() + ": a waiter is left in the list of " + lock.name())
                        .forEach(left::add);
                query = page.next().map(name -> LockQuery.all().after(name));
            }
        }
        return left;
    }
}
