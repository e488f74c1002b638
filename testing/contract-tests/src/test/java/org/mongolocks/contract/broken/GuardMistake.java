package org.mongolocks.contract.broken;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.Optional;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.TransactionWork;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.GuardedDocument;
import org.mongolocks.contract.setup.ServerFinder;

/** A mistake in how a client guards a transaction. */
enum GuardMistake implements Mistake {
    WRITES_OUTSIDE_OF_THE_TRANSACTION {
        @Override
        void inTransaction(BlockingLock lock, TransactionWork work) throws Exception {
            work.run((collection, document) ->
                    database().getCollection(collection).insertOne(document));
        }
    },
    DOES_NOT_TOUCH {
        @Override
        void inTransaction(BlockingLock lock, TransactionWork work) throws Exception {
            inPlainTransaction(work, session -> {});
        }
    },
    DOES_NOT_PAUSE_KEEP_ALIVE {
        @Override
        void inTransaction(BlockingLock lock, TransactionWork work) throws Exception {
            inPlainTransaction(
                    work,
                    session -> database()
                            .getCollection("locks.findandmodify-counter")
                            .updateOne(session, Filters.eq(lock.lease().name().value()), Updates.inc("rev", 1L)));
        }
    },
    NEVER_COMMITS {
        @Override
        void inTransaction(BlockingLock lock, TransactionWork work) throws Exception {
            try {
                lock.inTransaction(insert -> {
                    work.run(insert);
                    throw new NotCommitted();
                });
            } catch (NotCommitted e) {
                return;
            }
        }
    },
    RUNS_THE_WORK_TWICE {
        @Override
        void inTransaction(BlockingLock lock, TransactionWork work) throws Exception {
            lock.inTransaction(work);
            lock.inTransaction(work);
        }
    },
    FAILS_AT_A_CONFLICT {
        @Override
        void inTransaction(BlockingLock lock, TransactionWork work) throws Exception {
            lock.inTransaction(insert -> {
                try {
                    work.run(insert);
                } catch (MongoException e) {
                    throw new NotCommitted();
                }
            });
        }
    },
    SWALLOWS_FAILURES {
        @Override
        void inTransaction(BlockingLock lock, TransactionWork work) throws Exception {
            lock.inTransaction(insert -> {
                try {
                    work.run(insert);
                } catch (UnsupportedOperationException e) {
                    GuardedDocument.of(lock.lease().name(), insert).write("in spite of " + e.getClass());
                }
            });
        }
    };

    /** Aborts a transaction. */
    private static final class NotCommitted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @FunctionalInterface
    private interface First {
        void in(ClientSession session);
    }

    abstract void inTransaction(BlockingLock lock, TransactionWork work) throws Exception;

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new ForwardingLocks(locks) {
            @Override
            public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                return super.acquire(request).map(GuardMistake.this::unguarded);
            }
        };
    }

    private BlockingLock unguarded(BlockingLock lock) {
        return new LockWithAMistake(lock) {
            @Override
            public void inTransaction(TransactionWork work) throws Exception {
                GuardMistake.this.inTransaction(lock, work);
            }
        };
    }

    static MongoDatabase database() {
        return DriverClients.shared(ServerFinder.embedded().uri()).sync().getDatabase(LockContract.DATABASE);
    }

    private static void inPlainTransaction(TransactionWork work, First first) throws Exception {
        try (ClientSession session =
                DriverClients.shared(ServerFinder.embedded().uri()).sync().startSession()) {
            session.startTransaction();
            first.in(session);
            work.run((collection, document) ->
                    database().getCollection(collection).insertOne(session, document));
            session.commitTransaction();
        }
    }
}
