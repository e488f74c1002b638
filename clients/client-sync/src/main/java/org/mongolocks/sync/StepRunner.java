package org.mongolocks.sync;

import com.mongodb.MongoInterruptedException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.ClientRuns.PauseWait;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.Run;
import org.mongolocks.internal.run.Run.Action;
import org.mongolocks.internal.run.Run.Action.Done;
import org.mongolocks.internal.run.Run.Action.EndTransaction;
import org.mongolocks.internal.run.Run.Action.Pause;
import org.mongolocks.internal.run.Run.Action.Send;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/**
 * The loop that performs runs on the calling thread, one after another in one session: it sends, waits, and reports to the
 * {@link Run}, which decides. Not thread-safe.
 */
final class StepRunner implements AutoCloseable {
    private final SyncPort port;
    private final Runnable ended;

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

    private <R, X extends Exception> R run(LockTask task, Supplier<Step<R>> program, InterruptPolicy<X> interrupts)
            throws X {
        return run(newRun(task, program::get), interrupts);
    }

    /** Returns a run of this session that has not begun. */
    <R> Run<R> newRun(LockTask task, CompensatedProgram<R> program) {
        return Run.of(port.runs(), task, port.limit(), program);
    }

    /** Runs a program, and keeps the transaction that it has begun open unless it fails. */
    <R, X extends Exception> R runKeepingTransaction(
            LockTask task, Supplier<Step<R>> program, InterruptPolicy<X> interrupts) throws X {
        return run(Run.keepingTransaction(port.runs(), task, port.limit(), program), interrupts);
    }

    /** Performs a run until its result; what aborts it is thrown once everything that follows from it was tried. */
    <R, X extends Exception> R run(Run<R> run, InterruptPolicy<X> interrupts) throws X {
        try {
            interrupts.begin();
            return ((Done<R>) perform(run, run.start(), interrupts)).result();
        } catch (Throwable e) {
            abort(run, e);
            throw e;
        } finally {
            interrupts.end();
        }
    }

    private <R> void abort(Run<R> run, Throwable cause) {
        InterruptPolicy.Uninterruptible pauses = new InterruptPolicy.Uninterruptible();
        Supplier<Action<R>> next = () -> run.abort(cause);
        try {
            while (performUntilPause(run, next) instanceof Pause<R> pause) {
                next = () -> {
                    pauses.pause(port.runs().waitFor(pause));
                    return run.resumed();
                };
            }
        } finally {
            pauses.end();
        }
    }

    /** Performs the next action and those that follow, even if the thread is interrupted, until the run pauses or ends. */
    <R> Action<R> performUntilPause(Run<R> run, Supplier<Action<R>> next) {
        InterruptPolicy.Uninterruptible interrupts = new InterruptPolicy.Uninterruptible();
        interrupts.begin();
        try {
            return performUntilPause(run, next.get(), interrupts);
        } catch (RuntimeException e) {
            return performUntilPause(run, () -> run.abort(e));
        } finally {
            interrupts.end();
        }
    }

    private <R, X extends Exception> Action<R> performUntilPause(
            Run<R> run, Action<R> first, InterruptPolicy<X> interrupts) throws X {
        Action<R> action = first;
        while (true) {
            if (action instanceof Send<R> send) {
                interrupts.begin();
                Reply reply = port.send(send.op(), interrupts);
                // The driver does not notice an interrupt while it reads a reply.
                interrupts.begin();
                action = run.answered(reply);
            } else if (action instanceof EndTransaction) {
                port.abort();
                action = run.resumed();
            } else {
                return action;
            }
        }
    }

    private <R, X extends Exception> Action<R> perform(Run<R> run, Action<R> first, InterruptPolicy<X> interrupts)
            throws X {
        Action<R> action = performUntilPause(run, first, interrupts);
        while (action instanceof Pause<R> pause) {
            interrupts.pause(port.runs().waitFor(pause));
            action = performUntilPause(run, run.resumed(), interrupts);
        }
        return action;
    }

    @Override
    public void close() {
        port.close();
        ended.run();
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
