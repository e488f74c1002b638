package org.mongolocks.sync;

import com.mongodb.MongoInterruptedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.hold.GuardedTransaction;
import org.mongolocks.internal.hold.Hold;

/**
 * A transaction that a lock guards, run on the calling thread.
 *
 * @param <R> the result of the work
 * @param <E> the exceptions of the work
 */
final class GuardedWork<R extends @Nullable Object, E extends Exception> {
    private final Sessions sessions;
    private final String task;
    private final GuardedTransaction transaction;
    private final TransactionWork<R, E> work;

    GuardedWork(Sessions sessions, Hold hold, TransactionWork<R, E> work) {
        this.sessions = sessions;
        this.task = sessions.task("Guarding a transaction by", hold.lease().name());
        this.transaction = new GuardedTransaction(sessions.settings(), hold);
        this.work = work;
    }

    R run() throws E, InterruptedException {
        CompletableFuture<Void> quiet = transaction.begin();
        try {
            await(quiet);
            return inSession();
        } finally {
            transaction.end();
        }
    }

    private R inSession() throws E, InterruptedException {
        StepRunner runner = sessions.openFor(transaction::limit);
        try {
            return untilCommitted(runner);
        } finally {
            runner.abort();
            runner.close();
        }
    }

    private R untilCommitted(StepRunner runner) throws E, InterruptedException {
        while (true) {
            runner.leaveOpen(task, transaction::open, new Patience.Interruptible());
            R result;
            try {
                result = work.run(runner.session());
            } catch (Exception e) {
                if (isRepeated(runner, e)) {
                    continue;
                }
                throw e;
            }
            if (isCommitted(runner)) {
                return result;
            }
        }
    }

    /** Work aborted by a loss is reported as a loss, by an interrupt as an interrupt. */
    private boolean isRepeated(StepRunner runner, Exception failure) throws InterruptedException {
        if (runner.leaveOpen(task, () -> transaction.again(failure), new Patience.Uninterruptible())) {
            return true;
        }
        transaction.requireNotLost(failure);
        if (failure instanceof MongoInterruptedException interrupt) {
            new Patience.Interruptible().cutShort(interrupt);
        }
        return false;
    }

    /** From here on an interrupt comes too late: the commit runs to its end. */
    private boolean isCommitted(StepRunner runner) throws InterruptedException {
        if (Thread.interrupted()) {
            transaction.requireNotLost(null);
            throw new InterruptedException();
        }
        return runner.leaveOpen(task, transaction::commit, new Patience.Uninterruptible());
    }

    private static void await(CompletableFuture<Void> quiet) throws InterruptedException {
        try {
            quiet.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A renewal ends without a result", e);
        }
    }
}
