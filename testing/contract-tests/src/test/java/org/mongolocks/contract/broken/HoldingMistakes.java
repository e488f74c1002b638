package org.mongolocks.contract.broken;

import static org.mongolocks.contract.broken.Mistake.acquiring;
import static org.mongolocks.contract.broken.Mistake.configuring;
import static org.mongolocks.contract.broken.Mistake.held;
import static org.mongolocks.contract.broken.Mistake.locks;
import static org.mongolocks.contract.broken.Mistake.strategy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.TransactionWork;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.broken.Mistake.Row;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.GuardedDocument;
import org.mongolocks.server.ServerFinder;

/** Mistakes in how a client holds its locks, and guards transactions with them. */
final class HoldingMistakes {
    static final List<Row> TABLE = List.of(
            Row.of(
                    "stops keep-alive at the first fault",
                    strategy(OneFaultStrategy::new),
                    "aLockIsKeptAliveThroughFaults"),
            Row.of(
                    "keeps nothing alive",
                    acquiring((locks, request) -> locks.tryAcquire(LockRequest.of(request.name(), request.ttl())
                            .fixedLease()
                            .waitAtMost(request.waitAtMost()))),
                    "aLockThatIsKeptAliveOutlivesItsLease",
                    "anyNumberOfBlockedListenersHarmsNoOtherLock",
                    "anExecutorOnTheCallingThreadHarmsNoOtherLock"),
            Row.of(
                    "renews a fixed lease",
                    acquiring((locks, request) -> locks.tryAcquire(
                            LockRequest.of(request.name(), request.ttl()).waitAtMost(request.waitAtMost()))),
                    "aFixedLeaseEnds"),
            Row.of(
                    "holds no minimum",
                    acquiring((locks, request) -> locks.tryAcquire(request.holdAtLeast(Duration.ZERO))),
                    "aReleaseKeepsTheMinimumHold",
                    "closingKeepsTheMinimumHold"),
            Row.of("hides losses", notifying(listener -> (lease, reason) -> {}), "keepAliveReportsALoss"),
            Row.of(
                    "reports a loss twice",
                    notifying(listener -> (lease, reason) -> {
                        listener.onLost(lease, reason);
                        listener.onLost(lease, reason);
                    }),
                    "lossIsReportedOnce",
                    "endOfALeaseIsReportedBeforeTheLockIsGrantedAgain",
                    "aLockThatCannotBeRenewedIsLostAtItsEnd"),
            Row.of(
                    "reports every loss as an expiry",
                    notifying(listener -> (lease, reason) -> listener.onLost(lease, LossReason.EXPIRED)),
                    "keepAliveReportsALoss",
                    "aLockThatCannotBeRenewedIsLostAtItsEnd"),
            Row.of("does not warn", warning(listener -> (lease, remaining) -> {}), "expiryWarningIsSentForEachEnd"),
            Row.of(
                    "warns once",
                    warning(listener -> {
                        AtomicInteger warnings = new AtomicInteger();
                        return (lease, remaining) -> {
                            if (warnings.getAndIncrement() == 0) {
                                listener.onEndangered(lease, remaining);
                            }
                        };
                    }),
                    "expiryWarningIsSentForEachEnd"),
            Row.of(
                    "calls one listener at a time, so that one that blocks delays those of all locks",
                    notifying(listener -> (lease, reason) -> {
                        synchronized (HoldingMistakes.class) {
                            listener.onLost(lease, reason);
                        }
                    }),
                    "aListenerThatBlocksHarmsNoOtherLock"),
            Row.of(
                    "has no skew margin",
                    configuring(builder -> builder.skewMargin(Duration.ZERO)),
                    "theHolderDoesNotOverestimateItsLease"),
            Row.of(
                    "has no timer",
                    configuring(builder -> ClientOptions.of(builder).timer((delay, task) -> () -> {})),
                    "endOfALeaseIsReportedBeforeTheLockIsGrantedAgain"),
            Row.of(
                    "neither releases its locks nor ends its threads when it is closed",
                    closing(locks -> {}),
                    "closingReleasesAllLocks",
                    "aClosedClientAcquiresNothing",
                    "noThreadOutlivesTheClient"),
            Row.of(
                    "closes late",
                    closing(locks -> {
                        // The rule allows five times the timeout.
                        LockSupport.parkNanos(
                                FaultyLocks.CLOSE_TIMEOUT.multipliedBy(6).toNanos());
                        locks.close();
                    }),
                    "closingIsBoundedWhenTheServerDoesNotAnswer"),
            Row.of(
                    "writes outside of the transaction",
                    guarding((lock, work) -> work.run((collection, document) ->
                            database().getCollection(collection).insertOne(document))),
                    "aGuardedTransactionIsCommittedAndExtendsTheLease",
                    "transactionAfterALossWritesNothing",
                    "workThatFailsLeavesNothing",
                    "interruptDuringTheWorkWritesNothing"),
            Row.of(
                    "does not touch the lock in the transaction",
                    guarding((lock, work) -> inPlainTransaction(work, session -> {})),
                    "aGuardedTransactionIsCommittedAndExtendsTheLease",
                    "transactionAfterALossWritesNothing",
                    "aLateHolderWritesNothing",
                    "workThatOutlastsTheLeaseIsNotCommitted",
                    "theLockIsNotForcedFreeUnderAnOpenTransaction",
                    "aTakeoverWaitsForTheTransaction",
                    "renewalAndNestedTransactionAreRefusedDuringATransaction"),
            Row.of(
                    "does not pause keep-alive during the transaction",
                    guarding((lock, work) -> inPlainTransaction(
                            work,
                            session -> database()
                                    .getCollection("locks.findandmodify-counter")
                                    .updateOne(
                                            session,
                                            Filters.eq(lock.lease().name().value()),
                                            Updates.inc("rev", 1L)))),
                    "keepAliveDoesNotCollideWithAGuardedTransaction"),
            Row.of(
                    "never commits",
                    guarding((lock, work) -> {
                        try {
                            lock.inTransaction(insert -> {
                                work.run(insert);
                                throw new NotCommitted();
                            });
                        } catch (NotCommitted e) {
                            return;
                        }
                    }),
                    "aGuardedTransactionIsCommittedAndExtendsTheLease"),
            Row.of(
                    "runs the work twice",
                    guarding((lock, work) -> {
                        lock.inTransaction(work);
                        lock.inTransaction(work);
                    }),
                    "aGuardedTransactionIsCommittedAndExtendsTheLease",
                    "ambiguousCommitIsExecutedOnce"),
            Row.of(
                    "fails at a conflict",
                    guarding((lock, work) -> lock.inTransaction(insert -> {
                        try {
                            work.run(insert);
                        } catch (MongoException e) {
                            throw new NotCommitted();
                        }
                    })),
                    "aConflictRepeatsTheWholeTransaction"),
            Row.of(
                    "commits in spite of a failure of the work",
                    guarding((lock, work) -> lock.inTransaction(insert -> {
                        try {
                            work.run(insert);
                        } catch (UnsupportedOperationException e) {
                            GuardedDocument.of(lock.lease().name(), insert).write("in spite of " + e.getClass());
                        }
                    })),
                    "workThatFailsLeavesNothing"));

    private HoldingMistakes() {}

    private static Mistake notifying(UnaryOperator<LockLostListener> wrong) {
        return held(lock -> new LockWithAMistake(lock) {
            @Override
            public void onLost(LockLostListener listener) {
                super.onLost(wrong.apply(listener));
            }
        });
    }

    private static Mistake warning(UnaryOperator<LockEndangeredListener> wrong) {
        return held(lock -> new LockWithAMistake(lock) {
            @Override
            public void onEndangered(Duration remaining, LockEndangeredListener listener) {
                super.onEndangered(remaining, wrong.apply(listener));
            }
        });
    }

    /** Makes the mistake once: the rule closes the client, and the clean-up after the rule does so again. */
    private static Mistake closing(Consumer<BlockingLocks> wrong) {
        return locks(locks -> new ForwardingLocks(locks) {
            private final AtomicBoolean isClosed = new AtomicBoolean();

            @Override
            public void close() {
                if (isClosed.compareAndSet(false, true)) {
                    wrong.accept(locks);
                } else {
                    locks.close();
                }
            }
        });
    }

    private static Mistake guarding(Guarding wrong) {
        return held(lock -> new LockWithAMistake(lock) {
            @Override
            public void inTransaction(TransactionWork work) throws Exception {
                wrong.run(lock, work);
            }
        });
    }

    private static void inPlainTransaction(TransactionWork work, Consumer<ClientSession> first) throws Exception {
        try (ClientSession session = mongo().startSession()) {
            session.startTransaction();
            first.accept(session);
            work.run((collection, document) ->
                    database().getCollection(collection).insertOne(session, document));
            session.commitTransaction();
        }
    }

    private static MongoDatabase database() {
        return mongo().getDatabase(LockContract.DATABASE);
    }

    private static MongoClient mongo() {
        return DriverClients.shared(ServerFinder.embedded().uri()).sync();
    }

    /** Aborts a transaction. */
    private static final class NotCommitted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @FunctionalInterface
    private interface Guarding {
        void run(BlockingLock lock, TransactionWork work) throws Exception;
    }
}
