package org.mongolocks.example.migrations.published;

import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.mongolocks.example.migrations.Rollout;

/** From locks as they are published. */
class PublishedRolloutTest {
    private static final String INVOICE = "invoice-42";

    abstract static class FromOldLock extends Rollout {
        abstract OldLock oldLock();

        @Override
        protected Instance oldRelease() {
            OldLock lock = oldLock();
            return work -> {
                if (!lock.acquire(INVOICE)) {
                    return false;
                }
                try {
                    work.run();
                } finally {
                    lock.release(INVOICE);
                }
                return true;
            };
        }

        @Override
        protected Instance bothLocksRelease() throws InterruptedException {
            BothLocks locks = new BothLocks(oldLock(), lockClient());
            return work -> locks.runLocked(INVOICE, work);
        }

        @Override
        protected Instance newRelease() throws InterruptedException {
            NewLock lock = new NewLock(lockClient());
            return work -> lock.runLocked(INVOICE, work);
        }
    }

    @Nested
    class FromInsertWithTtl extends FromOldLock {
        @Override
        OldLock oldLock() {
            return new InsertWithTtl(collection("locks"));
        }
    }

    @Nested
    class FromCounterWithExpiry extends FromOldLock {
        @Override
        OldLock oldLock() {
            return new CounterWithExpiry(collection("locks"));
        }
    }

    @Nested
    class FromInsertInTransaction extends FromOldLock {
        @Override
        OldLock oldLock() {
            return new InsertInTransaction(mongo, collection("locks"));
        }
    }

    @Nested
    class FromLockedFlag extends FromOldLock {
        @BeforeEach
        void insertInvoice() {
            collection("invoices").insertOne(new Document("_id", INVOICE).append("isLocked", false));
        }

        @Override
        OldLock oldLock() {
            return new LockedFlag(collection("invoices"));
        }
    }
}
