package org.mongolocks.sync;

import com.mongodb.MongoInterruptedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.internal.hold.GuardedTransaction;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.reentrant.HoldReference;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.sync.HeldLock.TransactionCallback;
import org.mongolocks.sync.StepRunner.InterruptPolicy;

/** A transaction that a lock guards, run on the calling thread. */
final class GuardedTransactionRunner<R extends @Nullable Object, E extends Exception> {
    private final Sessions sessions;
    private final LockTask task;
    private final GuardedTransaction transaction;
    private final TransactionCallback<R, E> work;

    GuardedTransactionRunner(Sessions sessions, Hold hold, HoldReference handle, TransactionCallback<R, E> work) {
        this.sessions = sessions;
        this.task = sessions.task("Guarding a transaction by", hold.lease().name());
        this.transaction = new GuardedTransaction(sessions.settings(), hold, handle::isReleased);
        this.work = work;
    }

    R run() throws E {
        CompletableFuture<Void> quiet = transaction.pauseRenewals();
        try {
            await(quiet);
            return inSession();
        } finally {
            transaction.resumeRenewals();
        }
    }

    private R inSession() throws E {
        SyncPort port = sessions.portFor(task, transaction::limit);
        // Without a thread for the abort the server ends the transaction; the session is closed nevertheless.
        try (StepRunner runner = sessions.runner(port)) {
            try {
                return untilCommitted(runner, port);
            } finally {
                port.abort();
            }
        }
    }

    private R untilCommitted(StepRunner runner, SyncPort port) throws E {
        while (true) {
            runner.runKeepingTransaction(task, transaction::startTransaction, new InterruptPolicy.Command(task));
            R result;
            try {
                result = work.run(port.session());
            } catch (Exception e) {
                if (recover(runner, port, e)) {
                    continue;
                }
                throw e;
            }
            if (commit(runner, port)) {
                return result;
            }
        }
    }

    /**
     * Aborts after a failure of the work, and returns whether to repeat it. Otherwise work aborted by a loss is reported
     * as a loss, by an interrupt as an interrupt, and by the driver, whose client was replaced or closed, as a fault.
     */
    private boolean recover(StepRunner runner, SyncPort port, Exception failure) {
        Optional<LockException> refusal = port.refusal(failure).map(task::exception);
        if (!port.isTransactionOpen()) {
            failure.addSuppressed(transaction.endedByWork());
        } else if (abort(runner, refusal.<Exception>map(unusable -> unusable).orElse(failure))) {
            return true;
        }
        transaction.requireNotLost(failure);
        if (refusal.isPresent()) {
            refusal.get().addSuppressed(failure);
            throw refusal.get();
        }
        if (failure instanceof MongoInterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw task.interrupted(interrupt);
        }
        return false;
    }

    /** Returns whether another transaction may be opened. A fault after the failure of the work is not the one to report. */
    private boolean abort(StepRunner runner, Exception failure) {
        try {
            return runner.runKeepingTransaction(
                    task, () -> transaction.again(failure), new InterruptPolicy.Uninterruptible());
        } catch (LockException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    /** From here on an interrupt comes too late: the commit runs to its end. A loss is reported first, and keeps the flag. */
    private boolean commit(StepRunner runner, SyncPort port) {
        if (!port.isTransactionOpen()) {
            throw transaction.endedByWork();
        }
        if (Thread.currentThread().isInterrupted()) {
            transaction.requireNotLost(null);
            throw task.interrupted(null);
        }
        return runner.runKeepingTransaction(task, transaction::commit, new InterruptPolicy.Uninterruptible());
    }

    private void await(CompletableFuture<Void> quiet) {
        try {
            quiet.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw task.interrupted(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A renewal ends without a result", e);
        }
    }
}
