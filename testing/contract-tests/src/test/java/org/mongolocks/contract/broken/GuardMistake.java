package org.mongolocks.contract.broken;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.Optional;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.GuardedDocument;
import org.mongolocks.contract.setup.GuardedDocument.TransactionBody;
import org.mongolocks.contract.setup.ServerFinder;

/** A mistake in how a client guards a transaction. */
enum GuardMistake implements Mistake {
    WRITES_OUTSIDE_OF_THE_TRANSACTION {
        @Override
        void inTransaction(BlockingLock lock, TransactionBody body) throws Exception {
            body.run(GuardedDocument.in(database(), lock.lease().name()));
        }
    },
    DOES_NOT_TOUCH {
        @Override
        void inTransaction(BlockingLock lock, TransactionBody body) throws Exception {
            inPlainTransaction(lock, body, session -> {});
        }
    },
    DOES_NOT_PAUSE_KEEP_ALIVE {
        @Override
        void inTransaction(BlockingLock lock, TransactionBody body) throws Exception {
            inPlainTransaction(
                    lock,
                    body,
                    session -> database()
                            .getCollection("locks.findandmodify-counter")
                            .updateOne(session, Filters.eq(lock.lease().name().value()), Updates.inc("rev", 1L)));
        }
    },
    NEVER_COMMITS {
        @Override
        void inTransaction(BlockingLock lock, TransactionBody body) throws Exception {
            try {
                lock.inTransaction(data -> {
                    body.run(data);
                    throw new NotCommitted();
                });
            } catch (NotCommitted e) {
                return;
            }
        }
    },
    RUNS_THE_WORK_TWICE {
        @Override
        void inTransaction(BlockingLock lock, TransactionBody body) throws Exception {
            lock.inTransaction(body);
            lock.inTransaction(body);
        }
    },
    FAILS_AT_A_CONFLICT {
        @Override
        void inTransaction(BlockingLock lock, TransactionBody body) throws Exception {
            lock.inTransaction(data -> {
                try {
                    body.run(data);
                } catch (MongoException e) {
                    throw new NotCommitted();
                }
            });
        }
    },
    SWALLOWS_FAILURES {
        @Override
        void inTransaction(BlockingLock lock, TransactionBody body) throws Exception {
            lock.inTransaction(data -> {
                try {
                    body.run(data);
                } catch (UnsupportedOperationException e) {
                    data.write("in spite of " + e.getClass());
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

    abstract void inTransaction(BlockingLock lock, TransactionBody body) throws Exception;

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
            public void inTransaction(TransactionBody body) throws Exception {
                GuardMistake.this.inTransaction(lock, body);
            }
        };
    }

    static MongoDatabase database() {
        return DriverClients.shared(ServerFinder.embedded().uri()).sync().getDatabase(LockContract.DATABASE);
    }

    private static void inPlainTransaction(BlockingLock lock, TransactionBody body, First first) throws Exception {
        try (ClientSession session =
                DriverClients.shared(ServerFinder.embedded().uri()).sync().startSession()) {
            session.startTransaction();
            first.in(session);
            body.run(GuardedDocument.in(database(), session, lock.lease().name()));
            session.commitTransaction();
        }
    }
}
