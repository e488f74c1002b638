package org.mongolocks.example.data;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;

import org.mongolocks.reactive.ReactiveFencedCollection;
import org.mongolocks.reactive.ReactiveLockClient;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Writes under a lock without blocking a thread. */
@Service
class ReactiveDeposits {
    private final ReactiveLockClient locks;
    private final ReactiveMongoTemplate template;

    ReactiveDeposits(ReactiveLockClient locks, ReactiveMongoTemplate template) {
        this.locks = locks;
        this.template = template;
    }

    /** One document, fenced. */
    Mono<Boolean> deposit(int number, int amount) {
        return locks.callWithLock(
                "account-" + number,
                lock -> template.getCollection("accounts")
                        .map(accounts -> ReactiveFencedCollection.of(accounts, lock))
                        .flatMap(fenced -> fenced.touch(eq("_id", number))
                                .then(Mono.defer(() -> fenced.update(eq("_id", number), inc("balance", amount))))));
    }

    /** Several documents, in a guarded transaction. */
    Mono<Booking> transfer(int from, int to, int amount) {
        return locks.callWithLock(
                "transfers",
                lock -> lock.inTransaction(session -> {
                    var inSession = template.withSession(session);
                    return inSession
                            .findById(from, Account.class)
                            .flatMap(account -> inSession.save(account.plus(-amount)))
                            .then(Mono.defer(() -> inSession.findById(to, Account.class)))
                            .flatMap(account -> inSession.save(account.plus(amount)))
                            .then(Mono.defer(() -> inSession.insert(new Booking(null, to, amount))));
                }));
    }
}
