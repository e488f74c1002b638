package org.mongolocks.example.data;

import org.mongolocks.sync.LockClient;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;
import org.springframework.stereotype.Service;

/** Writes several documents under a lock, all or none, and only while the lock is held. */
@Service
class Transfers {
    private final LockClient locks;
    private final MongoTemplate template;

    Transfers(LockClient locks, MongoTemplate template) {
        this.locks = locks;
        this.template = template;
    }

    void transfer(int from, int to, int amount) throws InterruptedException {
        locks.callWithLock(
                "transfers",
                lock -> lock.inTransaction(session -> {
                    MongoTemplate inSession = template.withSession(session);
                    Accounts accounts = new MongoRepositoryFactory(inSession).getRepository(Accounts.class);
                    accounts.save(accounts.findById(from).orElseThrow().plus(-amount));
                    accounts.save(accounts.findById(to).orElseThrow().plus(amount));
                    return inSession.insert(new Booking(null, to, amount));
                }));
    }
}
