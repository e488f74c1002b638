package org.mongolocks.example.data;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;

import org.bson.Document;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.LockClient;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Service;

/** Writes one document under a lock. */
@Service
class Deposits {
    private final LockClient locks;
    private final MongoTemplate template;

    Deposits(LockClient locks, MongoTemplate template) {
        this.locks = locks;
        this.template = template;
    }

    void deposit(int number, int amount) throws InterruptedException {
        locks.callWithLock("account-" + number, lock -> {
            FencedCollection<Document> fenced = FencedCollection.of(template.getCollection("accounts"), lock);
            Document stored = fenced.touch(eq("_id", number)).orElseThrow();
            Account account = template.getConverter().read(Account.class, stored);
            return fenced.update(eq("_id", number), set("balance", account.balance() + amount));
        });
    }
}
