package org.mongolocks.sync;

import com.mongodb.MongoInterruptedException;
import com.mongodb.client.ClientSession;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.PauseWait;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * A runner of programs on the calling thread, all in one session: once the release that compensates an acquisition is
 * answered, the server refuses any late command of that acquisition. Not thread-safe.
 */
final class StepRunner implements AutoCloseable {
    private final SyncPort port;
    private final Runnable ended;

    /** What sends the operations of a program. */
    interface Port {
        ClientRuns runs();

        /** Returns the time limit of the run. */
        TimeBudget limit();

        /** Executes an operation; a fault of the server or of the connection is a reply, unless it aborts the run. */
        <X extends Exception> Reply send(MongoOp op, InterruptPolicy<X> interrupts) throws X;
    }

    StepRunner(SyncPort port, Runnable ended) {
        this.port = port;
        this.ended = ended;
    }

    /** Runs a program; an interrupt ends it, and its last operation may have been executed. */
    <R> R run(LockTask task, Supplier<Step<R>> program) {
        return run(task, program, new InterruptPolicy.Command(task));
    }

    /** Runs a program to its end, even if the thread is interrupted. */
    <R> R runUninterruptibly(LockTask task, Supplier<Step<R>> program) {
        return run(task, program, new InterruptPolicy.Uninterruptible());
    }

    /** Runs a program, and keeps the transaction that it has begun open unless it fails. */
    <R, X extends Exception> R runKeepingTransaction(
            LockTask task, Supplier<Step<R>> program, InterruptPolicy<X> interrupts) throws X {
        boolean done = false;
        try {
            R result = steps(port, task, program, interrupts);
            done = true;
            return result;
        } finally {
            if (!done) {
                port.abort();
            }
            interrupts.end();
        }
    }

    /** Returns the session, in which a transaction may be open. */
    ClientSession session() {
        return port.session();
    }

    /** Returns what it means that the work in the session failed, if the driver's client was replaced or closed. */
    Optional<Reply.Failed> refusal(Exception failure) {
        return port.refusal(failure);
    }

    /** Returns whether the transaction that a program has begun is open. */
    boolean isTransactionOpen() {
        return port.isTransactionOpen();
    }

    /** Ends the transaction if one is open, even if the thread is interrupted. */
    void abort() {
        InterruptPolicy.Uninterruptible interrupts = new InterruptPolicy.Uninterruptible();
        interrupts.begin();
        try {
            port.abort();
        } finally {
            interrupts.end();
        }
    }

    @Override
    public void close() {
        port.close();
        ended.run();
    }

    <R, X extends Exception> R run(LockTask task, Supplier<Step<R>> program, InterruptPolicy<X> interrupts) throws X {
        try {
            return steps(port, task, program, interrupts);
        } finally {
            port.abort();
            interrupts.end();
        }
    }

    /** Runs a program by a port without a session of its own; an interrupt ends it. */
    static <R> R run(Port port, LockTask task, Supplier<Step<R>> program) {
        InterruptPolicy.Command interrupts = new InterruptPolicy.Command(task);
        try {
            return steps(port, task, program, interrupts);
        } finally {
            interrupts.end();
        }
    }

    /** Runs a program by a port, in whatever session that uses. */
    static <R, X extends Exception> R steps(
            Port port, LockTask task, Supplier<Step<R>> program, InterruptPolicy<X> interrupts) throws X {
        interrupts.begin();
        Step<R> step = program.get();
        while (!(step instanceof Step.Done<R> done)) {
            step = next(port, task, step, interrupts);
        }
        return done.result();
    }

    private static <R, X extends Exception> Step<R> next(
            Port port, LockTask task, Step<R> step, InterruptPolicy<X> interrupts) throws X {
        if (step instanceof Step.Call<R> call) {
            interrupts.begin();
            return call.then().apply(port.send(call.op(), interrupts));
        }
        if (step instanceof Step.Pause<R> known) {
            Step.Pause<R> pause = port.runs().paced(known, port.limit());
            interrupts.pause(port.runs().waitFor(pause));
            return pause.then().get();
        }
        throw task.exception(((Step.Fail<R>) step).failure());
    }

    /**
     * The effect of an interrupt of the thread on the program that it runs.
     *
     * @param <X> what an interrupt throws; {@code RuntimeException} if it throws nothing that is declared
     */
    sealed interface InterruptPolicy<X extends Exception> {

        /** Starts the run. */
        void begin() throws X;

        void pause(PauseWait wait) throws X;

        /** Ends the run, or continues it, after an interrupted operation: the server may have executed it. */
        void onInterrupted(MongoInterruptedException e) throws X;

        /** Ends the run. */
        void end();

        private static void await(PauseWait wait) throws InterruptedException {
            if (wait.signal().isEmpty()) {
                TimeUnit.NANOSECONDS.sleep(wait.atMost().toNanos());
                return;
            }
            try {
                wait.signal().get().get(wait.atMost().toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                return;
            } catch (ExecutionException e) {
                throw new IllegalStateException("A wake-up completes without a result", e);
            }
        }

        /** An interrupt ends the run with an {@link InterruptedException}, which clears the flag. */
        final class Interruptible implements InterruptPolicy<InterruptedException> {
            static final Interruptible INSTANCE = new Interruptible();

            private Interruptible() {}

            @Override
            public void begin() throws InterruptedException {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }

            @Override
            public void pause(PauseWait wait) throws InterruptedException {
                InterruptPolicy.await(wait);
            }

            @Override
            public void onInterrupted(MongoInterruptedException e) throws InterruptedException {
                Thread.interrupted();
                InterruptedException interrupted = new InterruptedException();
                interrupted.initCause(e);
                throw interrupted;
            }

            @Override
            public void end() {}
        }

        /** The flag is cleared during the run, and set again at its end. */
        abstract sealed class FlagKeeping implements InterruptPolicy<RuntimeException> {
            private boolean interrupted;

            /** Continues the run, or throws. */
            abstract void interrupted(@Nullable Exception cause);

            @Override
            public void begin() {
                if (Thread.interrupted()) {
                    handle(null);
                }
            }

            @Override
            public void pause(PauseWait wait) {
                try {
                    InterruptPolicy.await(wait);
                } catch (InterruptedException e) {
                    handle(e);
                }
            }

            @Override
            public void onInterrupted(MongoInterruptedException e) {
                Thread.interrupted();
                handle(e);
            }

            @Override
            public void end() {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }

            private void handle(@Nullable Exception cause) {
                interrupted = true;
                interrupted(cause);
            }
        }

        /** The run continues to its end. */
        final class Uninterruptible extends FlagKeeping {
            @Override
            void interrupted(@Nullable Exception cause) {}
        }

        /** An interrupt ends the run with a {@link org.mongolocks.LockInterruptedException}. */
        final class Command extends FlagKeeping {
            private final LockTask task;

            Command(LockTask task) {
                this.task = task;
            }

            @Override
            void interrupted(@Nullable Exception cause) {
                throw task.interrupted(cause);
            }
        }
    }
}
